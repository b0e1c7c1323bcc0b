// Ownership and ending, with real processes.

import { randomUUID } from "node:crypto";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { systemClock } from "../clock";
import { silentLog } from "../log";
import { endTree, type Ownership, ownedBy, processStartTime } from "./processTree";
import { setLimitMark } from "./processTree/limitMark";
import { linuxProcessTable } from "./processTree/linux";
import { isRunning, markerName, TestTrees } from "./processTree/testTree";

const table = linuxProcessTable(systemClock);
const options = { table, clock: systemClock };
/** For those that will not end by themselves anyway. */
const impatient = { ...options, times: { beforeTermMs: 0, beforeKillMs: 50 } };
const withoutMarker = `env -u ${markerName}`;
/** Says its name, and then does nothing until it is killed: it ignores everything that can be ignored. */
const stubborn = (name: string) => `sh -c "trap '' TERM HUP INT; echo ${name} \\$\\$; exec sleep 1000"`;

let trees: TestTrees;
let marker: string;

beforeEach(() => {
  trees = new TestTrees();
  marker = randomUUID();
});

afterEach(async () => {
  await trees.endAll();
});

function ownershipOf(pid: number): Ownership {
  const startTime = processStartTime(pid);
  if (startTime === null) throw new Error(`${pid} has ended`);
  return {
    leader: { pid, startTime },
    processSessionId: pid,
    marker: { name: markerName, value: marker },
  };
}

async function startStranger(): Promise<number> {
  return trees.start(stubborn("stranger"), randomUUID()).pidOf("stranger");
}

async function pidsOf(ownership: Ownership): Promise<number[]> {
  return (await ownedBy(ownership, table)).map(({ pid }) => pid).sort((a, b) => a - b);
}

