// The newest turns of a thread, shown while codex still loads it. Loading takes codex the longer the more turns there are (half
// a second for 3,000, since it reads the whole record), listing a few of them does not; and nobody has to wait for the one to
// read the other.
//
// Races settled here:
// - The load is answered first, or has failed, or something was heard of the thread: that is newer, and the list is dropped.
// - What the list says may be older than what codex finds when it loads: only what cannot change any more is shown, and what
//   the load brings is merged into it as into anything that was known before.
// - The newest turn is listed as going on, or something is kept of it: whether it does only the load can say.

import { asFault } from "../fault";
import type { Connection } from "../supervisor/connection";
import type { LoadingThread, ThreadHost } from "./host";
import type { PieceSize } from "./pieceSize";
import type { TurnPage } from "./transcriptMerge";

const deadlineMs = 10_000;

/** `show` looks for itself whether the load still goes on. */
export function listAhead(
  host: ThreadHost,
  thread: LoadingThread,
  connection: Connection,
  size: PieceSize,
  show: (page: TurnPage) => void,
): void {
  const { state, threadId } = thread;
  const isUnknown = () => state.transcript.isEmpty && !state.running;
  if (threadId === null || !state.watched || !isUnknown() || thread.keptItems().length > 0) return;
  connection.client
    .request(
      "thread/turns/list",
      { threadId, limit: size.turns, itemsView: "full", cursor: null },
      {
        deadlineMs,
        onAnswer: ({ data, nextCursor }, units) => {
          size.heard(data.length, units);
          if (!isUnknown() || data.length === 0 || data[0]?.status === "inProgress") return;
          show({ turns: data, nextCursor });
        },
      },
    )
    .catch((error: unknown) => {
      // Why the thread cannot be shown, if it cannot, is what the load says.
      host.log.info("turns could not be listed ahead", { threadId, error: asFault(error).code });
    });
}
