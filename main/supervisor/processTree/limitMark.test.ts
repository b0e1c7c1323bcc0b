import { execFileSync, spawn } from "node:child_process";
import { readFileSync } from "node:fs";
import { describe, expect, it, onTestFinished } from "vitest";
import { silentLog } from "../../log";
import { limitIn, limitMarks, markedByLimit, setLimitMark } from "./limitMark";
import { markedWith } from "./markedWith";

describe("the limit that is a mark", () => {
  it("is read out of what the system says, unless it is unlimited", () => {
    const limits = (hard: string) =>
      `Limit   Soft Limit   Hard Limit   Units\nMax file locks            unlimited            ${hard}            locks\n`;
    expect(limitIn(limits("1152921504606846977"))).toBe("1152921504606846977");
    expect(limitIn(limits("unlimited"))).toBeNull();
    expect(limitIn("")).toBeNull();
  });

  it("is an id's own, and each of an id's is below all that come before it, of whichever id", () => {
    const ids = Array.from({ length: 200 }, (_, index) => `id ${index}`);
    const all = ids.map((id) => limitMarks(id).map(BigInt));
    expect(new Set(all.flat()).size).toBe(800);
    for (let step = 1; step < 4; step++) {
      const highest = all.reduce(
        (most, marks) => ((marks[step] ?? 0n) > most ? (marks[step] ?? 0n) : most),
        0n,
      );
      for (const marks of all) expect(marks[step - 1]).toBeGreaterThan(highest);
    }
  });

  it("is found beside the one in the environment", () => {
    const [mark = "", lower = ""] = limitMarks("a");
    const marks = new Map([
      [1, { value: "a", limit: null }],
      [2, { value: null, limit: mark }],
      [3, { value: "b", limit: lower }],
      [4, { value: "b", limit: "1024" }],
      [5, { value: null, limit: null }],
    ]);
    expect(markedWith("a", marks)).toEqual(new Set([1, 2, 3]));
  });
});

describe.runIf(process.platform === "linux")("a command that marks itself", () => {
  const say = ([file = "", ...args]: string[], env = process.env) =>
    execFileSync(file, args, { encoding: "utf8", env });

  it("is the same process, with the mark, and so is what it starts, whatever that gives up", () => {
    const script = "cat /proc/self/limits; exec env -i /bin/cat /proc/self/limits";
    const said = say(markedByLimit(["/bin/sh", "-c", script], process.pid, "a"));
    const both = said.split("\n").flatMap((line) => limitIn(line) ?? []);
    expect(both).toEqual([limitMarks("a")[0], limitMarks("a")[0]]);
  });

  it("gets a lower one within a process that is marked", async () => {
    const outer = spawn("sleep", ["1000"], { stdio: "ignore" });
    onTestFinished(() => void outer.kill("SIGKILL"));
    const pid = outer.pid ?? 0;
    await setLimitMark(pid, "outer", silentLog);
    let limit = BigInt(limitMarks("outer")[0] ?? 0);
    for (const id of ["terminal", "inner", "its terminal"]) {
      const [mark = ""] = markedByLimit(["ls"], pid, id)[3]?.split(":") ?? [];
      expect(limitMarks(id)).toContain(mark);
      expect(BigInt(mark)).toBeLessThan(limit);
      limit = BigInt(mark);
      await setLimitMark(pid, id, silentLog);
      expect(limitIn(readFileSync(`/proc/${pid}/limits`, "latin1"))).toBe(mark);
    }
    execFileSync("prlimit", ["--pid", `${pid}`, "--locks=1:1"]);
    expect(markedByLimit(["ls"], pid, "one more"), "there is no room for its own").toEqual(["ls"]);
  });

  it("runs all the same where it cannot be marked, with its arguments as they are", () => {
    const command = markedByLimit(["/bin/echo", "a b", "$HOME", "'", "-n"], process.pid, "x");
    expect(say(command, { PATH: "/nowhere" })).toBe("a b $HOME ' -n\n");
  });
});
