// Turns and the queue of the fake.

/**
 * @import { Methods, RunningTurn } from "./fakeTypes"
 * @import { QueuedSubmission } from "../../../main/codex/protocol/v2/QueuedSubmission"
 */

import { RpcError } from "./rpcError.mjs";
import { newId, turnView } from "./shapes.mjs";
import { loadedThread, storedThread } from "./store.mjs";
import { interruptTurn, queueChanged, startNextQueued, startTurn, userMessage } from "./turns.mjs";

/** @type {Methods} */
export const turnMethods = {
  "turn/start"({ threadId, input, clientUserMessageId }, { fake }) {
    const thread = loadedThread(fake, threadId);
    if (thread.running) {
      // Like the real one: a start into a running turn steers it.
      const { turn, context } = thread.running;
      return {
        result: { turn: turnView(turn, "notLoaded") },
        afterwards: () => userMessage(context, input, clientUserMessageId),
      };
    }
    const { turn, play } = startTurn(fake, thread, input, clientUserMessageId);
    return { result: { turn }, afterwards: play };
  },

  "turn/steer"({ threadId, expectedTurnId, input, clientUserMessageId }, { fake }) {
    const { running } = loadedThread(fake, threadId);
    if (!running) throw new RpcError("no active turn to steer");
    expectTurn(running, expectedTurnId);
    return {
      result: { turnId: running.turn.id },
      afterwards: () => userMessage(running.context, input, clientUserMessageId),
    };
  },

  "turn/interrupt"({ threadId, turnId }, { fake }) {
    const thread = loadedThread(fake, threadId);
    if (!thread.running) throw new RpcError("no active turn to interrupt");
    expectTurn(thread.running, turnId);
    return { result: {}, afterwards: () => interruptTurn(thread) };
  },
};

/** @type {Methods} */
export const queueMethods = {
  "thread/queue/add"({ threadId, input, clientUserMessageId }, { fake }) {
    const thread = loadedThread(fake, threadId);
    const entry = {
      id: newId(),
      input,
      clientUserMessageId: clientUserMessageId ?? null,
      responsesapiClientMetadata: null,
    };
    thread.queue.push(entry);
    fake.store.save();
    queueChanged(fake, thread);
    return { result: { queuedSubmission: entry }, afterwards: () => startNextQueued(fake, thread) };
  },

  "thread/queue/list"({ threadId }, { fake }) {
    return { result: { data: storedThread(fake, threadId).queue, nextCursor: null } };
  },

  "thread/queue/update"({ threadId, queuedSubmissionId, input }, { fake }) {
    const thread = storedThread(fake, threadId);
    const entry = thread.queue.find(({ id }) => id === queuedSubmissionId);
    if (!entry) throw new RpcError(`queued submission not found: ${queuedSubmissionId}`);
    entry.input = input;
    fake.store.save();
    return { result: { queuedSubmission: entry }, afterwards: () => queueChanged(fake, thread) };
  },

  "thread/queue/delete"({ threadId, queuedSubmissionId }, { fake }) {
    const thread = storedThread(fake, threadId);
    const before = thread.queue.length;
    thread.queue = thread.queue.filter(({ id }) => id !== queuedSubmissionId);
    fake.store.save();
    return {
      result: { deleted: thread.queue.length < before },
      afterwards: () => queueChanged(fake, thread),
    };
  },

  "thread/queue/reorder"({ threadId, queuedSubmissionIds }, { fake }) {
    const thread = storedThread(fake, threadId);
    /** @param {QueuedSubmission} entry */
    const place = (entry) => queuedSubmissionIds.indexOf(entry.id);
    thread.queue.sort((a, b) => place(a) - place(b));
    fake.store.save();
    return { result: {}, afterwards: () => queueChanged(fake, thread) };
  },

  "thread/queue/start"({ threadId }, { fake }) {
    const turn = startNextQueued(fake, loadedThread(fake, threadId));
    if (!turn) throw new RpcError("no queued submission to start");
    return { result: { turn } };
  },
};

/** @param {RunningTurn} running @param {string} expected */
function expectTurn({ turn }, expected) {
  if (turn.id !== expected) {
    throw new RpcError(`expected active turn id \`${expected}\` but found \`${turn.id}\``);
  }
}
