// Takes what waits in codex's queue into the ledger's, in its order. codex sends by itself what waits in its own, as soon as it
// has loaded the thread, and on this machine: so a thread that works elsewhere has nothing there.
//
// Races settled here:
// - codex takes one up just then: it says so when it is to be deleted, and the message is codex's.
// - It is cut off in between: the message is written down as leaving, is looked for by its client id, and comes back when
//   codex has it nowhere. It is in the ledger's queue only once codex has said that it is not in its own any more.
// - Another client has queued it: it becomes ours first.

import type { Connection } from "../../supervisor/connection";
import { foreignFollowUpFault } from "../environments/environmentFaults";
import type { RunningThread, ThreadHost } from "../host";
import type { OutgoingMessages } from "../outgoingMessages";
import { deliveryUnknown, isUnknownMethod } from "../threadFaults";
import { adopt } from "./adopt";
import { listQueue } from "./codexQueue";
import type { CodexEntry } from "./queueMachine";

interface MovedThread extends RunningThread {
  readonly messages: OutgoingMessages;
  readonly delivery: { lookSoon(): void };
}

/** `removed`: it is not in codex's queue any more. Rejects when something may still be there. */
export async function moveHere(
  host: ThreadHost,
  thread: MovedThread,
  connection: Connection,
  removed: (clientId: string) => void,
): Promise<void> {
  const { threadId } = thread;
  if (threadId === null) return;
  let entries: CodexEntry[];
  try {
    entries = await listQueue(connection, threadId);
  } catch (error) {
    // A codex without a queue.
    if (isUnknownMethod(error)) return;
    throw error;
  }
  for (const entry of entries) await moveOne(host, thread, connection, threadId, entry, removed);
}

async function moveOne(
  host: ThreadHost,
  thread: MovedThread,
  connection: Connection,
  threadId: string,
  { id, clientId, input }: CodexEntry,
  removed: (clientId: string) => void,
): Promise<void> {
  const { messages, delivery } = thread;
  const takeOut = async () => {
    const params = { threadId, queuedSubmissionId: id };
    const { deleted } = await connection.client.request("thread/queue/delete", params);
    removed(clientId);
    return deleted;
  };
  const isSettled = ["delivered", "discarded"].includes(host.submissions.get(clientId)?.state ?? "");
  const isOver = isSettled || thread.state.transcript.sentMessage(clientId) !== null;
  const outgoing = messages.get(clientId) ?? (isOver ? null : adopt(messages, { id, clientId, input }));
  if (outgoing === null) {
    if (!isOver) throw foreignFollowUpFault();
    await takeOut();
    return;
  }
  // It has come back to the person, or is being sent in another way: codex has it twice, or not for long.
  const isOthers = outgoing.underWay || outgoing.state === "undelivered" || outgoing.waitsHere;
  if (isOthers || outgoing.seenInTurn !== null) {
    await takeOut();
    return;
  }
  outgoing.underWay = true;
  try {
    messages.leaving(outgoing, "queue");
    const deleted = await takeOut();
    if (!messages.isPending(outgoing)) return;
    if (deleted) messages.waitHere(outgoing);
    else messages.answered(outgoing, null, "queue");
  } catch (error) {
    // Unknown: it is there or nowhere, and looked for. Otherwise it is still there.
    if (!deliveryUnknown(error) && messages.isPending(outgoing)) messages.answered(outgoing, null, "queue");
    throw error;
  } finally {
    outgoing.underWay = false;
    messages.shown();
    delivery.lookSoon();
  }
}
