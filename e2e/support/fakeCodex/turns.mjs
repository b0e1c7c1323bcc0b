// Turns of the fake: started by a client or by the queue, played from the scenario, ended once.
//
// Races settled here:
// - An interrupt comes while an action waits (a gate, an approval): the turn's signal is aborted, the wait rejects, and what the
//   action would have said is not said. Items that run get no end, like the real one's.
// - A turn ends by an action, by an interrupt, and by the end of its actions: the first one counts.
// - A turn fails: like the real one it says so a moment before it is over. An interrupt in between holds the queue; one that
//   comes later does not, and the next entry is taken up.

/**
 * @import { FakeServer, LiveThread, StoredTurn, TurnContext } from "./fakeTypes"
 * @import { QueuedSubmission } from "../../../main/codex/protocol/v2/QueuedSubmission"
 * @import { ThreadStatus } from "../../../main/codex/protocol/v2/ThreadStatus"
 * @import { Turn } from "../../../main/codex/protocol/v2/Turn"
 * @import { TurnError } from "../../../main/codex/protocol/v2/TurnError"
 * @import { TurnStatus } from "../../../main/codex/protocol/v2/TurnStatus"
 * @import { UserInput } from "../../../main/codex/protocol/v2/UserInput"
 * @import { TurnAction } from "./scenario"
 */

import { actAll } from "./actions.mjs";
import { items, newId, newTurn, seconds, turnView } from "./shapes.mjs";
import { completed, started, turnDiff } from "./turnActions.mjs";

/** @type {TurnAction[]} */
const usualActions = [{ message: "This is the fake codex." }, { usage: 15 }];

/**
 * Gives the turn as the answer has it, and what is to be done after the answer.
 * @param {FakeServer} fake
 * @param {LiveThread} thread
 * @param {UserInput[]} input
 * @param {string | null} [clientId]
 * @returns {{ turn: Turn, play(): void }}
 */
export function startTurn(fake, thread, input, clientId) {
  const turn = newTurn();
  const stop = new AbortController();
  const threadId = thread.record.id;
  /** @type {TurnContext} */
  const context = {
    fake,
    threadId,
    turn,
    cwd: thread.record.cwd,
    signal: stop.signal,
    diff: null,
    setStatus: (status) => setStatus(fake, thread, status),
    end: (status, error) => endTurn(fake, thread, context, status, error ?? null),
    fail: (error, graceMs) => failTurn(fake, thread, context, error, graceMs),
  };
  thread.running = { turn, stop, context, beganAtMs: Date.now() };
  thread.isHeld = false;
  thread.turns.push(turn);
  if (thread.record.preview === "") thread.record.preview = firstText(input);
  const planned = fake.scenario.turns ?? [];
  const actions = planned[Math.min(fake.turnsStarted++, planned.length - 1)] ?? usualActions;
  return {
    turn: { ...turnView(turn, "notLoaded"), startedAt: null },
    play: () => void play(context, actions, input, clientId),
  };
}

/** @param {TurnContext} context @param {TurnAction[]} actions @param {UserInput[]} input @param {string | null} [clientId] */
async function play(context, actions, input, clientId) {
  const { fake, threadId, turn } = context;
  context.setStatus({ type: "active", activeFlags: [] });
  fake.notify("turn/started", { threadId, turn: turnView(turn, "notLoaded") }, threadId);
  userMessage(context, input, clientId);
  try {
    await actAll(actions, context);
    context.end("completed");
  } catch (error) {
    // Stopped: `interruptTurn` has ended it, and there is nothing more to say.
    if (context.signal.aborted) return;
    fake.journal.write({ event: "bug", error: error instanceof Error ? error.stack : String(error) });
    context.fail(
      {
        message: `The scenario failed: ${error}`,
        codexErrorInfo: "other",
        additionalDetails: null,
        misalignment: null,
      },
      0,
    );
  }
}

