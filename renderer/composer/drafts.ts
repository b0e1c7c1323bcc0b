// The drafts of this window.

import { call } from "../state/connection";
import { DraftBook } from "./draftBook";

export const drafts = new DraftBook(
  {
    get: (threadKey) => call("drafts.get", { threadKey }),
    put: (change) => call("drafts.put", change),
    next: (question) => call("drafts.next", question),
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
  { writer: crypto.randomUUID(), newClientId: () => crypto.randomUUID() },
);

// `visibilitychange` does not fire when a window is closed; this does.
window.addEventListener("pagehide", () => drafts.flushAll());
