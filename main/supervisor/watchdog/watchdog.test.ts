// Main's side, with stand-ins for the watchdog that are real processes.

import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { systemClock } from "../../clock";
import type { HandleRecord } from "../../ledger/handlesLedger";
import { makeTestLedger, type TestLedger } from "../../ledger/testLedger";
import type { Log } from "../../log";
import { endHandleTree, markerVariable } from "../handleTree";
import type { HomeMark } from "../homeMark";
import { systemProcessTable } from "../processTree";
import { Watchdog, watchdogProfileId } from "./watchdog";
import type { OwnedServer } from "./watchdogMessages";

/** Writes down what it is told; ends with its input. */
const listens = `
  import { appendFileSync } from "node:fs";
  process.stdin.on("data", (chunk) => appendFileSync(process.env.SAID, chunk));
  process.stdin.on("end", () => process.exit(0));`;
/** Stays whatever happens, and reads nothing. */
const hangs = "setInterval(() => {}, 1000);";

/** It only bounds a test that hangs: the machine may be busy. */
const patience = { timeout: 30_000 };

const home: HomeMark = { ledger: "/h/holdfast.db", file: "/h/home-id", words: "one" };

let folder: string;
let script: string;
let said: string;
let kept: TestLedger;
let errors: string[];
let watchdog: Watchdog;

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "holdfast-watchdog-"));
  script = join(folder, "watchdog.mjs");
  said = join(folder, "said");
  kept = makeTestLedger();
  errors = [];
  const log: Log = { info() {}, warn() {}, error: (message) => errors.push(message) };
  watchdog = new Watchdog({
    owner: folder,
    home,
    script,
    handles: kept.ledger.handles,
    logs: folder,
    clock: kept.clock,
    log,
    environment: { ...process.env, SAID: said, NODE_OPTIONS: "--require /not/there" },
    unattendedMs: 5_000,
  });
});

afterEach(async () => {
  const { ledger } = kept;
  for (const { handleId, facts } of ledger.handles.listNotGone()) {
    const leader = facts && { pid: facts.pid, startTime: facts.startTime };
    expect(await endHandleTree({ handleId, leader }, systemClock)).toBeNull();
    await expect.poll(() => ledger.handles.get(handleId)?.state, patience).toBe("gone");
  }
  kept.remove();
  rmSync(folder, { recursive: true });
});

function server(handleId = "h"): OwnedServer {
  const channel = { kind: "socket", path: "/s" } as const;
  return { kind: "app-server", handleId, pid: 10, startTime: "boot/1", channel };
}

/** What it was told, after where the home is. */
function messages(): unknown[] {
  if (!existsSync(said)) return [];
  const [first, ...rest] = allMessages();
  if (first !== undefined) expect(first).toEqual({ type: "home", home });
  return rest;
}

function allMessages(): unknown[] {
  return readFileSync(said, "utf8")
    .split("\n")
    .filter((line) => line !== "")
    .map((line) => JSON.parse(line));
}

const own = (handleId = "h") => ({ type: "own", server: server(handleId) });
const keepNothing = { type: "keep nothing" };
const unattended = (ms: number) => ({ type: "unattended", ms });

/** The one that runs. */
function running(): HandleRecord & { facts: NonNullable<HandleRecord["facts"]> } {
  const [handle, ...more] = kept.ledger.handles.listNotGone();
  expect(more).toEqual([]);
  if (!handle?.facts) throw new Error("none runs");
  return { ...handle, facts: handle.facts };
}

async function gone(handleId: string): Promise<HandleRecord | null> {
  await expect.poll(() => kept.ledger.handles.get(handleId)?.state, patience).toBe("gone");
  return kept.ledger.handles.get(handleId);
}

function kill(): string {
  const { handleId, facts } = running();
  process.kill(facts.pid, "SIGKILL");
  return handleId;
}

