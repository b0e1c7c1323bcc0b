// Threads as the fake keeps them: started, resumed, listed, read in pages.

/**
 * @import { FakeServer, LiveThread, Methods, StoredTurn } from "./fakeTypes"
 * @import { ThreadReadState } from "../../../main/codex/protocol/v2/ThreadReadState"
 * @import { TurnItemsView } from "../../../main/codex/protocol/v2/TurnItemsView"
 * @typedef {{ cursor?: unknown, limit?: number | null }} PageParams
 */

import { RpcError } from "./rpcError.mjs";
import { fakeModel, newId, newThread, threadSettings, threadView, turnView } from "./shapes.mjs";
import { loadedThread, newLiveThread, storedThread } from "./store.mjs";
import { interruptTurn, setStatus, startNextQueued } from "./turns.mjs";

/** @type {Methods} */
export const threadMethods = {
  "thread/start"({ cwd, model, ephemeral }, { fake, client }) {
    const record = newThread({
      cwd: cwd ?? process.cwd(),
      codexHome: fake.codexHome,
      version: fake.scenario.version,
      model: model ?? fakeModel,
      originator: client.name,
    });
    const thread = newLiveThread({ ...record, ephemeral: ephemeral ?? false });
    fake.store.threads.set(record.id, thread);
    client.threads.add(record.id);
    return {
      result: { thread: view(thread), ...threadSettings(record) },
      afterwards: () => fake.notify("thread/started", { thread: view(thread) }),
    };
  },

  "thread/resume"({ threadId, excludeTurns, initialTurnsPage }, { fake, client }) {
    const thread = storedThread(fake, threadId);
    if (thread.archived) {
      throw new RpcError(
        `session ${threadId} is archived. Run \`codex unarchive ${threadId}\` to unarchive it first.`,
      );
    }
    const wasLoaded = thread.loaded;
    if (!wasLoaded) {
      thread.loaded = true;
      thread.status = { type: "idle" };
    }
    client.threads.add(threadId);
    const page = initialTurnsPage ? turnsPage(thread, initialTurnsPage) : null;
    return {
      result: {
        thread: { ...view(thread), turns: excludeTurns ? [] : allTurns(thread) },
        ...threadSettings(thread.record),
        collaborationMode: {
          mode: "default",
          settings: {
            model: thread.record.model ?? fakeModel,
            reasoning_effort: null,
            developer_instructions: null,
          },
        },
        initialTurnsPage: page,
        turnsBackwardsCursor: cursor(thread.turns.length),
        itemsBackwardsCursor: cursor(thread.turns.length),
      },
      afterwards() {
        fake.notify("thread/goal/cleared", { threadId }, threadId);
        fake.resendPending(threadId, client);
        // What waited when the process died goes on now.
        if (!wasLoaded) startNextQueued(fake, thread);
      },
    };
  },

  "thread/read"({ threadId, includeTurns }, { fake }) {
    const thread = fake.store.threads.get(threadId);
    if (!thread) throw new RpcError(`thread not loaded: ${threadId}`);
    return {
      result: {
        thread: { ...view(thread), turns: includeTurns ? allTurns(thread) : [] },
        readState: readState(thread),
      },
    };
  },

  "thread/list"(params, { fake }) {
    const cwds = params.cwd === undefined || params.cwd === null ? null : [params.cwd].flat();
    const found = [...fake.store.threads.values()]
      .filter((thread) => thread.turns.length > 0)
      .filter((thread) => thread.archived === (params.archived ?? false))
      .filter((thread) => cwds === null || cwds.includes(thread.record.cwd))
      .filter((thread) => !params.searchTerm || title(thread).includes(params.searchTerm))
      .sort(newestFirst);
    const { data, nextCursor } = page(found, params);
    const readStates = Object.fromEntries(data.map((thread) => [thread.record.id, readState(thread)]));
    return {
      result: {
        data: data.map(listed),
        readStates,
        nextCursor,
        backwardsCursor: data.length ? cursor(0) : null,
      },
    };
  },

  "thread/search"({ searchTerm, ...params }, { fake }) {
    const found = [...fake.store.threads.values()]
      .filter((thread) => thread.turns.length > 0)
      .filter((thread) => `${title(thread)}${JSON.stringify(thread.turns)}`.includes(searchTerm))
      .sort(newestFirst);
    const { data, nextCursor } = page(found, params);
    return {
      result: {
        data: data.map((thread) => ({ thread: listed(thread), snippet: title(thread) })),
        nextCursor,
        backwardsCursor: data.length ? cursor(0) : null,
      },
    };
  },

  "thread/loaded/list"(_params, { fake }) {
    const data = [...fake.store.threads.values()]
      .filter((thread) => thread.loaded)
      .map(({ record }) => record.id);
    return { result: { data, nextCursor: null } };
  },

  "thread/turns/list"({ threadId, ...params }, { fake }) {
    const thread = materialized(fake, threadId, "thread/turns/list");
    return { result: turnsPage(thread, params) };
  },

  "thread/items/list"({ threadId, turnId, ...params }, { fake }) {
    const thread = materialized(fake, threadId, "thread/items/list");
    const entries = itemEntries(thread).filter((entry) => !turnId || entry.turnId === turnId);
    if (params.sortDirection === "desc") entries.reverse();
    const { data, nextCursor } = page(entries, params);
    return { result: { data, nextCursor, backwardsCursor: data.length ? cursor(0) : null } };
  },

  "thread/items/read"({ threadId, turnId, itemIds }, { fake }) {
    const entries = itemEntries(storedThread(fake, threadId));
    const data = entries.filter((entry) => entry.turnId === turnId && itemIds.includes(entry.item.id));
    return { result: { data } };
  },

  "thread/name/set"({ threadId, name }, { fake }) {
    storedThread(fake, threadId).record.name = name;
    fake.store.save();
    return {
      result: {},
      afterwards: () => fake.notify("thread/name/updated", { threadId, threadName: name }),
    };
  },

  "thread/archive"({ threadId }, { fake }) {
    const thread = storedThread(fake, threadId);
    if (thread.running) interruptTurn(thread);
    if (thread.loaded) setStatus(fake, thread, { type: "notLoaded" });
    thread.loaded = false;
    thread.archived = true;
    fake.store.save();
    return { result: {}, afterwards: () => fake.notify("thread/archived", { threadId }) };
  },

  "thread/unarchive"({ threadId }, { fake }) {
    const thread = storedThread(fake, threadId);
    thread.archived = false;
    fake.store.save();
    return {
      result: { thread: view(thread) },
      afterwards: () => fake.notify("thread/unarchived", { threadId }),
    };
  },

  "thread/unsubscribe"({ threadId }, { fake, client }) {
    if (!fake.store.threads.get(threadId)?.loaded) return { result: { status: "notLoaded" } };
    return { result: { status: client.threads.delete(threadId) ? "unsubscribed" : "notSubscribed" } };
  },

  "thread/settings/update"({ threadId }, { fake }) {
    loadedThread(fake, threadId);
    return { result: {} };
  },
};

