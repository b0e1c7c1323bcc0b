// The fake's threads. They are kept in CODEX_HOME, so that they are there again after it was killed, like codex's own.
//
// What is on disk is a thread's turns; what is running is only in memory: a turn that was running when the process died comes
// back as interrupted, and without the person's message if the model had not answered yet, as codex does it.

/**
 * @import { FakeServer, LiveThread, Scenario, StoredThread, StoredTurn, ThreadRecord, ThreadStore } from "./fakeTypes"
 * @import { ThreadItem } from "../../../main/codex/protocol/v2/ThreadItem"
 */

import { existsSync, mkdirSync, readFileSync, renameSync, writeFileSync } from "node:fs";
import { RpcError } from "./rpcError.mjs";
import { fakeModel, items, newThread, newTurn } from "./shapes.mjs";

/** @param {string} codexHome @param {Scenario} scenario @returns {ThreadStore} */
export function openStore(codexHome, scenario) {
  const file = `${codexHome}/fake-codex-threads.json`;
  /** @type {Map<string, LiveThread>} */
  const threads = new Map();
  /** @type {StoredThread[]} */
  const seeds = existsSync(file) ? JSON.parse(readFileSync(file, "utf8")) : seeded(codexHome, scenario);
  for (const seed of seeds) {
    for (const turn of seed.turns) if (turn.status === "inProgress") interrupt(turn);
    threads.set(seed.record.id, {
      ...seed,
      loaded: false,
      status: { type: "notLoaded" },
      running: null,
    });
  }
  return {
    threads,
    save() {
      const kept = [...threads.values()]
        .filter(({ turns }) => turns.length > 0)
        .map(({ record, turns, archived, queue, isHeld }) => ({ record, turns, archived, queue, isHeld }));
      mkdirSync(codexHome, { recursive: true });
      // Whole or not at all: the fake may be killed at any moment.
      writeFileSync(`${file}.new`, JSON.stringify(kept));
      renameSync(`${file}.new`, file);
    },
  };
}

/** @param {ThreadRecord} record @returns {LiveThread} */
export function newLiveThread(record) {
  return {
    record,
    turns: [],
    archived: false,
    queue: [],
    isHeld: false,
    loaded: true,
    status: { type: "idle" },
    running: null,
  };
}

/** @param {StoredTurn} turn */
function interrupt(turn) {
  turn.status = "interrupted";
  if (turn.items.every((item) => item.type === "userMessage")) turn.items = [];
}

/** @param {string} codexHome @param {Scenario} scenario @returns {StoredThread[]} */
function seeded(codexHome, scenario) {
  return (scenario.threads ?? []).map((seed) => {
    const record = newThread({
      id: seed.id,
      cwd: seed.cwd,
      codexHome,
      version: scenario.version,
      model: fakeModel,
    });
    const turns = (seed.turns ?? [{ prompt: "Hello" }]).map((turn) => ({
      ...newTurn(),
      items: [
        items.userMessage([{ type: "text", text: turn.prompt, text_elements: [] }], turn.clientId),
        // A scenario may have items that no protocol knows.
        .../** @type {ThreadItem[]} */ (/** @type {unknown} */ (turn.items ?? [])),
        ...(turn.answer === undefined ? [] : [items.agentMessage(turn.answer)]),
      ],
      status: turn.status ?? "completed",
    }));
    const updatedAt = seed.updatedAt ?? record.updatedAt;
    return {
      record: {
        ...record,
        name: seed.name ?? null,
        preview: seed.turns?.[0]?.prompt ?? "Hello",
        updatedAt,
        recencyAt: updatedAt,
      },
      turns,
      archived: seed.archived ?? false,
      queue: [],
      isHeld: false,
    };
  });
}

/** @param {FakeServer} fake @param {string} threadId */
export function storedThread(fake, threadId) {
  const thread = fake.store.threads.get(threadId);
  if (!thread) throw new RpcError(`no rollout found for thread id ${threadId}`);
  return thread;
}

/** @param {FakeServer} fake @param {string} threadId */
export function loadedThread(fake, threadId) {
  const thread = fake.store.threads.get(threadId);
  if (!thread?.loaded) throw new RpcError(`thread not found: ${threadId}`);
  return thread;
}
