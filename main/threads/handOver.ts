// Which request brings one message to codex: a turn of its own, the running turn, or codex's queue.
//
// Races settled here:
// - codex takes turn/start while a turn runs as steering, without saying so. So a message that is meant for a turn of its
//   own is queued when a turn is known to run; codex starts queued ones by itself, in order.
// - The turn that was to be steered has ended meanwhile, or another one runs, or it cannot be steered now (a review, a
//   compaction): the message then starts a turn, or waits in the queue. A refusal is certain to have had no effect.
// - The answer of turn/start is taken in the order of the wire, before the events that follow it.

import type { Attachment } from "../../preload/contract/items";
import type { UserInput } from "../codex/protocol/v2/UserInput";
import { Fault } from "../fault";
import type { NewSubmission } from "../ledger/submissionsLedger";
import type { Connection } from "../supervisor/connection";
import type { RunningThread } from "./host";
import { sandboxToSend } from "./settingsView";
import { isUnknownMethod, type SteerRefusal, steerRefusal } from "./threadFaults";

interface HandOver {
  connection: Connection;
  thread: RunningThread;
  threadId: string;
  submission: NewSubmission;
  nowMs(): number;
  /** The message asks for a turn of its own: a run begins with it. */
  asking(): void;
}

/** Returns the turn that takes the message, where codex says so. Rejects as a request does. */
export async function handOver(message: HandOver): Promise<string | null> {
  const { thread, submission } = message;
  if (thread.state.phase !== "running") return startTurn(message);
  if (submission.kind !== "steer") return enqueue(message);
  const { runningTurnId } = thread.state;
  // codex knows which turn runs although we do not: it takes turn/start into that one.
  if (runningTurnId === null) return startTurn(message);
  const steered = await steer(message, runningTurnId);
  if ("turnId" in steered) return steered.turnId;
  if (steered.refused !== "nothing runs") return enqueue(message);
  thread.run({ type: "inactive" });
  return startTurn(message);
}

async function startTurn(message: HandOver): Promise<string | null> {
  const { connection, thread, threadId, submission, nowMs } = message;
  const { state } = thread;
  const { settings } = state.facts;
  message.asking();
  thread.run({ type: "asked", atMs: nowMs() });
  let turnId: string | null = null;
  await connection.client.request(
    "turn/start",
    {
      threadId,
      clientUserMessageId: submission.clientId,
      input: inputOf(submission),
      model: settings.model,
      effort: settings.effort,
      approvalPolicy: settings.approvalPolicy,
      sandboxPolicy: sandboxToSend(settings.sandbox, state.reportedSandbox),
    },
    {
      onAnswer: (answer) => {
        turnId = answer.turn?.id ?? null;
        thread.run({ type: "answered", turnId, atMs: nowMs() });
      },
    },
  );
  return turnId;
}

async function steer(
  { connection, threadId, submission }: HandOver,
  expectedTurnId: string,
): Promise<{ turnId: string | null } | { refused: SteerRefusal }> {
  try {
    const answer = await connection.client.request("turn/steer", {
      threadId,
      expectedTurnId,
      clientUserMessageId: submission.clientId,
      input: inputOf(submission),
    });
    return { turnId: answer.turnId ?? null };
  } catch (error) {
    const refused = steerRefusal(error);
    if (refused === null) throw error;
    return { refused };
  }
}

async function enqueue({ connection, threadId, submission }: HandOver): Promise<null> {
  try {
    await connection.client.request("thread/queue/add", {
      threadId,
      clientUserMessageId: submission.clientId,
      input: inputOf(submission),
    });
    return null;
  } catch (error) {
    if (!isUnknownMethod(error)) throw error;
    throw new Fault("queue_missing", "This version of codex cannot queue messages.", {
      hint: "Send it when the turn has ended, or steer the running turn with it.",
      retryable: true,
      cause: error,
    });
  }
}

function inputOf({ text, attachments }: { text: string; attachments: Attachment[] }): UserInput[] {
  const input: UserInput[] = text === "" ? [] : [{ type: "text", text, text_elements: [] }];
  for (const attachment of attachments) {
    if (attachment.kind === "image") input.push({ type: "localImage", path: attachment.path });
    else input.push({ type: "mention", name: attachment.name, path: attachment.path });
  }
  return input;
}
