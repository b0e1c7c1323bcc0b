// A thread of codex's own that is as long as wanted, without so many turns having been run: the first ones are, by the real
// codex against the scripted model; the rest are copies of them, written behind them into codex's record of the thread (its
// rollout file) while codex does not run, each with ids and times of its own. codex takes them in when it next loads the
// thread, as it does with what it had written itself before a crash; its own list has to have them all.

import { randomBytes, randomUUID } from "node:crypto";
import { readdir, readFile, writeFile } from "node:fs/promises";
import path from "node:path";
import { TestAppServer } from "../../main/demo/testAppServer";
import { type ModelServer, message, patch, reasoning, reply, shell } from "./modelServer";
import { realCodex } from "./realCodex";

export interface LongThreadOptions {
  codexHome: string;
  cwd: string;
  /** Its queue must be empty. */
  model: ModelServer;
  turns: number;
  /** What it is called, in the sidebar and in all of its turns. */
  name: string;
  /** What each answer says besides, which makes it as tall as wanted. */
  more?: (turn: number) => string;
  /** Turns that are copies and have a command: what it printed is as long as this in codex's record. */
  heavy?: { turns: readonly number[]; bytes: number };
}

export interface LongThread {
  threadId: string;
  name: string;
  turns: number;
}

/** So many turns are run. One of four has a command, one a file change, one a thought and a command. */
const differentTurns = 24;
const firstCopied = 4;

/** The first turn is number 1. */
export function promptOf({ name }: { name: string }, turn: number): string {
  return `No. ${numberOf(turn)} of ${name}: what is the limit now?`;
}

/** How the answer begins. */
export function answerOf({ name }: { name: string }, turn: number): string {
  return `Answer to No. ${numberOf(turn)} of ${name}.`;
}

function wholeAnswer(thread: LongThreadOptions, turn: number): string {
  return [
    `${answerOf(thread, turn)} The bucket holds **one second** of tokens, and is filled at the rate of the limit:`,
    "- a burst takes what is in it,",
    "- what comes after that waits, or gets a `429`.",
    `\`\`\`ts\nexport const limit = { rate: ${50 + (turn % 7)}, burst: 200 };\n\`\`\``,
    ...(thread.more ? [thread.more(turn)] : []),
    "So the limit is as it was, and nothing needs to be changed for it.",
  ].join("\n\n");
}

function numberOf(turn: number): string {
  return String(turn).padStart(4, "0");
}

/** Fails when codex does not list exactly so many turns afterwards. */
export async function makeLongThread(options: LongThreadOptions): Promise<LongThread> {
  const { turns, name } = options;
  const run = Math.min(turns, differentTurns);
  const threadId = await runTurns(options, run);
  await copyTurns(options, threadId, run);
  await expectListed(options, threadId);
  return { threadId, name, turns };
}

async function launch({ codexHome, cwd }: LongThreadOptions): Promise<TestAppServer> {
  return TestAppServer.launch({ command: await realCodex(), environment: { CODEX_HOME: codexHome }, cwd });
}

async function runTurns(options: LongThreadOptions, turns: number): Promise<string> {
  const codex = await launch(options);
  try {
    const started = await codex.request("thread/start", { cwd: options.cwd });
    const threadId = (started.thread as { id: string }).id;
    for (let turn = 1; turn <= turns; turn += 1) {
      for (const steps of repliesOf(options, turn)) options.model.queue(steps);
      await codex.turn(threadId, promptOf(options, turn), { clientUserMessageId: randomUUID() });
    }
    await codex.request("thread/name/set", { threadId, name: options.name });
    return threadId;
  } finally {
    await codex.close();
  }
}

function repliesOf(thread: LongThreadOptions, turn: number) {
  const last = message(wholeAnswer(thread, turn));
  const look = shell(`printf 'line %s of No. ${numberOf(turn)}\\n' 1 2 3 4 5 6 7 8`);
  const write = patch(
    ["*** Begin Patch", `*** Add File: no-${numberOf(turn)}.txt`, "+burst = 200", "*** End Patch"].join("\n"),
  );
  switch (turn % 4) {
    case 1:
      return [reply(last)];
    case 2:
      return [reply(look), reply(last)];
    case 3:
      return [reply(write), reply(last)];
    default:
      return [reply(reasoning(`About No. ${numberOf(turn)}: look first.`), look), reply(last)];
  }
}

interface RolloutLine {
  ordinal: number;
  payload: { type?: string; item?: { aggregated_output?: string } };
}

