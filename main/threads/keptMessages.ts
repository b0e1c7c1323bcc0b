// Which of our messages codex has: in its queue, or in its record of turns.
//
// Race: codex takes a message from its queue into a turn while both are asked. The queue is asked first and whether codex is
// at work last, so a message that is in neither place of an idle thread has not slipped from one to the other.

import type { Turn } from "../codex/protocol/v2/Turn";
import type { Connection } from "../supervisor/connection";
import { listQueue } from "./followUps/codexQueue";
import { PieceSize } from "./pieceSize";
import { isUnknownMethod, isWithoutTurns } from "./threadFaults";

export interface KeptMessages {
  /** Client ids of the messages that wait in the queue. */
  queued: Set<string>;
  /** By client id, the turn that has the message. */
  inTurns: Map<string, { turnId: string; turnEnded: boolean }>;
  /** codex is at work in the thread: what it has taken up may not be recorded yet. */
  isActive: boolean;
}

/** Far more than anybody writes between sending a message and looking for it. */
const maxTurns = 600;
/** codex tells the start of a turn in whole seconds, by a clock that may be another one. */
const clockLeewayMs = 120_000;

/** Looks back as far as to `sinceMs`. Rejects as a request does. */
export async function findKeptMessages(
  connection: Connection,
  threadId: string,
  sinceMs: number,
): Promise<KeptMessages> {
  const queued = await queuedMessages(connection, threadId);
  const inTurns: KeptMessages["inTurns"] = new Map();
  const size = new PieceSize();
  let cursor: string | null = null;
  for (let turns = 0; turns < maxTurns; ) {
    const answer = await listTurns(connection, threadId, cursor, size);
    turns += Math.max(1, answer.data.length);
    for (const [clientId, place] of messagesIn(answer.data)) inTurns.set(clientId, place);
    cursor = answer.nextCursor;
    if (cursor === null || isBefore(answer.data.at(-1), sinceMs)) break;
  }
  const { thread } = await connection.client.request("thread/read", { threadId });
  return { queued, inTurns, isActive: thread.status?.type === "active" };
}

/** The messages of these turns by client id. */
export function messagesIn(turns: Turn[]): Map<string, { turnId: string; turnEnded: boolean }> {
  const messages = new Map<string, { turnId: string; turnEnded: boolean }>();
  for (const turn of turns) {
    for (const item of turn.items) {
      if (item.type !== "userMessage" || !item.clientId) continue;
      messages.set(item.clientId, { turnId: turn.id, turnEnded: turn.status !== "inProgress" });
    }
  }
  return messages;
}

async function queuedMessages(connection: Connection, threadId: string): Promise<Set<string>> {
  try {
    return new Set((await listQueue(connection, threadId)).map(({ clientId }) => clientId));
  } catch (error) {
    // A codex without a queue has nothing in it.
    if (isUnknownMethod(error)) return new Set();
    throw error;
  }
}

async function listTurns(
  connection: Connection,
  threadId: string,
  cursor: string | null,
  size: PieceSize,
): Promise<{ data: Turn[]; nextCursor: string | null }> {
  try {
    return await connection.client.request(
      "thread/turns/list",
      { threadId, limit: size.turns, itemsView: "full", cursor },
      { onAnswer: ({ data }, units) => size.heard(data.length, units) },
    );
  } catch (error) {
    if (isWithoutTurns(error)) return { data: [], nextCursor: null };
    throw error;
  }
}

function isBefore(turn: Turn | undefined, sinceMs: number): boolean {
  return typeof turn?.startedAt === "number" && turn.startedAt * 1000 < sinceMs - clockLeewayMs;
}