/** @param {TurnContext} context @param {UserInput[]} input @param {string | null} [clientId] */
export function userMessage(context, input, clientId) {
  const item = items.userMessage(input, clientId);
  started(item, context);
  completed({ ...item }, context);
}

/** @param {LiveThread} thread */
export function interruptTurn(thread) {
  thread.running?.context.end("interrupted");
}

/**
 * Says that the turn has failed, and ends it `graceMs` later; 0: at once.
 * @param {FakeServer} fake
 * @param {LiveThread} thread
 * @param {TurnContext} context
 * @param {TurnError} error
 * @param {number} graceMs
 */
function failTurn(fake, thread, context, error, graceMs) {
  const { turn, threadId } = context;
  if (thread.running?.turn !== turn) return;
  context.setStatus({ type: "systemError" });
  fake.notify("error", { error, willRetry: false, threadId, turnId: turn.id }, threadId);
  if (graceMs === 0) context.end("failed", error);
  else setTimeout(() => context.end("failed", error), graceMs);
}

/** @param {FakeServer} fake @param {LiveThread} thread @param {TurnContext} context @param {TurnStatus} status @param {TurnError | null} error */
function endTurn(fake, thread, context, status, error) {
  const { running } = thread;
  if (running?.turn !== context.turn) return;
  const { turn, threadId } = context;
  thread.running = null;
  turn.status = status;
  turn.error = error;
  turn.completedAt = seconds(Date.now());
  turn.durationMs = Date.now() - running.beganAtMs;
  thread.record.updatedAt = turn.completedAt;
  thread.isHeld = status === "interrupted";
  fake.store.save();
  if (status === "completed") {
    turnDiff(context);
    unread(fake, threadId, turn);
  }
  if (status === "failed") unread(fake, threadId, turn);
  else context.setStatus({ type: "idle" });
  const last = turn.items.findLast((item) => item.type === "agentMessage");
  const view = last ? { ...turn, items: [last], itemsView: "summary" } : turnView(turn, "notLoaded");
  fake.notify("turn/completed", { threadId, turn: view }, threadId);
  // Whatever still plays is told now that it has been overtaken.
  running.stop.abort();
  startNextQueued(fake, thread);
}

/** @param {FakeServer} fake @param {string} threadId @param {StoredTurn} turn */
function unread(fake, threadId, turn) {
  const readState = { firstUnread: { type: "turn", turnId: turn.id }, revision: newId() };
  fake.notify("thread/readState/changed", { threadId, readState }, threadId);
}

/** Starts the first waiting entry when nothing runs and nothing holds it. @param {FakeServer} fake @param {LiveThread} thread */
export function startNextQueued(fake, thread) {
  const [entry] = thread.queue;
  if (thread.running === null && !thread.isHeld && entry) startQueued(fake, thread, entry).play();
}

/** @param {FakeServer} fake @param {LiveThread} thread @param {QueuedSubmission} entry */
export function startQueued(fake, thread, entry) {
  thread.queue = thread.queue.filter((one) => one !== entry);
  const started = startTurn(fake, thread, entry.input, entry.clientUserMessageId);
  fake.store.save();
  return {
    turn: started.turn,
    play() {
      queueChanged(fake, thread);
      started.play();
    },
  };
}

/** @param {FakeServer} fake @param {LiveThread} thread */
export function queueChanged(fake, thread) {
  const threadId = thread.record.id;
  fake.notify("thread/queue/changed", { threadId }, threadId);
}

/** @param {FakeServer} fake @param {LiveThread} thread @param {ThreadStatus} status */
export function setStatus(fake, thread, status) {
  const threadId = thread.record.id;
  thread.status = status;
  fake.notify("thread/status/changed", { threadId, status }, threadId);
}

/** @param {UserInput[]} input */
function firstText(input) {
  for (const part of input) if (part.type === "text") return part.text;
  return "";
}
