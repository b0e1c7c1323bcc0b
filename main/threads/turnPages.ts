// Pages of codex's record of a thread, and what one says about what runs. See pieceSize.ts for why a page comes in pieces.

import type { Turn } from "../codex/protocol/v2/Turn";
import { asFault } from "../fault";
import type { Connection } from "../supervisor/connection";
import type { RunningThread, ThreadHost } from "./host";
import { recordOf } from "./loose";
import { heavyUnits, type PieceSize } from "./pieceSize";
import { isWithoutTurns } from "./threadFaults";
import type { ThreadState } from "./threadState";
import type { RunningNow, TurnPage } from "./transcriptMerge";

const readDeadlineMs = 10_000;

/** The newest turns: one piece, taken in the order of the wire. A thread without a turn has an empty one. */
export function listNewest(
  thread: RunningThread,
  connection: Connection,
  size: PieceSize,
  take: (page: TurnPage) => unknown,
): Promise<void> {
  return listPiece(thread, connection, null, size, take);
}

/** At most so many turns before `cursor`, piece by piece until they are heavy. Taken together, with the last piece. */
export async function listOlder(
  thread: RunningThread,
  connection: Connection,
  { cursor, most }: { cursor: string; most: number },
  size: PieceSize,
  take: (page: TurnPage) => unknown,
): Promise<void> {
  const turns: Turn[] = [];
  let units = 0;
  for (let next: string | null = cursor; next !== null; ) {
    const asked = size.turns;
    await listPiece(thread, connection, next, size, (piece, length) => {
      turns.push(...piece.turns);
      units += length;
      const hasRoom = turns.length + size.turns <= most && units <= heavyUnits;
      // codex that gives fewer than it was asked for has a bound of its own.
      const isWhole = piece.nextCursor === null || piece.turns.length < asked || !hasRoom;
      if (isWhole) take({ turns, nextCursor: piece.nextCursor });
      next = isWhole ? null : piece.nextCursor;
    });
  }
}

async function listPiece(
  thread: RunningThread,
  connection: Connection,
  cursor: string | null,
  size: PieceSize,
  take: (page: TurnPage, units: number) => unknown,
): Promise<void> {
  try {
    await thread.awaited(
      connection.client.request(
        "thread/turns/list",
        { threadId: thread.threadId ?? "", limit: size.turns, itemsView: "full", cursor },
        {
          onAnswer: ({ data, nextCursor }, units) => {
            size.heard(data.length, units);
            take({ turns: data, nextCursor }, units);
          },
        },
      ),
    );
  } catch (error) {
    if (!isWithoutTurns(error)) throw error;
    take({ turns: [], nextCursor: null }, 0);
  }
}

/** What runs, going by the newest page and the status that came with it, if one did. */
export function runningNow(state: ThreadState, page: TurnPage, status: unknown): RunningNow {
  const type = recordOf(status).type;
  const newest = page.turns[0];
  const named =
    newest?.status === "inProgress" && !state.hasEnded(newest.id) ? { turnId: newest.id } : ("some" as const);
  if (type === "active") return named;
  if (type !== undefined) return "none";
  // The page came without a status: the run is as the events have told it.
  if (!state.running) return "none";
  return state.runningTurnId === null ? named : { turnId: state.runningTurnId };
}

/** That a thread cannot be loaded now does not mean that codex has not got it in memory, and is at work in it. */
export async function readStatus(
  { log }: Pick<ThreadHost, "log">,
  threadId: string,
  connection: Connection,
): Promise<unknown> {
  try {
    const { thread } = await connection.client.request(
      "thread/read",
      { threadId },
      { deadlineMs: readDeadlineMs },
    );
    return thread.status;
  } catch (error) {
    log.info("status could not be read", { error: asFault(error).code });
    return { type: "notLoaded" };
  }
}
