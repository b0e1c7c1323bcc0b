// Older turns, asked for by whoever comes near the beginning of what is there.

import { faultOf } from "../../state/callFault";
import { call } from "../../state/connection";

const asked = new Set<string>();
const pauseAfterFailureMs = 15_000;

/**
 * Once at a time for each thread; main says `loadingOlder` only after it has heard of it. Resolves with whether they came:
 * with "busy" at once while they are on their way for somebody else, or for a while after they could not be loaded.
 */
export async function loadOlder(threadKey: string): Promise<"came" | "failed" | "busy"> {
  if (asked.has(threadKey)) return "busy";
  asked.add(threadKey);
  try {
    await call("threads.loadOlder", { threadKey });
    asked.delete(threadKey);
    return "came";
  } catch (error) {
    // Not with every further scroll. Nobody asked for it by hand; the button at the top does, and says what is wrong.
    setTimeout(() => asked.delete(threadKey), pauseAfterFailureMs);
    console.warn("Older turns could not be loaded", faultOf(error).message);
    return "failed";
  }
}
