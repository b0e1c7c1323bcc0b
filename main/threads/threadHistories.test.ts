// Random histories of a thread and its child agent: what codex does, in whatever order, with a wire that is cut, late, or
// loses the end of a turn; people who look, stop, answer and go away; processes that die. In the end, once everything has
// been told and the record listed, what is shown is what codex has, and every window has held exactly what main shows.

import fc from "fast-check";
import { expect, it } from "vitest";
import type { Item } from "../../preload/contract/items";
import type { SubmissionView } from "../../preload/contract/thread";
import {
  childId,
  type ModelItem,
  type ModelThread,
  parentId,
  textOf,
  turnsPerListing,
} from "./testCodexRecord";
import { marked } from "./testThreads";
import { type Step, step, World } from "./testThreadWorld";

const begins: Step = { do: "begin", in: "parent" };
const ends: Step = { do: "end", how: "completed", in: "parent" };
const heard: Step = { do: "deliver", count: 12 };

/** A turn whose end is not heard, or not to the last word, and the next one begins before anybody asks. */
const lostEnds: Step[][] = [
  [begins, heard, ends, { do: "lose the end", count: 2 }, begins, heard, ends],
  [begins, heard, { do: "stop", in: "parent" }, { do: "lose the end", count: 2 }, begins],
  [begins, heard, ends, { do: "deliver", count: 1 }, { do: "lose the end", count: 1 }, begins, heard, ends],
  // Nobody looks, and Holdfast is killed while it asks for the record of the turn.
  [
    { do: "leave", in: "parent" },
    begins,
    heard,
    ends,
    { do: "deliver", count: 1 },
    { do: "lose the end", count: 1 },
    { do: "answers late" },
    { do: "wait", seconds: 3 },
    { do: "restart", codexLives: true },
  ],
  // What says that a turn begins is no end, and is not lost.
  [
    { do: "restart", codexLives: true },
    { do: "deliver", count: 1 },
    begins,
    { do: "lose the end", count: 1 },
    heard,
  ],
  // codex is late with the record of the turn.
  [
    begins,
    heard,
    ends,
    { do: "deliver", count: 1 },
    { do: "lose the end", count: 1 },
    { do: "wait", seconds: 40 },
    begins,
  ],
];

/** A turn has failed, and whether anything waits behind it is not known when somebody else begins the next one. */
const begunByOthers: Step[] = [
  { do: "kill" },
  { do: "send", mode: "turn" },
  begins,
  { do: "end", how: "failed", in: "parent" },
  { do: "answer", lost: true },
  begins,
  { do: "answer", lost: true },
  { do: "deliver", count: 10 },
  ends,
  { do: "deliver", count: 2 },
  { do: "kill" },
];

/** codex lists what it has loaded, and loads the thread right after that. Later on, somebody else begins a turn in it. */
const loadedJustAfter: Step[] = [
  { do: "answer", lost: true },
  { do: "unload" },
  { do: "reconnect" },
  { do: "answer", lost: false },
  { do: "answer", lost: true },
  begins,
  { do: "leave", in: "parent" },
];

/** A turn waits for the person, and ends while nobody listens; another one has begun when somebody does. */
const endedWithQuestion: Step[] = [
  { do: "send", mode: "turn" },
  { do: "ask", in: "parent" },
  { do: "ask", in: "parent" },
  { do: "answer", lost: true },
  ends,
  begins,
];

/** Holdfast comes back, and codex lists what it has loaded just before an agent begins to work. */
const begunWhileAdopted: Step[] = [begins, { do: "restart", codexLives: true }, { do: "spawn" }, ends];

/** A follow-up is taken up although it is held, and codex is killed before it waits again. */
const killedWhilePutBack: Step[] = [
  { do: "cut" },
  { do: "send", mode: "steer" },
  { do: "send", mode: "turn" },
  { do: "deliver", count: 3 },
  { do: "deliver", count: 2 },
  { do: "end", how: "failed", in: "parent" },
  { do: "answer", lost: false },
  { do: "answers late" },
  { do: "deliver", count: 9 },
  { do: "kill" },
];

const others = [killedWhilePutBack, begunByOthers, loadedJustAfter, endedWithQuestion, begunWhileAdopted];

