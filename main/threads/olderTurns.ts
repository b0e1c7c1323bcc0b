// The turns before the ones that are known, a page at a time.
//
// Races settled here:
// - Two windows want them at once: one page, for both.
// - What is known is replaced while they are listed (the thread was loaded again, and more has come than it was loaded with):
//   they do not lie before it any more, and are dropped.
// - The thread is shown with its newest turns, and someone goes up before the rest of the first page has come: that is it.

import { asFault } from "../fault";
import type { LoadingThread, ThreadHost } from "./host";
import { mostTurns, type PieceSize } from "./pieceSize";
import { threadFault } from "./threadFaults";
import type { TurnPage } from "./transcriptMerge";
import { listOlder } from "./turnPages";

/** How many older turns come at once. */
const turnsPerPage = 30;

/** `asShown` makes of a page of codex's record what is shown of it. Throws the Fault that says why they cannot be listed. */
export async function loadOlder(
  host: ThreadHost,
  thread: LoadingThread,
  size: PieceSize,
  asShown: (page: TurnPage) => TurnPage,
  most = turnsPerPage,
): Promise<void> {
  const { state, threadId, workspaceId } = thread;
  const { olderCursor, loadingOlder } = state.facts;
  if (olderCursor === null || loadingOlder || threadId === null) return;
  state.update({ loadingOlder: true });
  try {
    const connection = await host.connect(workspaceId);
    await listOlder(thread, connection, { cursor: olderCursor, most }, size, (found) => {
      if (state.facts.olderCursor !== olderCursor) return;
      const page = asShown(found);
      state.publish(state.transcript.prepend(page, host.clock.nowMs(), thread.keptItems()), true);
      state.update({ olderCursor: page.nextCursor });
      host.loaded(thread);
    });
  } catch (error) {
    throw threadFault(error, host.configFault);
  } finally {
    state.update({ loadingOlder: false });
  }
}

/**
 * The newest turns come alone, so that they can be read at once; for who looks at them, the others of the first page follow.
 * Not where these were heavy, or codex gave fewer than it was asked for.
 */
export function fillPage(
  host: ThreadHost,
  thread: LoadingThread,
  size: PieceSize,
  asShown: (page: TurnPage) => TurnPage,
): void {
  const known = thread.state.transcript.turns.length;
  const most = turnsPerPage - known;
  if (!thread.state.watched || most <= 0 || known < mostTurns || size.turns < mostTurns) return;
  loadOlder(host, thread, size, asShown, most).catch((error: unknown) => {
    // They are loaded when somebody goes up to them, who then hears what is wrong.
    host.log.info("the first page could not be filled", {
      threadId: thread.threadId,
      error: asFault(error).code,
    });
  });
}