/** Writes copies of the turns that were run behind them, until there are so many in all. */
async function copyTurns(options: LongThreadOptions, threadId: string, run: number): Promise<void> {
  const { codexHome, turns, heavy } = options;
  if (turns <= run) return;
  const file = await rolloutOf(codexHome, threadId);
  const lines = (await readFile(file, "utf8")).trimEnd().split("\n");
  const originals = turnsIn(lines);
  if (originals.length !== run)
    throw new Error(`codex's record has ${originals.length} turns instead of ${run}`);
  let { ordinal } = parsed(lines.at(-1) ?? "");
  const nowMs = Date.now();
  const copies: string[] = [];
  for (let turn = run + 1; turn <= turns; turn += 1) {
    // The first turns have what codex says only once.
    const from = firstCopied + ((turn - 1 - firstCopied) % (run - firstCopied));
    // Turn ids are in order of time.
    const renamed = renamer(threadId, nowMs + turn - run);
    for (const line of originals[from] ?? []) {
      const text = renamed(line).replaceAll(`o. ${numberOf(from + 1)}`, `o. ${numberOf(turn)}`);
      ordinal += 1;
      const copy = { ...parsed(text), ordinal };
      const { item } = copy.payload;
      if (heavy?.turns.includes(turn) && item?.aggregated_output !== undefined) {
        item.aggregated_output = outputOf(turn, heavy.bytes);
      }
      copies.push(`${JSON.stringify(copy)}\n`);
    }
  }
  // One after the other: together they may be longer than a string can be.
  await writeFile(file, copies, { flag: "a" });
}

/** Lines of a build, each another. */
function outputOf(turn: number, bytes: number): string {
  const line = (index: number) =>
    `[${numberOf(turn)}] ${String(index).padStart(6, "0")} compiled src/module-${index % 97}.ts\n`;
  const lines = Math.ceil(bytes / line(0).length);
  return Array.from({ length: lines }, (_, index) => line(index))
    .join("")
    .slice(0, bytes);
}

function parsed(line: string): RolloutLine {
  return JSON.parse(line) as RolloutLine;
}

function turnsIn(lines: string[]): string[][] {
  const turns: string[][] = [];
  for (const line of lines) {
    const { type } = parsed(line).payload;
    if (type === "task_started") turns.push([]);
    turns.at(-1)?.push(line);
  }
  return turns;
}

/** Gives every id but the thread's another, the same one wherever it stands. */
function renamer(threadId: string, atMs: number): (line: string) => string {
  const renamed = new Map<string, string>();
  const rename = (id: string) => {
    if (id === threadId) return id;
    const other = renamed.get(id) ?? (id.includes("-") ? timedId(atMs) : randomUUID().replaceAll("-", ""));
    renamed.set(id, other);
    return other;
  };
  return (line) => line.replace(/[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}|(?<=_)[0-9a-f]{32}/g, rename);
}

/** A UUIDv7. */
function timedId(atMs: number): string {
  const bytes = randomBytes(16);
  bytes.writeUIntBE(atMs, 0, 6);
  bytes.writeUInt8(0x70 | (bytes.readUInt8(6) & 0x0f), 6);
  bytes.writeUInt8(0x80 | (bytes.readUInt8(8) & 0x3f), 8);
  return bytes.toString("hex").replace(/^(.{8})(.{4})(.{4})(.{4})/, "$1-$2-$3-$4-");
}

async function rolloutOf(codexHome: string, threadId: string): Promise<string> {
  const sessions = path.join(codexHome, "sessions");
  const found = (await readdir(sessions, { recursive: true })).find((file) => file.includes(threadId));
  if (found === undefined) throw new Error("codex has no record of the thread");
  return path.join(sessions, found);
}

async function expectListed(options: LongThreadOptions, threadId: string): Promise<void> {
  const codex = await launch(options);
  try {
    await codex.request("thread/resume", { threadId, excludeTurns: true });
    const ids = new Set<string>();
    let cursor: unknown = null;
    do {
      const page = await codex.request("thread/turns/list", { threadId, limit: 100, cursor });
      for (const turn of page.data as { id: string; status: string }[]) {
        if (turn.status !== "completed") throw new Error(`a turn is listed as ${turn.status}`);
        ids.add(turn.id);
      }
      cursor = page.nextCursor;
    } while (cursor !== null);
    if (ids.size !== options.turns) throw new Error(`codex lists ${ids.size} turns of ${options.turns}`);
  } finally {
    await codex.close();
  }
}