/** @param {FakeServer} fake @param {string} threadId @param {string} method */
function materialized(fake, threadId, method) {
  const thread = storedThread(fake, threadId);
  if (thread.turns.length === 0) {
    throw new RpcError(
      `thread ${threadId} is not materialized yet; ${method} is unavailable before first user message`,
    );
  }
  return thread;
}

/** @param {LiveThread} thread */
function view(thread) {
  return threadView(thread.record, thread);
}

/** @param {LiveThread} thread @returns {ThreadReadState} */
function readState({ turns }) {
  const first = turns.find((turn) => turn.status === "completed" || turn.status === "failed");
  return { firstUnread: first ? { type: "turn", turnId: first.id } : null, revision: newId() };
}

/** In a list, a thread does not say whether it takes input. @param {LiveThread} thread */
function listed(thread) {
  return { ...view(thread), canAcceptDirectInput: null };
}

/** @param {LiveThread} thread */
function title({ record }) {
  return record.name ?? record.preview;
}

/** @param {LiveThread} a @param {LiveThread} b */
function newestFirst(a, b) {
  return b.record.updatedAt - a.record.updatedAt || (b.record.id > a.record.id ? 1 : -1);
}

/** @param {{ turns: StoredTurn[] }} thread */
function allTurns({ turns }) {
  return turns.map((turn) => turnView(turn, "full"));
}

/**
 * @param {{ turns: StoredTurn[] }} thread
 * @param {PageParams & { itemsView?: TurnItemsView | null, sortDirection?: "asc" | "desc" | null }} params
 */
function turnsPage({ turns }, { itemsView, sortDirection, ...params }) {
  const ordered = sortDirection === "asc" ? turns : turns.toReversed();
  const { data, nextCursor } = page(ordered, params);
  return {
    data: data.map((turn) => turnView(turn, itemsView ?? "summary")),
    nextCursor,
    backwardsCursor: data.length ? cursor(0) : null,
  };
}

/** @param {{ turns: StoredTurn[] }} thread */
function itemEntries({ turns }) {
  return turns.flatMap((turn) =>
    turn.items.map((item) => ({
      turnId: turn.id,
      item,
      startedAtMs: item.startedAtMs ?? null,
      completedAtMs: item.completedAtMs ?? null,
    })),
  );
}

/** @template T @param {T[]} all @param {PageParams} params */
function page(all, params) {
  const from = typeof params.cursor === "string" ? Number(JSON.parse(params.cursor).from) : 0;
  const to = from + (params.limit ?? 50);
  return { data: all.slice(from, to), nextCursor: to < all.length ? cursor(to) : null };
}

/** Opaque to clients, like the real one's. @param {number} from */
function cursor(from) {
  return JSON.stringify({ from });
}
