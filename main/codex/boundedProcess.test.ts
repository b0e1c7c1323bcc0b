import { describe, expect, it } from "vitest";
import { ManualClock, systemClock } from "../clock";
import { type BoundedCommand, runBounded } from "./boundedProcess";

const shell = (script: string, options: Partial<BoundedCommand> = {}) =>
  runBounded({
    command: "/bin/sh",
    args: ["-c", script],
    env: { PATH: "/usr/bin:/bin" },
    deadlineMs: 5_000,
    maxOutputBytes: 10_000,
    clock: systemClock,
    ...options,
  });

describe.skipIf(process.platform === "win32")("a bounded command", () => {
  it("that ends gives its output, its code or signal, and its last words", async () => {
    expect(await shell("echo out; echo err >&2; exit 3")).toEqual({
      kind: "exited",
      code: 3,
      signal: null,
      stdout: Buffer.from("out\n"),
      stderrEnd: "err",
    });
    expect(await shell("kill -9 $$")).toMatchObject({ kind: "exited", code: null, signal: "SIGKILL" });
  });

  it("that cannot be started says why", async () => {
    expect(await shell("", { command: "/no/such/program" })).toMatchObject({
      kind: "notStarted",
      error: { code: "ENOENT" },
    });
    expect(await shell("", { command: "/bin/s\0h" })).toMatchObject({ kind: "notStarted" });
  });

  it("gets no input", async () => {
    expect(await shell("read x; echo read $?")).toMatchObject({
      kind: "exited",
      stdout: Buffer.from("read 1\n"),
    });
  });

  it("keeps only the end of what it complains about", async () => {
    const outcome = await shell("i=0; while [ $i -lt 2000 ]; do echo line $i >&2; i=$((i+1)); done");
    expect(outcome.kind === "exited" && outcome.stderrEnd.length).toBeLessThanOrEqual(4_096);
    expect(outcome.kind === "exited" && outcome.stderrEnd).toMatch(/line 1999$/);
  });

  it("that has said all but does not end is ended after the grace time", async () => {
    const clock = new ManualClock();
    let seen = () => {};
    const complete = new Promise<void>((resolve) => {
      seen = resolve;
    });
    const running = shell("trap '' TERM; echo done; while :; do sleep 60; done", {
      clock,
      isComplete: (stdout) => {
        const isDone = stdout.includes("done\n");
        if (isDone) seen();
        return isDone;
      },
    });
    await complete;
    clock.advance(250);
    expect(await running).toEqual({ kind: "complete", stdout: Buffer.from("done\n") });
    expect(clock.pendingCount).toBe(0);
  });

  it("that ends but leaves a child with its output open is not waited for beyond the grace time", async () => {
    const outcome = await shell("sleep 60 & echo out");
    expect(outcome).toMatchObject({ kind: "exited", code: 0, stdout: Buffer.from("out\n") });
  });
});
