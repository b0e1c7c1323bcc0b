// All turns of a thread, from the first to the last, a piece at a time, so that a thread of any length needs the memory of
// one piece. See pieceSize.ts for why pieces are small.
//
// Race: the connection is lost between two pieces. It is asked for again, a few times, and the walk goes on where it was:
// codex's cursor names a place in its record, which does not move.

import type { Turn } from "../../codex/protocol/v2/Turn";
import { asFault } from "../../fault";
import type { Connection } from "../../supervisor/connection";
import { PieceSize } from "../pieceSize";
import { isConnectionLost, isWithoutTurns } from "../threadFaults";

const mostNewConnections = 3;
const pieceDeadlineMs = 60_000;

/** Throws as codex does. `signal`: no further piece is asked for. */
export async function* turnsInOrder(
  connect: () => Promise<Connection>,
  threadId: string,
  signal: AbortSignal,
): AsyncGenerator<Turn[]> {
  const size = new PieceSize();
  let connection = await connect();
  let lost = 0;
  for (let cursor: string | null = null; ; ) {
    signal.throwIfAborted();
    try {
      const page: { data: Turn[]; nextCursor: string | null } = await connection.client.request(
        "thread/turns/list",
        { threadId, limit: size.turns, itemsView: "full", sortDirection: "asc", cursor },
        {
          deadlineMs: pieceDeadlineMs,
          onAnswer: ({ data }, units) => size.heard(data.length, units),
        },
      );
      if (page.data.length > 0) yield page.data;
      if (page.nextCursor === null || page.nextCursor === cursor) return;
      cursor = page.nextCursor;
    } catch (error) {
      if (isWithoutTurns(error)) return;
      if (signal.aborted || !isConnectionLost(asFault(error)) || lost >= mostNewConnections) throw error;
      lost += 1;
      connection = await connect();
    }
  }
}
