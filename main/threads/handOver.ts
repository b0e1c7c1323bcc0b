// Which request brings one message to codex: a turn of its own, the running turn, or codex's queue.
//
// Races settled here:
// - codex takes turn/start while a turn runs as steering, without saying so. So a message that is meant for a turn of its
//   own is queued when a turn is known to run, or the next follow-up is about to; codex starts queued ones by itself.
// - The turn that was to be steered has ended meanwhile, or another one runs, or it cannot be steered now (a review, a
//   compaction): the message then starts a turn, or waits in the queue. A refusal is certain to have had no effect.
// - The running turn ends before it can be steered, in a thread that works in an environment: nothing was prepared for a turn
//   of its own, so the message starts none before that has been done.
// - What runs was begun at another place than the thread's, and is being stopped: nothing is put into it (delivery.ts).
// - The answer of turn/start is taken in the order of the wire, before the events that follow it.

import type { QueuedSubmission } from "../codex/protocol/v2/QueuedSubmission";
import type { NewSubmission, SubmissionKind } from "../ledger/submissionsLedger";
import type { Connection } from "../supervisor/connection";
import type { ThreadPlace } from "./environments/threadPlace";
import type { RunningThread } from "./host";
import { modeToSend, sandboxToSend } from "./settingsView";
import { deliveryUnknown, isUnknownMethod, type SteerRefusal, steerRefusal } from "./threadFaults";
import { inputOf } from "./userInput";

export interface PlacedThread extends RunningThread {
  readonly place: ThreadPlace;
}

interface HandOver {
  connection: Connection;
  thread: PlacedThread;
  threadId: string;
  submission: NewSubmission;
  /** What is to wait waits in the ledger's queue. */
  queuesHere: boolean;
  nowMs(): number;
  /** The message asks for a turn of its own: a run begins with it. */
  asking(): void;
}

export type HandedOver =
  /** `turnId`: the turn that takes the message, where codex says so. */
  | { way: "turn" | "steer"; turnId: string | null }
  | { way: "queue"; entry: QueuedSubmission | null }
  /** It was to be queued after all, and nothing has left. */
  | { way: "here" }
  /** It was to be queued, and this codex has no queue. */
  | { way: "none" };

/** By which way a message is to go now. */
export function wayOf(
  { state }: RunningThread,
  wish: SubmissionKind,
  followUps: { isWaited: boolean; isGoingOn: boolean },
): SubmissionKind {
  if (state.phase === "running") {
    if (wish !== "steer") return "queue";
    // codex knows which turn runs although we do not: it takes turn/start into that one.
    return state.runningTurnId === null ? "turn" : "steer";
  }
  if (wish === "queue" && followUps.isWaited) return "queue";
  // The next one is just being taken up, and this one comes after it.
  return wish === "turn" && followUps.isGoingOn ? "queue" : "turn";
}

/** Rejects as a request does. */
export async function handOver(message: HandOver, way: SubmissionKind): Promise<HandedOver> {
  const { runningTurnId } = message.thread.state;
  if (way === "queue") return enqueue(message);
  if (way === "turn" || runningTurnId === null) return startTurn(message);
  const steered = await steer(message, runningTurnId);
  if ("turnId" in steered) return { way: "steer", turnId: steered.turnId };
  if (steered.refused !== "nothing runs") return enqueue(message);
  const { thread } = message;
  // Another turn may have begun since codex said so: of that one it says nothing.
  if (thread.state.runningTurnId === runningTurnId) thread.run({ type: "inactive" });
  // It was prepared for no turn of its own, or for one of long ago.
  thread.place.spend();
  return startTurn(message);
}

async function startTurn(message: HandOver): Promise<HandedOver> {
  const { connection, thread, threadId, submission, nowMs } = message;
  const { state, place } = thread;
  const { settings } = state.facts;
  const environments = place.toSend(connection);
  message.asking();
  thread.run({ type: "asked", atMs: nowMs() });
  let turnId: string | null = null;
  const takeBack = place.sending(environments);
  const answer = connection.client.request(
    "turn/start",
    {
      threadId,
      clientUserMessageId: submission.clientId,
      input: inputOf(submission),
      model: settings.model,
      effort: settings.effort,
      approvalPolicy: settings.approvalPolicy,
      sandboxPolicy: sandboxToSend(settings.sandbox, state.reportedSandbox),
      collaborationMode: modeToSend(settings),
      ...(environments && { environments }),
    },
    {
      onAnswer: (answer) => {
        place.told();
        turnId = answer.turn?.id ?? null;
        thread.run({ type: "answered", turnId, atMs: nowMs() });
      },
    },
  );
  try {
    await thread.awaited(answer);
    return { way: "turn", turnId };
  } catch (error) {
    if (!deliveryUnknown(error)) takeBack();
    // A review or a compaction was begun in the same moment.
    if (steerRefusal(error) !== "not now") throw error;
    return enqueue(message);
  }
}

async function steer(
  { connection, thread, threadId, submission }: HandOver,
  expectedTurnId: string,
): Promise<{ turnId: string | null } | { refused: SteerRefusal }> {
  try {
    const answer = await thread.awaited(
      connection.client.request("turn/steer", {
        threadId,
        expectedTurnId,
        clientUserMessageId: submission.clientId,
        input: inputOf(submission),
      }),
    );
    return { turnId: answer.turnId ?? null };
  } catch (error) {
    const refused = steerRefusal(error);
    if (refused === null) throw error;
    return { refused };
  }
}

async function enqueue(message: HandOver): Promise<HandedOver> {
  const { connection, thread, threadId, submission, queuesHere } = message;
  if (queuesHere) return { way: "here" };
  try {
    const { queuedSubmission } = await thread.awaited(
      connection.client.request("thread/queue/add", {
        threadId,
        clientUserMessageId: submission.clientId,
        input: inputOf(submission),
      }),
    );
    return { way: "queue", entry: queuedSubmission ?? null };
  } catch (error) {
    if (!isUnknownMethod(error)) throw error;
    return { way: "none" };
  }
}
