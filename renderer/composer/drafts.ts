// The drafts of this window.

import { call } from "../state/connection";
import { DraftBook } from "./draftBook";

export const drafts = new DraftBook(
  {
    get: (threadKey) => call("drafts.get", { threadKey }),
    put: (threadKey, text, attachments) => call("drafts.put", { threadKey, text, attachments }),
    park: (threadKey) => call("drafts.park", { threadKey }),
    send: (message) => call("messages.send", message),
  },
  {
    nowMs: () => performance.now(),
    after(ms, run) {
      const timer = setTimeout(run, ms);
      return () => clearTimeout(timer);
    },
  },
);

// `visibilitychange` does not fire when a window is closed; this does.
window.addEventListener("pagehide", () => drafts.flushAll());