it("what is shown in the end is what codex has, and every window held what main shows", {
  timeout: 120_000,
}, async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(step, { minLength: 4, maxLength: 50, size: "max" }), async (steps) => {
      const world = new World();
      try {
        await world.begin();
        for (const one of steps) await world.play(one);
        await comeToRest(world);
        check(world);
        await endEverything(world);
        check(world);
      } finally {
        await world.bench.end();
      }
    }),
    { numRuns: 60, examples: [...lostEnds, ...others].map((steps) => [steps]) },
  );
});

/** Everything is told, and codex's record is listed. */
async function comeToRest(world: World): Promise<void> {
  await world.bench.reconnect();
  await world.codex.deliverAll();
  await world.wait(10, true);
  // What runs and what waits is known although nobody looks.
  checkRequests(world);
  for (const thread of world.codex.threads.values()) {
    const isAtWork = /: (running|waiting)/.test(world.bench.rows.get(thread.id) ?? "");
    const isMeant = world.codex.runningIn(thread) !== null || waitsIn(world, thread).length > 0;
    expect(isAtWork, `${thread.id} is at work`).toBe(isMeant);
  }
  // The child is known once its parent has been loaded.
  for (const id of [parentId, childId]) {
    if (world.isKnown(id) && !world.windows.some(({ key }) => key === id)) world.watch(id);
    await world.codex.deliverAll();
  }
  await world.wait(60, true);
  // What runs and what waits is right without that anybody asks for the record.
  for (const id of world.known) {
    const thread = world.codex.thread(id);
    checkHead(world, thread);
    checkTurns(world, thread);
  }
  checkRequests(world);
  for (const id of world.known) {
    const reloaded = world.bench.threads.runtime(id).reload();
    await world.codex.deliverAll();
    await reloaded;
  }
  await world.wait(20, true);
}

async function endEverything(world: World): Promise<void> {
  for (const thread of world.codex.threads.values()) {
    world.codex.end(thread, "completed");
    for (let left = 20; left > 0; left -= 1) world.codex.finish(thread, 0);
  }
  await comeToRest(world);
}

function check(world: World): void {
  for (const id of world.known) checkThread(world, world.codex.thread(id));
  checkRequests(world);
}

/** What waits in the thread and below it. */
function waitsIn(world: World, thread: ModelThread): string[] {
  const below = [...world.codex.threads.values()].filter(
    ({ id }) => id === thread.id || (thread.id === parentId && world.isKnown(id)),
  );
  return below.flatMap(({ id, waiting }) => [...waiting.values()].map(({ item }) => `${id}: ${item.serial}`));
}

function checkRequests(world: World): void {
  const waiting = waitsIn(world, world.codex.thread(parentId));
  const asked = world.bench.waiting.map(({ threadId, itemId }) => {
    const items = world.codex
      .thread(threadId)
      .turns.flatMap((turn) => turn.items.map((item) => ({ turn, item })));
    const found = items.find(({ turn, item }) => `${turn.id}/${item.id}` === itemId);
    return `${threadId}: ${found?.item.serial}`;
  });
  expect(asked.sort()).toEqual(waiting.sort());
}

/** Returns how many of codex's turns are shown; those are its newest. */
function checkTurns(world: World, thread: ModelThread): number {
  const { turns } = world.bench.threads.runtime(thread.id).state.snapshot();
  const known = thread.turns.slice(thread.turns.length - turns.length);
  expect(turns.map(({ id, status }) => `${id} ${status}`)).toEqual(
    known.map(({ id, status }) => `${id} ${status === "inProgress" ? "running" : status}`),
  );
  return turns.length;
}

