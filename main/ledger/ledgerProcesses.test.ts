// What other processes, and the death of this one, do to the ledger: with real ones.

import { readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { systemClock } from "../clock";
import { silentLog } from "../log";
import { openLedger } from "./openLedger";
import { makeTestFolder } from "./testLedger";
import { bundle, startProcess, type TestProcess } from "./testProcess";

let scripts: string;
let writer: string;
let folder: string;
let path: string;
let started: TestProcess[] = [];

beforeAll(async () => {
  scripts = makeTestFolder();
  writer = await bundle(new URL("./testWriter.ts", import.meta.url), scripts);
});

afterAll(() => {
  rmSync(scripts, { recursive: true });
});

beforeEach(() => {
  folder = makeTestFolder();
  path = join(folder, "holdfast.db");
});

afterEach(async () => {
  for (const process of started) await process.kill();
  started = [];
  rmSync(folder, { recursive: true });
});

function start(task: string): TestProcess {
  const process = startProcess(writer, [path, task]);
  started.push(process);
  return process;
}

function open() {
  return openLedger({ path, clock: systemClock, log: silentLog });
}

describe("a process that is killed", () => {
  it("has on record everything that was recorded before", async () => {
    const process = start("record");
    expect(await process.line()).toBe("recorded");
    await process.kill();
    expect(await process.ended).toMatchObject({ signal: "SIGKILL" });

    const { ledger, damagedFile } = open();
    expect(damagedFile).toBeUndefined();
    expect(ledger.submissions.listOpen()).toMatchObject([{ clientId: "client", text: "please do it" }]);
    expect(ledger.handles.listNotGone()).toMatchObject([{ handleId: "handle", state: "intended" }]);
    expect(ledger.cleanups.listOpen()).toMatchObject([{ id: "cleanup" }]);
    expect(ledger.drafts.get("thread")?.text).toBe("half a thought");
    ledger.close();
  });
});

describe("two processes", () => {
  it("make one file when both start first", async () => {
    const both = [start("open"), start("open")];
    expect(await Promise.all(both.map((process) => process.line()))).toEqual(["open", "open"]);
    await Promise.all(both.map((process) => process.ended));
    expect(readdirSync(folder)).toEqual(["holdfast.db"]);
  });

  it("set a damaged file aside once when both find it", async () => {
    writeFileSync(path, "damage");
    const both = [start("open"), start("open")];
    expect(await Promise.all(both.map((process) => process.line()))).toEqual(["open", "open"]);
    await Promise.all(both.map((process) => process.ended));
    const [ledger, damaged, ...more] = readdirSync(folder).sort();
    expect([ledger, more]).toEqual(["holdfast.db", []]);
    expect(readFileSync(join(folder, damaged ?? ""), "utf8")).toBe("damage");
  });

  it("write at once and lose nothing", async () => {
    const both = [start("add"), start("add")];
    for (const process of both) expect(await process.line()).toBe("open");
    for (const process of both) process.say("go");
    const pids = await Promise.all(both.map((process) => process.line()));
    const { ledger } = open();
    const all = ledger.settings.all();
    for (const pid of pids) {
      for (let count = 0; count < 200; count++) expect(all.get(`${pid}-${count}`)).toBe(count);
    }
    expect(all.size).toBe(400);
    ledger.close();
  });
});
