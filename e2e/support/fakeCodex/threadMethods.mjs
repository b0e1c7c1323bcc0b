// Threads as the fake keeps them: started, resumed, listed, read in pages. Each method gives {result, afterwards?}; what is said
// after the answer is in `afterwards`.

import { RpcError } from "./rpcError.mjs";
import { newId, newThread, threadSettings, threadView, turnView } from "./shapes.mjs";
import { loadedThread, storedThread } from "./store.mjs";
import { addThread, interruptTurn, setStatus, startNextQueued } from "./turns.mjs";

export const threadMethods = {
  "thread/start"({ cwd, model, ephemeral }, { fake, state }) {
    const record = newThread({
      cwd: cwd ?? process.cwd(),
      codexHome: fake.codexHome,
      version: fake.scenario.version,
      model: model ?? "fake-model",
      originator: state.clientName,
    });
    const thread = addThread(fake, { ...record, ephemeral: ephemeral ?? false });
    state.threads.add(record.id);
    return {
      result: { thread: view(thread), ...threadSettings(record) },
      afterwards: () => fake.notify("thread/started", { thread: view(thread) }),
    };
  },

  "thread/resume"({ threadId, excludeTurns, initialTurnsPage }, { fake, state }) {
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
    state.threads.add(threadId);
    const page = initialTurnsPage ? turnsPage(thread, initialTurnsPage) : null;
    return {
      result: {
        thread: { ...view(thread), turns: excludeTurns ? [] : allTurns(thread) },
        ...threadSettings(thread.record),
        collaborationMode: {
          mode: "default",
          settings: { model: thread.record.model, reasoning_effort: null, developer_instructions: null },
        },
        initialTurnsPage: page,
        turnsBackwardsCursor: cursor(thread.turns.length),
        itemsBackwardsCursor: cursor(thread.turns.length),
      },
      afterwards() {
        fake.notify("thread/goal/cleared", { threadId }, threadId);
        fake.resendPending(threadId, state);
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
      .filter(
        (thread) => JSON.stringify(thread.turns).includes(searchTerm) || title(thread).includes(searchTerm),
      )
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

  "thread/unsubscribe"({ threadId }, { fake, state }) {
    if (!fake.store.threads.get(threadId)?.loaded) return { result: { status: "notLoaded" } };
    return { result: { status: state.threads.delete(threadId) ? "unsubscribed" : "notSubscribed" } };
  },

  "thread/settings/update"({ threadId }, { fake }) {
    loadedThread(fake, threadId);
    return { result: {} };
  },
};

function materialized(fake, threadId, method) {
  const thread = storedThread(fake, threadId);
  if (thread.turns.length === 0) {
    throw new RpcError(
      `thread ${threadId} is not materialized yet; ${method} is unavailable before first user message`,
    );
  }
  return thread;
}

function view(thread) {
  return threadView(thread.record, thread);
}

function readState({ turns }) {
  const first = turns.find((turn) => turn.status === "completed" || turn.status === "failed");
  return { firstUnread: first ? { type: "turn", turnId: first.id } : null, revision: newId() };
}

/** In a list, a thread does not say whether it takes input. */
function listed(thread) {
  return { ...view(thread), canAcceptDirectInput: null };
}

function title({ record }) {
  return record.name ?? record.preview;
}

function newestFirst(a, b) {
  return b.record.recencyAt - a.record.recencyAt || (b.record.id > a.record.id ? 1 : -1);
}

function allTurns({ turns }) {
  return turns.map((turn) => turnView(turn, "full"));
}

function turnsPage({ turns }, { itemsView = "summary", sortDirection = "desc", ...params }) {
  const ordered = sortDirection === "asc" ? turns : turns.toReversed();
  const { data, nextCursor } = page(ordered, params);
  return {
    data: data.map((turn) => turnView(turn, itemsView)),
    nextCursor,
    backwardsCursor: data.length ? cursor(0) : null,
  };
}

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

function page(all, params) {
  const from = params.cursor ? JSON.parse(params.cursor).from : 0;
  const to = from + (params.limit ?? 50);
  return { data: all.slice(from, to), nextCursor: to < all.length ? cursor(to) : null };
}

function cursor(from) {
  return JSON.stringify({ from });
}
