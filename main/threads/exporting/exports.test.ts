// Threads as files: what is in them, that they are whole or not there, and that an export can be watched and cancelled.

import { execFileSync } from "node:child_process";
import {
  chmod,
  mkdir,
  mkdtemp,
  readdir,
  readFile,
  readlink,
  rm,
  stat,
  symlink,
  writeFile,
} from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { ManualClock } from "../../clock";
import { Fault } from "../../fault";
import type { Connection } from "../../supervisor/connection";
import { viewItem } from "../itemView";
import type { KeptItem } from "../keptItem";
import { agentItem, codexThread, codexTurn, commandItem, runningCommand, userItem } from "../testCodexData";
import { Exports, fileName } from "./exports";
import { dropLeftFiles, notWritten } from "./wholeFile";

let folder: string;
let records: string;
const silent = { info() {}, warn() {}, error() {} };

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), "holdfast-export-"));
  records = join(folder, "records");
  await mkdir(join(folder, "out"));
});
afterEach(() => rm(folder, { recursive: true, force: true }));

const turnCount = 23;
const turns = Array.from({ length: turnCount }, (_, at) =>
  codexTurn(`t${at}`, "completed", [
    userItem(`u${at}`, `Question ${at}`),
    commandItem(`c${at}`, `output ${at}\n`),
    agentItem(`a${at}`, `Answer ${at}`),
  ]),
);

/** A codex that answers in pieces; each piece may be held, or fail. */
function setUp(beforePiece: (piece: number) => Promise<void> = async () => {}, kept: KeptItem[] = []) {
  let pieces = 0;
  const clock = new ManualClock();
  const asked: { limit: number; sortDirection: string }[] = [];
  const request = async (
    method: string,
    params: { limit: number; cursor: string | null },
    options: never,
  ) => {
    if (method === "thread/read") return { thread: codexThread("x", { preview: "A title", model: null }) };
    asked.push(params as never);
    await beforePiece(pieces++);
    const from = Number(params.cursor ?? 0);
    const data = turns.slice(from, from + params.limit);
    const end = from + data.length;
    const answer = { data, nextCursor: end < turnCount ? String(end) : null };
    (options as { onAnswer?: (answer: unknown, units: number) => void }).onAnswer?.(answer, 1000);
    return answer;
  };
  const exports = new Exports({
    clock,
    log: silent,
    records,
    thread: () => ({ threadId: "x", workspaceId: "w", title: "A title" }),
    connect: async () => ({ client: { request } }) as unknown as Connection,
    kept: () => kept,
  });
  const ended = async (exportId: string) => {
    for (let seen = -1; ; ) {
      const view = await exports.next(exportId, seen);
      if (view.state !== "running") return view;
      seen = view.revision;
    }
  };
  return { exports, ended, asked, clock };
}

const out = (name: string) => join(folder, "out", name);
const left = async () => [
  ...(await readdir(join(folder, "out"))),
  ...(await readdir(records).catch(() => [])),
];