describe.runIf(process.platform === "linux")("a tree of real processes", () => {
  it("is ended whole, whatever its processes ignore and wherever they have gone", async () => {
    const stranger = await startStranger();
    const tree = trees.start(
      `trap '' TERM HUP
       setsid ${stubborn("tool")} &
       ${withoutMarker} ${stubborn("server")} &
       ${withoutMarker} sh -c "trap '' TERM; setsid ${stubborn("far").replaceAll(/["\\$]/g, "\\$&")} & wait" &
       echo leader $$
       wait`,
      marker,
    );
    const leader = await tree.pidOf("leader");
    const pids = [leader, ...(await Promise.all(["tool", "server", "far"].map(tree.pidOf)))];
    const ownership = ownershipOf(leader);
    const before = await pidsOf(ownership);
    for (const pid of pids) expect(before).toContain(pid);
    expect(before).not.toContain(stranger);
    expect(before).not.toContain(process.pid);

    expect(await endTree(ownership, impatient)).toEqual({ left: [] });

    for (const pid of before) expect(isRunning(pid)).toBe(false);
    expect(await pidsOf(ownership)).toEqual([]);
    expect(isRunning(stranger)).toBe(true);
  });

  it("is found and ended after its leader and its parents have been killed", async () => {
    const stranger = await startStranger();
    const tree = trees.start(
      `${withoutMarker} ${stubborn("server")} &
       setsid sh -c 'echo middle $$; ${stubborn("grandchild")}; true' &
       echo leader $$
       wait`,
      marker,
    );
    const leader = await tree.pidOf("leader");
    const [middle, server, grandchild] = await Promise.all(
      (["middle", "server", "grandchild"] as const).map(tree.pidOf),
    );
    const ownership = ownershipOf(leader);
    for (const pid of [middle, leader]) process.kill(pid ?? 0, "SIGKILL");
    await tree.exited;
    while (isRunning(middle ?? 0)) await new Promise(setImmediate);

    const left = await ownedBy(ownership, table);
    expect(left.map(({ pid }) => pid).sort()).toEqual([server, grandchild].sort());
    for (const row of left) expect(row.parentPid).not.toBe(leader);

    expect(await endTree(ownership, impatient)).toEqual({ left: [] });
    expect([server, grandchild].map((pid) => isRunning(pid ?? 0))).toEqual([false, false]);
    expect(isRunning(stranger)).toBe(true);
  });

  it("is found and ended when it has given up its environment, its session, its parents and its files", async () => {
    const tree = trees.start(
      `echo leader $$; read line
       (setsid env -i /bin/sh -c 'trap "" HUP TERM; echo lost $$; exec >/dev/null; exec sleep 1000' </dev/null 2>/dev/null &)
       read line`,
      marker,
    );
    const leader = await tree.pidOf("leader");
    await setLimitMark(leader, marker, silentLog);
    tree.child.stdin?.write("\n");
    const lost = await tree.pidOf("lost");
    const ownership = ownershipOf(leader);
    process.kill(leader, "SIGKILL");
    await tree.exited;
    expect(await pidsOf({ ...ownership, marker: { name: markerName, value: randomUUID() } })).toEqual([]);
    expect(await pidsOf(ownership)).toEqual([lost]);
    expect(await endTree(ownership, impatient)).toEqual({ left: [] });
    expect(isRunning(lost)).toBe(false);
  });

  it("is found by its marker when nobody knows its leader", async () => {
    const tree = trees.start(`setsid ${stubborn("tool")} & echo leader $$; read line`, marker);
    const leader = await tree.pidOf("leader");
    const tool = await tree.pidOf("tool");
    const ownership = { ...ownershipOf(leader), leader: null, processSessionId: null };
    expect(await pidsOf(ownership)).toEqual([leader, tool].sort((a, b) => a - b));
    expect(await endTree(ownership, impatient)).toEqual({ left: [] });
    expect([leader, tool].map(isRunning)).toEqual([false, false]);
  });

  it("is not killed when its leader ends everything itself", async () => {
    const tree = trees.start(
      `setsid sh -c 'echo tool $$; exec sleep 1000' &
       trap 'kill -TERM $!; wait; echo clean $$; exit 0' TERM
       echo leader $$
       wait`,
      marker,
    );
    const leader = await tree.pidOf("leader");
    const tool = await tree.pidOf("tool");
    expect(await endTree(ownershipOf(leader), { ...options, times: { beforeTermMs: 0 } })).toEqual({
      left: [],
    });
    expect(await tree.pidOf("clean")).toBe(leader);
    await tree.exited;
    expect(tree.child.exitCode).toBe(0);
    expect(isRunning(tool)).toBe(false);
  });

  it("is not signalled when it ends by itself", async () => {
    const tree = trees.start("trap 'exit 9' TERM; echo leader $$; read line; exit 7", marker);
    const ownership = ownershipOf(await tree.pidOf("leader"));
    const closeInput = () => tree.child.stdin?.end();
    expect(await endTree(ownership, { ...options, closeInput })).toEqual({ left: [] });
    await tree.exited;
    expect(tree.child.exitCode).toBe(7);
  });

  it("is not a stranger that has got the leader's pid, nor the stranger's tree", async () => {
    const tree = trees.start(
      `${withoutMarker} ${stubborn("child")} & echo leader $$; exec sleep 1000`,
      randomUUID(),
    );
    const pid = await tree.pidOf("leader");
    const child = await tree.pidOf("child");
    const real = ownershipOf(pid);
    const [boot] = real.leader?.startTime.split("/") ?? [];
    for (const startTime of [`${boot}/1`, "boot before/1", `boot before/999999999`]) {
      const ownership = { ...real, leader: { pid, startTime } };
      expect(await pidsOf(ownership)).toEqual([]);
      expect(await endTree(ownership, impatient)).toEqual({ left: [] });
    }
    expect([pid, child].map(isRunning)).toEqual([true, true]);
    expect(await endTree({ ...real, marker: null }, impatient)).toEqual({ left: [] });
    expect([pid, child].map(isRunning)).toEqual([false, false]);
  });

  it("is ended once when it is ended twice at the same time", async () => {
    const tree = trees.start(`${stubborn("child")} & echo leader $$; wait`, marker);
    const ownership = ownershipOf(await tree.pidOf("leader"));
    const child = await tree.pidOf("child");
    const both = await Promise.all([endTree(ownership, impatient), endTree(ownership, impatient)]);
    expect(both).toEqual([{ left: [] }, { left: [] }]);
    expect(isRunning(child)).toBe(false);
    expect(await endTree(ownership, impatient)).toEqual({ left: [] });
  });
});
