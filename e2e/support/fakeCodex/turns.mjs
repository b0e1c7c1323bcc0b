// Turns of the fake: started by a client or by the queue, played from the scenario, ended once.
//
// Races settled here:
// - An interrupt comes while an action waits (a gate, an approval): the turn's signal is aborted, the wait rejects, and what the
//   action would have said is not said. Items that run get no end, like the real one's.
// - A turn ends by an action, by an interrupt, and by the end of its actions: the first one counts.

import { actAll } from "./actions.mjs";
import { items, newId, newTurn, seconds, turnView } from "./shapes.mjs";
import { emptyThread } from "./store.mjs";
import { completed, started, turnDiff } from "./turnActions.mjs";

const usualActions = [{ message: "This is the fake codex." }, { usage: 15 }];

/** Gives the turn as the answer has it, and what is to be done after the answer. */
export function startTurn(fake, thread, input, clientId) {
  const turn = newTurn();
  const stop = new AbortController();
  const threadId = thread.record.id;
  const context = {
    fake,
    threadId,
    turn,
    cwd: thread.record.cwd,
    signal: stop.signal,
    turnDiff: null,
    setStatus: (status) => setStatus(fake, thread, status),
    end: (status, error = null) => endTurn(fake, thread, context, status, error),
  };
  thread.running = { turn, stop, context, beganAtMs: Date.now() };
  thread.turns.push(turn);
  if (thread.record.preview === "") thread.record.preview = firstText(input);
  const planned = fake.scenario.turns ?? [usualActions];
  const actions = planned[Math.min(fake.turnsStarted++, planned.length - 1)];
  return {
    turn: { ...turnView(turn, "notLoaded"), startedAt: null },
    play: () => void play(context, actions, input, clientId),
  };
}

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
    fake.journal.write({ event: "bug", error: String(error.stack) });
    context.end("failed", {
      message: `The scenario failed: ${error.message}`,
      codexErrorInfo: "other",
      additionalDetails: null,
      misalignment: null,
    });
  }
}

export function userMessage(context, input, clientId) {
  const item = items.userMessage(input, clientId);
  started(item, context);
  completed({ ...item }, context);
}

export function interruptTurn(thread) {
  thread.running.context.end("interrupted");
}

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
  fake.store.save();
  if (status === "completed") {
    turnDiff(context);
    unread(fake, threadId, turn);
  }
  context.setStatus({ type: status === "failed" ? "systemError" : "idle" });
  if (status === "failed") {
    fake.notify("error", { error, willRetry: false, threadId, turnId: turn.id }, threadId);
    unread(fake, threadId, turn);
  }
  const last = turn.items.findLast((item) => item.type === "agentMessage");
  const view = last ? { ...turn, items: [last], itemsView: "summary" } : turnView(turn, "notLoaded");
  fake.notify("turn/completed", { threadId, turn: view }, threadId);
  // Whatever still plays is told now that it has been overtaken.
  running.stop.abort();
  if (status !== "interrupted") startNextQueued(fake, thread);
}

function unread(fake, threadId, turn) {
  const readState = { firstUnread: { type: "turn", turnId: turn.id }, revision: newId() };
  fake.notify("thread/readState/changed", { threadId, readState }, threadId);
}

/** Starts the first waiting entry when nothing runs. */
export function startNextQueued(fake, thread) {
  if (thread.running !== null || thread.queue.length === 0) return null;
  const entry = thread.queue.shift();
  fake.store.save();
  queueChanged(fake, thread);
  const started = startTurn(fake, thread, entry.input, entry.clientUserMessageId);
  started.play();
  return started.turn;
}

export function queueChanged(fake, thread) {
  const threadId = thread.record.id;
  fake.notify("thread/queue/changed", { threadId }, threadId);
}

export function setStatus(fake, thread, status) {
  const threadId = thread.record.id;
  thread.status = status;
  fake.notify("thread/status/changed", { threadId, status }, threadId);
}

export function addThread(fake, record) {
  const thread = emptyThread(record);
  fake.store.add(thread);
  return thread;
}

function firstText(input) {
  return input.find((part) => part.type === "text")?.text ?? "";
}