describe("the watchdog", () => {
  test("is not there before there is something to watch, and closes without it", async () => {
    writeFileSync(script, listens);
    watchdog.disown("h");
    watchdog.setUnattendedMs(7);
    await watchdog.close();
    watchdog.own(server());
    expect(readdirSync(folder)).toEqual(["watchdog.mjs"]);
    expect(kept.ledger.handles.listNotGone()).toEqual([]);
  });

  test("is started once, is in the ledger and carries its marker, and is told all", async () => {
    writeFileSync(script, listens);
    watchdog.setUnattendedMs(7);
    watchdog.own(server());
    watchdog.own(server("i"));
    watchdog.disown("h");
    watchdog.disown("not known");
    watchdog.setUnattendedMs(8);
    const { facts, ...handle } = running();
    expect(handle).toMatchObject({ state: "running", profileId: watchdogProfileId, sessionId: "watchdog" });
    const table = systemProcessTable(systemClock);
    expect(await table.startTime(facts.pid)).toBe(facts.startTime);
    const row = (await table.listProcesses()).find((one) => one.pid === facts.pid);
    // Null where the platform does not tell.
    expect([facts.pid, null]).toContain(row?.groupId);
    expect([facts.pid, null]).toContain(row?.sessionId);
    const disown = { type: "disown", handleId: "h" };
    await expect.poll(messages, patience).toEqual([unattended(7), own(), own("i"), disown, unattended(8)]);
    expect(await table.readMarker(facts.pid, markerVariable)).toBe(handle.handleId);
  });

  test("goes when nothing is left to watch: its handle is gone, and an empty log with it", async () => {
    writeFileSync(script, listens);
    watchdog.own(server());
    watchdog.disown("h");
    const { handleId } = running();
    await Promise.all([watchdog.close(), watchdog.close()]);
    expect(await gone(handleId)).toMatchObject({ exit: { code: 0, signal: null } });
    expect(readdirSync(folder).filter((name) => name.endsWith(".log"))).toEqual([]);
    expect(errors).toEqual([]);
    expect(kept.clock.pendingCount).toBe(0);
  });

  test("that does not go is killed", async () => {
    writeFileSync(script, hangs);
    watchdog.own(server());
    watchdog.disown("h");
    const { handleId } = running();
    const closed = watchdog.close();
    kept.clock.advance(2_000);
    await closed;
    expect(await gone(handleId)).toMatchObject({ exit: { signal: "SIGKILL" } });
    expect(kept.clock.pendingCount).toBe(0);
  });

  test("stays, and stays on record, when servers are left", async () => {
    writeFileSync(
      script,
      `${listens.replace("process.exit(0)", "appendFileSync(process.env.SAID, '{}')")}${hangs}`,
    );
    watchdog.own(server());
    await watchdog.close();
    await expect.poll(messages, patience).toEqual([unattended(5_000), own(), {}]);
    expect(running().state).toBe("running");
  });

  test("is told that no server is to stay before they are closed, and so is one that takes its place", async () => {
    writeFileSync(script, listens);
    watchdog.own(server());
    watchdog.keepNothing();
    watchdog.setUnattendedMs(7);
    await expect.poll(messages, patience).toEqual([unattended(5_000), own(), keepNothing, unattended(7)]);
    const dead = kill();
    await gone(dead);
    rmSync(said);
    kept.clock.advance(1_000);
    await expect.poll(messages, patience).toEqual([unattended(7), keepNothing, own()]);
  });

  test("that dies is started again, ever more slowly, and told all again", async () => {
    writeFileSync(script, listens);
    watchdog.own(server());
    watchdog.own(server("i"));
    for (const delayMs of [1_000, 2_000, 4_000]) {
      await expect.poll(messages, patience).toEqual([unattended(5_000), own(), own("i")]);
      await gone(kill());
      rmSync(said);
      kept.clock.advance(delayMs - 1);
      expect(kept.ledger.handles.listNotGone()).toEqual([]);
      kept.clock.advance(1);
    }
    await expect.poll(messages, patience).toEqual([unattended(5_000), own(), own("i")]);
    // After a long life it is as the first time.
    kept.clock.advance(60_000);
    await gone(kill());
    kept.clock.advance(1_000);
    expect(running().state).toBe("running");
  });

  test("that dies with nothing to watch is started again with the next server", async () => {
    writeFileSync(script, listens);
    watchdog.own(server());
    watchdog.disown("h");
    await gone(kill());
    kept.clock.advance(600_000);
    expect(kept.ledger.handles.listNotGone()).toEqual([]);
    watchdog.own(server("i"));
    expect(running().state).toBe("running");
  });

  test("that died a moment ago and has not been heard to: telling it something fails silently", async () => {
    writeFileSync(script, listens);
    watchdog.own(server());
    const handleId = kill();
    for (let count = 0; count < 100; count++) watchdog.own(server(`${count}`));
    await gone(handleId);
    kept.clock.advance(1_000);
    await expect.poll(() => messages().at(-1), patience).toEqual(own("99"));
  });

  test("that does not read what it is told is killed, and its successor told all", async () => {
    writeFileSync(script, hangs);
    watchdog.own(server());
    const { handleId } = running();
    const many = Array.from({ length: 40 }, (_, count) => `${count}`.padEnd(64 * 1024, "x"));
    for (const one of many) watchdog.own(server(one));
    expect(await gone(handleId)).toMatchObject({ exit: { signal: "SIGKILL" } });
    for (const one of many) watchdog.disown(one);
    writeFileSync(script, listens);
    kept.clock.advance(1_000);
    await expect.poll(messages, patience).toEqual([unattended(5_000), own()]);
  });

  test("whose script is missing is an error in the log and no more, until it is there", async () => {
    watchdog.own(server());
    watchdog.own(server("i"));
    watchdog.disown("i");
    expect(errors).toEqual(["the watchdog cannot be started"]);
    expect(kept.ledger.handles.listNotGone()).toEqual([]);
    writeFileSync(script, listens);
    kept.clock.advance(1_000);
    await expect.poll(messages, patience).toEqual([unattended(5_000), own()]);
  });

  test("that waits to be started again is started at once when the app leaves servers behind", async () => {
    writeFileSync(script, listens);
    watchdog.own(server());
    await gone(kill());
    rmSync(said, { force: true });
    watchdog.leave();
    expect(running().state).toBe("running");
    await expect.poll(messages, patience).toEqual([unattended(5_000), own()]);
    expect(kept.clock.pendingCount).toBe(0);
    // It is the last one: the app is about to end.
    await gone(kill());
    expect(kept.clock.pendingCount).toBe(0);
  });

  test("that cannot have a log is not started, and not owed either", () => {
    writeFileSync(script, listens);
    const nowhere = join(folder, "nowhere");
    const { ledger, clock } = kept;
    const log: Log = { info() {}, warn() {}, error: (message) => errors.push(message) };
    const environment = process.env;
    const handles = ledger.handles;
    watchdog = new Watchdog({
      owner: folder,
      home,
      script,
      handles,
      logs: nowhere,
      clock,
      log,
      environment,
      unattendedMs: 1,
    });
    watchdog.own(server());
    expect(errors).toEqual(["the watchdog cannot be started"]);
    expect(handles.listNotGone()).toEqual([]);
  });

  test("that cannot be recorded is not started, and nobody else notices", () => {
    writeFileSync(script, listens);
    const { ledger } = kept;
    ledger.close();
    watchdog.own(server());
    expect(errors).toEqual(["the watchdog cannot be started"]);
    watchdog.disown("h");
    kept.reopen();
  });
});
