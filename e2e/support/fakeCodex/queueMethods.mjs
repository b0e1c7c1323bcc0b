// The queue of the fake. Like the real one's it is held from an interruption until a turn begins, and a failure does not hold
// it; both are kept with the thread. And like there, an image is read when it is queued, and kept as data.

/**
 * @import { UserInput } from "../../../main/codex/protocol/v2/UserInput"
 * @import { LiveThread, Methods } from "./fakeTypes"
 */

import { readFileSync } from "node:fs";
import { RpcError } from "./rpcError.mjs";
import { newId } from "./shapes.mjs";
import { loadedThread, storedThread } from "./store.mjs";
import { queueChanged, startNextQueued, startQueued } from "./turns.mjs";

/** @type {Methods} */
export const queueMethods = {
  "thread/queue/add"({ threadId, input, clientUserMessageId }, { fake }) {
    const thread = loadedThread(fake, threadId);
    const entry = {
      id: newId(),
      input: withImages(input),
      clientUserMessageId: clientUserMessageId ?? null,
      responsesapiClientMetadata: null,
    };
    thread.queue.push(entry);
    fake.store.save();
    queueChanged(fake, thread);
    return { result: { queuedSubmission: entry }, afterwards: () => startNextQueued(fake, thread) };
  },

  "thread/queue/list"({ threadId, cursor, limit }, { fake }) {
    const { queue } = storedThread(fake, threadId);
    const from = cursor ? Number(cursor) : 0;
    const to = from + (limit ?? 50);
    return { result: { data: queue.slice(from, to), nextCursor: to < queue.length ? String(to) : null } };
  },

  "thread/queue/update"({ threadId, queuedSubmissionId, input }, { fake }) {
    const thread = storedThread(fake, threadId);
    const entry = entryOf(thread, queuedSubmissionId);
    entry.input = withImages(input);
    fake.store.save();
    return { result: { queuedSubmission: entry }, afterwards: () => queueChanged(fake, thread) };
  },

  "thread/queue/delete"({ threadId, queuedSubmissionId }, { fake }) {
    const thread = storedThread(fake, threadId);
    const rest = thread.queue.filter(({ id }) => id !== queuedSubmissionId);
    const deleted = rest.length < thread.queue.length;
    thread.queue = rest;
    fake.store.save();
    return { result: { deleted }, afterwards: () => deleted && queueChanged(fake, thread) };
  },

  "thread/queue/reorder"({ threadId, queuedSubmissionIds }, { fake }) {
    const thread = storedThread(fake, threadId);
    const known = thread.queue.map(({ id }) => id);
    if ([...known].sort().join() !== [...queuedSubmissionIds].sort().join()) {
      throw new RpcError("queue reorder must include every queued submission exactly once");
    }
    thread.queue = queuedSubmissionIds.map((id) => entryOf(thread, id));
    fake.store.save();
    return { result: {}, afterwards: () => queueChanged(fake, thread) };
  },

  "thread/queue/start"({ threadId, queuedSubmissionId }, { fake }) {
    const thread = loadedThread(fake, threadId);
    if (thread.running) throw new RpcError("thread already has an active or pending turn");
    const [first] = thread.queue;
    if (!first) throw new RpcError("queue is empty");
    const entry = queuedSubmissionId ? entryOf(thread, queuedSubmissionId) : first;
    const { turn, play } = startQueued(fake, thread, entry);
    return { result: { turn }, afterwards: play };
  },
};

/** @param {LiveThread} thread @param {string} id */
function entryOf(thread, id) {
  const entry = thread.queue.find((one) => one.id === id);
  if (!entry) throw new RpcError(`queued submission not found: ${id}`);
  return entry;
}

/** @param {UserInput[]} input @returns {UserInput[]} */
function withImages(input) {
  return input.map((one) => {
    if (one.type !== "localImage") return one;
    try {
      return {
        type: "image",
        url: `data:image/png;base64,${readFileSync(one.path).toString("base64")}`,
      };
    } catch (error) {
      throw new RpcError(`local queued attachment is invalid: ${error}`);
    }
  });
}
