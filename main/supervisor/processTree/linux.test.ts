import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { systemClock } from "../../clock";
import { processStartTime } from "../processTree";
import { foregroundIn, linuxProcessTable, runningStat } from "./linux";
import { isRunning, markerName, stateOf, TestTrees } from "./testTree";

const stat = (pid: number, name: string, state: string, threads: number) =>
  `${pid} (${name}) ${state} 21501 21400 2867 34816 21501 4194304 99 0 0 0 3 1 0 0 20 0 ${threads} 0 361079 3133440 413 184\n`;

describe("a line of /proc/PID/stat", () => {
  it("tells parent, group, session, start time and name", () => {
    expect(runningStat(stat(21540, "cat", "R", 1), "boot-1")).toEqual({
      pid: 21540,
      startTime: "boot-1/361079",
      parentPid: 21501,
      groupId: 21400,
      sessionId: 2867,
      command: "cat",
    });
  });

  it("may have a name that looks like anything", () => {
    for (const name of ["a b", "x) R 1 1 1 (y", "))", "", "a\nb"]) {
      expect(runningStat(stat(7, name, "S", 1), "b")).toMatchObject({
        pid: 7,
        command: name,
        parentPid: 21501,
      });
    }
  });

  it("is no process when it is a zombie's, unless only its first thread has ended", () => {
    expect(runningStat(stat(7, "x", "Z", 1), "b")).toBeNull();
    expect(runningStat(stat(7, "x", "X", 0), "b")).toBeNull();
    expect(runningStat(stat(7, "x", "Z", 3), "b")).toMatchObject({ pid: 7 });
    expect(runningStat(stat(7, "x", "D", 1), "b")).toMatchObject({ pid: 7 });
  });

  it("is no process when it is not there or cut off", () => {
    expect(runningStat(null, "b")).toBeNull();
    expect(runningStat("", "b")).toBeNull();
    expect(runningStat("7 (x) R 1 1", "b")).toBeNull();
  });
});

it("a line of /proc/PID/stat tells the group that has the keyboard of the terminal", () => {
  expect(foregroundIn(stat(21540, "a) 1 (b", "S", 1))).toBe(21501);
  expect(foregroundIn("7 (x) S 1 7 7 0 -1 0")).toBeNull();
  expect([foregroundIn(null), foregroundIn(""), foregroundIn("7 (x) S 1")]).toEqual([null, null, null]);
});

describe.runIf(process.platform === "linux")("the processes of this machine", () => {
  const table = linuxProcessTable(systemClock);
  let trees: TestTrees;

  beforeEach(() => {
    trees = new TestTrees();
  });

  afterEach(async () => {
    await trees.endAll();
  });

  it("are listed with their start times, this one among them", async () => {
    const rows = await table.listProcesses();
    const own = rows.find(({ pid }) => pid === process.pid);
    expect(own).toMatchObject({ parentPid: process.ppid });
    expect(own?.startTime).toMatch(/^[0-9a-f-]{36}\/\d+$/);
    expect(await table.startTime(process.pid)).toBe(own?.startTime);
    expect(processStartTime(process.pid)).toBe(own?.startTime);
    expect(new Set(rows.map(({ pid }) => pid)).size).toBe(rows.length);
  });

  it("show their markers as they are, and only those of their own environment", async () => {
    const tree = trees.start(`echo leader $$; read line`, "h-é 1");
    const plain = trees.start(`export ${markerName}=later; echo leader $$; read line`, null);
    const pid = await tree.pidOf("leader");
    const plainPid = await plain.pidOf("leader");
    expect(await table.readMarker(pid, markerName)).toBe("h-é 1");
    expect(await table.readMarker(pid, "HOLDFAST_TEST")).toBeNull();
    expect(await table.readMarker(plainPid, markerName)).toBeNull();
    const rows = await table.listProcesses();
    expect(await table.markedWith({ name: markerName, value: "h-é 1" }, rows)).toEqual(new Set([pid]));
    expect(await table.markedWith({ name: markerName, value: "h-é" }, rows)).toEqual(new Set());
  });

  it("lead a session and a group of their own when they are started detached", async () => {
    const tree = trees.start("echo leader $$; read line", null);
    const pid = await tree.pidOf("leader");
    const row = (await table.listProcesses()).find((found) => found.pid === pid);
    expect(row).toMatchObject({ groupId: pid, sessionId: pid, parentPid: process.pid });
  });

  it("are gone when they have ended, zombies too", async () => {
    // The shell is replaced by a program that never asks how its child has ended.
    const tree = trees.start("sh -c 'echo child $$; exec sleep 1000' & exec cat >/dev/null", null);
    const pid = await tree.pidOf("child");
    const startTime = processStartTime(pid) ?? "";
    expect(await table.stillThere([{ pid, startTime }])).toHaveLength(1);
    process.kill(pid, "SIGKILL");
    while (stateOf(pid) !== "Z") await new Promise(setImmediate);
    expect(await table.startTime(pid)).toBeNull();
    expect(processStartTime(pid)).toBeNull();
    expect(await table.stillThere([{ pid, startTime }])).toEqual([]);
    expect((await table.listProcesses()).some((row) => row.pid === pid)).toBe(false);
    expect(await table.signal([{ pid, startTime }], "SIGKILL")).toEqual(new Map([[pid, "gone"]]));
  });

  it("are not signalled when their start time is another", async () => {
    const tree = trees.start("echo leader $$; read line", null);
    const pid = await tree.pidOf("leader");
    const startTime = processStartTime(pid) ?? "";
    const [boot] = startTime.split("/");
    for (const other of [`${boot}/1`, `another boot/${startTime.split("/")[1]}`, ""]) {
      expect(await table.signal([{ pid, startTime: other }], "SIGKILL")).toEqual(new Map([[pid, "gone"]]));
      expect(await table.signalGroup({ pid, startTime: other }, "SIGKILL")).toBe("gone");
      expect(await table.stillThere([{ pid, startTime: other }])).toEqual([]);
    }
    expect(isRunning(pid)).toBe(true);
    expect(await table.signal([{ pid, startTime }], "SIGKILL")).toEqual(new Map([[pid, "sent"]]));
    await tree.exited;
    expect(await table.signal([{ pid, startTime }], "SIGKILL")).toEqual(new Map([[pid, "gone"]]));
  });

  it("say since when they run", async () => {
    const own = processStartTime(process.pid) ?? "";
    const later =
      processStartTime(await trees.start("echo leader $$; read line", null).pidOf("leader")) ?? "";
    expect(table.startedSince(later, own)).toBe(true);
    expect(table.startedSince(own, own)).toBe(true);
    expect(table.startedSince(own, later)).toBe(false);
    expect(table.startedSince(`another boot/${later.split("/")[1]}`, own)).toBe(false);
  });
});