describe("an export", () => {
  it("as JSON has all of codex's own turns, in their order", async () => {
    const { exports, ended, asked } = setUp();
    const view = await ended(exports.start("x", "json", out("a.json")));
    expect(view).toMatchObject({ state: "done", turns: turnCount, items: turnCount * 3, fault: null });
    const text = await readFile(out("a.json"), "utf8");
    expect(view.bytes).toBe(Buffer.byteLength(text));
    const read = JSON.parse(text);
    expect(read.turns).toEqual(turns);
    expect(read).toMatchObject({ format: "holdfast-thread", version: 1, thread: { id: "x" } });
    expect(asked.every(({ limit, sortDirection }) => limit <= 5 && sortDirection === "asc")).toBe(true);
    expect(await left()).toEqual(["a.json"]);
  });

  it("as Markdown can be read from the first turn to the last", async () => {
    const { exports, ended } = setUp();
    await ended(exports.start("x", "markdown", out("a.md")));
    const text = await readFile(out("a.md"), "utf8");
    expect(text).toMatch(/^# A title\n/);
    expect(text.match(/^## Turn \d+/gm)).toHaveLength(turnCount);
    expect(text).toContain("> Question 22");
    expect(text).toContain("```\noutput 22\n```");
    expect(await exports.markdown("x")).toBe(text);
  });

  it.each(["markdown", "json"] as const)("as %s has what codex has no record of", async (format) => {
    const cutOff = (turnId: string, raw: object, after: string | null): KeptItem => {
      const item = viewItem(raw, { turnId, running: true, startedAtMs: 1_700_000_000_000 });
      return { item: { ...item, status: "lost" }, after, handleId: "h", keptAtMs: 1 };
    };
    const { exports, ended } = setUp(undefined, [
      cutOff("t1", agentItem("half", "I was just saying"), "t1/u1"),
      cutOff("t2", agentItem("a2", "Half of what is on record"), "t2/u2"),
      cutOff("t99", runningCommand("c99"), null),
    ]);
    const view = await ended(exports.start("x", format, out("a")));
    expect(view).toMatchObject({ turns: turnCount + 1, items: turnCount * 3 + 2 });
    const text = await readFile(out("a"), "utf8");
    expect(text).not.toContain("Half of what is on record");
    if (format === "markdown") {
      expect(text).toMatch(/> Question 1\n\n### Agent \(cut off\)\n\nI was just saying\n\n### Command\n/);
      expect(text).toMatch(/## Turn 24 .*\n\n### Command \(cut off\)\n\n```sh\nmake\n```/);
    } else {
      const { turns: read } = JSON.parse(text);
      expect(read[1].notRecordedByCodex).toMatchObject([{ kind: "agent", text: "I was just saying" }]);
      expect(read[2].notRecordedByCodex).toBeUndefined();
      expect(read[23]).toMatchObject({
        id: "t99",
        notRecordedByCodex: [{ kind: "command", command: "make" }],
      });
    }
  });

  it("goes on where it was when the connection was lost, and is not torn", async () => {
    const { exports, ended } = setUp(async (piece) => {
      if (piece === 2) throw new Fault("connection_lost", "The connection was lost.");
    });
    expect(await ended(exports.start("x", "json", out("a.json")))).toMatchObject({ state: "done" });
    expect(JSON.parse(await readFile(out("a.json"), "utf8")).turns).toEqual(turns);
  });

  it("that fails leaves nothing, and what was there before as it was", async () => {
    await writeFile(out("a.json"), "before");
    const { exports, ended } = setUp(async (piece) => {
      if (piece === 2) throw new Fault("codex_error", "No.");
    });
    const view = await ended(exports.start("x", "json", out("a.json")));
    expect(view).toMatchObject({ state: "failed", fault: { code: "codex_error" } });
    expect(await readFile(out("a.json"), "utf8")).toBe("before");
    expect(await left()).toEqual(["a.json"]);
  });

  it("that is cancelled leaves nothing", async () => {
    let reached = () => {};
    const atPiece = new Promise<void>((resolve) => {
      reached = resolve;
    });
    let release = () => {};
    const held = new Promise<void>((resolve) => {
      release = resolve;
    });
    const { exports } = setUp(async (piece) => {
      if (piece !== 2) return;
      reached();
      await held;
    });
    const exportId = exports.start("x", "json", out("a.json"));
    await atPiece;
    expect((await exports.next(exportId, -1)).turns).toBe(10);
    const cancelled = exports.cancel(exportId);
    release();
    await cancelled;
    expect(await exports.next(exportId, -1)).toMatchObject({ state: "cancelled" });
    expect(await left()).toEqual([]);
  });

  it("is ended with the app", async () => {
    const { exports } = setUp();
    const exportId = exports.start("x", "json", out("a.json"));
    await exports.shutDown();
    expect((await exports.next(exportId, -1)).state).toBe("cancelled");
    expect(await left()).toEqual([]);
  });

  it("says that it has not changed after a while", async () => {
    let release = () => {};
    const held = new Promise<void>((resolve) => {
      release = resolve;
    });
    const { exports, clock } = setUp(() => held);
    const exportId = exports.start("x", "json", out("a.json"));
    let { revision } = await exports.next(exportId, 0);
    const news = exports.next(exportId, revision);
    clock.advance(20_000);
    ({ revision } = await news);
    expect(revision).toBe(1);
    release();
    await exports.cancel(exportId);
    await expect(exports.next("unknown", 0)).rejects.toThrow(
      expect.objectContaining({ code: "export_unknown" }),
    );
  });

  it("replaces what a link leads to, not the link", async () => {
    await writeFile(out("real.json"), "before");
    await symlink("real.json", out("link.json"));
    const { exports, ended } = setUp();
    await ended(exports.start("x", "json", out("link.json")));
    expect(JSON.parse(await readFile(out("real.json"), "utf8")).turns).toHaveLength(turnCount);
  });

  it("makes what a link leads to, where there is nothing yet", async () => {
    await symlink("later.json", out("link.json"));
    const { exports, ended } = setUp();
    await ended(exports.start("x", "json", out("link.json")));
    expect(JSON.parse(await readFile(out("later.json"), "utf8")).turns).toHaveLength(turnCount);
    expect(await readlink(out("link.json"))).toBe("later.json");
  });

  it("stays as private as the file that it replaces", async () => {
    await writeFile(out("a.json"), "before", { mode: 0o600 });
    const { exports, ended } = setUp();
    await ended(exports.start("x", "json", out("a.json")));
    expect((await stat(out("a.json"))).mode & 0o777).toBe(0o600);
  });

  it.skipIf(process.platform === "win32")("replaces nothing but files", async () => {
    execFileSync("mkfifo", [out("pipe.json")]);
    const { exports, ended } = setUp();
    expect(await ended(exports.start("x", "json", out("pipe.json")))).toMatchObject({
      fault: { code: "not_writable" },
    });
    expect((await stat(out("pipe.json"))).isFIFO()).toBe(true);
    expect(await left()).toEqual(["pipe.json"]);
  });

  it("has room for the longest name that a title makes", async () => {
    const name = `${fileName("漢🙂".repeat(100))}.json`;
    const { exports, ended } = setUp();
    expect(await ended(exports.start("x", "json", out(name)))).toMatchObject({ state: "done" });
    expect(await readdir(join(folder, "out"))).toEqual([name]);
  });

  it("says where nothing can be written", async () => {
    const { exports, ended } = setUp();
    expect(await ended(exports.start("x", "json", join(folder, "gone", "a.json")))).toMatchObject({
      state: "failed",
      fault: { code: "folder_missing" },
    });
    expect(await ended(exports.start("x", "json", join(folder, "out")))).toMatchObject({
      fault: { code: "not_writable" },
    });
    expect(await left()).toEqual([]);
    if (process.getuid?.() === 0) return;
    await chmod(join(folder, "out"), 0o500);
    expect(await ended(exports.start("x", "json", out("a.json")))).toMatchObject({
      fault: { code: "not_writable" },
    });
  });

  it("says when it is Holdfast's own folder that nothing can be written in", async () => {
    await writeFile(records, "in the way");
    const { exports, ended } = setUp();
    expect(await ended(exports.start("x", "json", out("a.json")))).toMatchObject({
      state: "failed",
      fault: { code: "not_recorded" },
    });
    expect(await readdir(join(folder, "out"))).toEqual([]);
  });

  it("has words for a full disk, and for one on which files are small", () => {
    const small = Object.assign(new Error("EFBIG: file too large, write"), { code: "EFBIG" });
    expect(notWritten("/there/a.md", small)).toMatchObject({ code: "too_large_for_disk", retryable: false });
    const full = Object.assign(new Error("ENOSPC: no space left on device, write"), { code: "ENOSPC" });
    expect(notWritten("/there/a.md", full)).toMatchObject({ code: "disk_full", retryable: true });
  });
});

it("what a process that died was writing is deleted at the next start, and nothing else", async () => {
  await mkdir(records);
  const temporary = out(`.a.md.holdfast-${crypto.randomUUID()}.part`);
  await writeFile(temporary, "half");
  await writeFile(out("mine.md"), "mine");
  await writeFile(join(records, "1.json"), JSON.stringify({ temporary }));
  await writeFile(join(records, "2.json"), JSON.stringify({ temporary: out("mine.md") }));
  await dropLeftFiles(records, silent);
  expect(await readdir(join(folder, "out"))).toEqual(["mine.md"]);
  expect(await readdir(records)).toEqual(["2.json"]);
});

it.each([
  ["What is up? / down", "What is up down"],
  ["..", "Thread"],
  ["con", "Thread"],
  ["  a\u0000b ", "a b"],
  ["x".repeat(200), "x".repeat(80)],
])("%j is a file called %j", (title, name) => {
  expect(fileName(title)).toBe(name);
});
