import { spawn } from "node:child_process";
import { randomUUID } from "node:crypto";
import { once } from "node:events";
import { afterEach, expect, test } from "vitest";
import { end } from "../setup/processes.mjs";
import { Leftovers, markerName } from "./leftovers.mjs";

const marker = randomUUID();

afterEach(() => end(new Leftovers(marker).look()));

/**
 * @param {string} script for sh; prints a line when it is where the test wants it
 * @param {NodeJS.ProcessEnv} env
 */
async function shell(script, env) {
  const child = spawn("/bin/sh", ["-c", script], { env, detached: true, stdio: ["pipe", "pipe", "ignore"] });
  const [line] = await once(child.stdout, "data");
  return { child, pid: Number(String(line).trim()) };
}

const marked = { PATH: process.env.PATH, [markerName]: marker };
const unmarked = { PATH: process.env.PATH, [markerName]: "of another run" };

if (process.platform !== "linux") {
  test("sees no process where there is no /proc", () => {
    expect(new Leftovers(marker).look()).toEqual([]);
  });
} else {
  test("finds a marked process, and nothing when it has ended", async () => {
    const leftovers = new Leftovers(marker);
    const { child } = await shell("echo $$; read line", marked);
    expect(leftovers.look().map((one) => one.pid)).toEqual([child.pid]);
    child.stdin.end();
    expect(await leftovers.settle()).toEqual([]);
  });

  test("does not find the processes of another run", async () => {
    const { child } = await shell("echo $$; read line", unmarked);
    expect(new Leftovers(marker).look()).toEqual([]);
    child.stdin.end();
    await once(child, "exit");
  });

  test("finds one that was given a clean environment and lost its parent, if it was seen before", async () => {
    const leftovers = new Leftovers(marker);
    const { child, pid } = await shell("env -i setsid sleep 600 & echo $!; read line", marked);
    expect(leftovers.look().map((one) => one.pid)).toEqual(expect.arrayContaining([child.pid, pid]));
    child.stdin.end();
    await once(child, "exit");
    const left = leftovers.look();
    end(left);
    expect(left.map((one) => one.pid)).toEqual([pid]);
    expect(await leftovers.settle()).toEqual([]);
  });

  test("finds one in the process session of a marked one that has gone", async () => {
    const leftovers = new Leftovers(marker);
    const child = spawn("/bin/sh", ["-c", "echo up; read go; env -i sleep 600 & echo $!; exit"], {
      env: marked,
      detached: true,
      stdio: ["pipe", "pipe", "ignore"],
    });
    const exited = once(child, "exit");
    await once(child.stdout, "data");
    expect(leftovers.look().map((one) => one.pid)).toEqual([child.pid]);
    child.stdin.end("go\n");
    const [line] = await once(child.stdout, "data");
    const pid = Number(String(line).trim());
    await exited;
    const left = leftovers.look();
    end(left);
    expect(left.map((one) => one.pid)).toEqual([pid]);
    expect(await leftovers.settle()).toEqual([]);
  });
}