function checkThread(world: World, thread: ModelThread): void {
  const { items } = world.bench.threads.runtime(thread.id).state.snapshot();
  expect(checkTurns(world, thread)).toBeGreaterThanOrEqual(Math.min(turnsPerListing, thread.turns.length));
  checkHead(world, thread);
  const codexItems = thread.turns.flatMap((turn) => turn.items);
  for (const item of items) checkItem(item, codexItems);
  const recent = thread.turns.slice(-turnsPerListing);
  for (const turn of recent) {
    const record = world.codex.recordOf(turn).filter(({ kind }) => kind === "message" || kind === "command");
    const here = items.filter(({ turnId }) => turnId === turn.id);
    const serials = here
      .map((item) => serialsIn(item)[0])
      .filter((one) => record.some(({ serial }) => serial === one));
    const listed = record.filter(({ pieces }) => pieces > 0).map(({ serial }) => serial);
    // Of two with one id codex lists the second in the place of the first, and who has seen both shows both.
    const inOrder = (all: unknown[]) =>
      turn.items.some(({ state }) => state === "replaced") ? all.sort() : all;
    expect(inOrder(serials), `the items of ${turn.id}`).toEqual(inOrder(listed));
    // What somebody else said, and codex then lost with its process, stays where it was seen. Our own comes back, once
    // nothing runs.
    const isIdle = world.codex.runningIn(thread) === null;
    const lost = turn.items.filter(({ state, clientId }) => state === "gone" && !(isIdle && clientId));
    const said = here.flatMap((item) => (item.kind === "user" ? item.text : []));
    expect(said.filter((text) => !lost.some(({ serial }) => text === `Do ${serial}`))).toEqual(
      world.codex.recordOf(turn).flatMap(({ kind, serial }) => (kind === "user" ? `Do ${serial}` : [])),
    );
  }
}

function checkHead(world: World, thread: ModelThread): void {
  const { head } = world.bench.threads.runtime(thread.id).state;
  const running = world.codex.runningIn(thread);
  expect(head.run?.turnId ?? null).toBe(running?.id ?? null);
  expect(head.run === null).toBe(running === null);
  expect(head.residency).toBe("loaded");
  const asks = waitsIn(world, thread).length > 0;
  const last = thread.turns.at(-1)?.status;
  const atRest = last === "failed" || last === "interrupted" ? last : "idle";
  const undelivered = head.submissions.some(({ state }) => state === "undelivered") ? "failed" : atRest;
  expect(head.state).toBe(asks ? "waiting for approval" : running ? "running" : undelivered);
  expect(world.bench.rows.get(thread.id)).toContain(`: ${head.state}`);
  if (thread.id !== parentId || running) return;
  const kept = thread.turns.flatMap((turn) =>
    world.codex.recordOf(turn).flatMap(({ clientId }) => clientId ?? []),
  );
  const taken = [...kept, ...thread.queue];
  expect(new Set(taken).size, "each message is with codex once").toBe(taken.length);
  const back = head.submissions
    .filter((one) => one.state === "undelivered" && !isCopy(world, thread, one))
    .map(({ clientId }) => clientId);
  expect(back.sort(), "or back").toEqual(world.sent.filter((clientId) => !taken.includes(clientId)));
}

/** What codex had taken up although it was held, and has kept in the turn that was stopped for that, is queued as a new one. */
function isCopy({ sent, codex }: World, thread: ModelThread, { clientId, text }: SubmissionView): boolean {
  const stopped = thread.turns.filter(({ status }) => status === "interrupted");
  const kept = stopped.flatMap((turn) => codex.recordOf(turn).flatMap((item) => item.clientId ?? []));
  return !sent.includes(clientId) && kept.some((original) => text === `Text ${original}`);
}

const missing = marked("", [0]);

function shownText(item: Item): string {
  if (item.kind === "command") return marked(item.output.text, item.gaps);
  return item.kind === "agent" ? marked(item.text, item.gaps) : "";
}

function serialsIn(item: Item): number[] {
  return shownText(item)
    .split(/\s|\[…\]/)
    .flatMap((piece) => (piece === "" ? [] : Number(piece.split(".")[0])));
}

/** It is an item of codex's, as far as codex has it, with a mark wherever something of it is missing. */
function checkItem(item: Item, codexItems: ModelItem[]): void {
  if (item.kind !== "agent" && item.kind !== "command") return;
  const text = shownText(item);
  const serial = serialsIn(item)[0];
  const meant = codexItems.filter(
    (one) => one.serial === serial || item.id.replace(/#\d+$/, "").endsWith(`/${one.id}`),
  );
  expect(meant.length, `${item.id} is codex's: ${text}`).toBeGreaterThan(0);
  if (item.status === "running") expect(meant.map(({ state }) => state)).toContain("running");
  if (item.status === "lost") expect(meant.map(({ state }) => state)).not.toEqual(["running"]);
  const fits = meant.some((one) => {
    if (item.status === "completed") return text === textOf(one);
    return new RegExp(`^${text.split(missing).map(escaped).join("(\\d+\\.\\d+ )*")}$`).test(textOf(one));
  });
  expect(fits, `${item.id} ${item.status}: ${text}`).toBe(true);
}

const escaped = (words: string) => words.replaceAll(".", "\\.");
