import { existsSync, readFileSync, watch } from "node:fs";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { ManualClock, systemClock } from "../clock";
import { silentLog } from "../log";
import { createLoginEnvironment, environmentProbe, type LoginEnvironmentOptions } from "./loginEnvironment";

let home: string;

beforeEach(async () => {
  home = await mkdtemp(join(tmpdir(), "holdfast-login-"));
});

afterEach(async () => {
  await rm(home, { recursive: true });
  expect(existsSync(home)).toBe(false);
});

function reader(options: Partial<LoginEnvironmentOptions> & { shell?: string | null } = {}) {
  const { shell = "/bin/bash", env, ...rest } = options;
  return createLoginEnvironment({
    clock: systemClock,
    log: silentLog,
    startedFromTerminal: false,
    env: { HOME: home, PATH: "/usr/bin:/bin", ...(shell === null ? {} : { SHELL: shell }), ...env },
    userShell: () => null,
    ...rest,
  });
}

/** Resolves with the text of a file as soon as something has written a line into it. */
function fileWritten(name: string): Promise<string> {
  return new Promise((resolve) => {
    const path = join(home, name);
    const look = () => {
      const text = existsSync(path) ? readFileSync(path, "utf8") : "";
      if (!text.endsWith("\n")) return;
      watcher.close();
      resolve(text.trim());
    };
    const watcher = watch(home, look);
    look();
  });
}

function isRunning(pid: number): boolean {
  try {
    process.kill(pid, 0);
    // A zombie that its new parent has not collected yet has ended all the same.
    return process.platform !== "linux" || !readFileSync(`/proc/${pid}/stat`, "utf8").includes(") Z ");
  } catch {
    return false;
  }
}

/** What was killed is gone a moment later: members of a group are not ours to wait for. */
const isGone = (pid: number) => expect.poll(() => isRunning(pid), { interval: 5 }).toBe(false);

const rc = (text: string) => writeFile(join(home, ".bash_profile"), text);

describe.skipIf(process.platform === "win32")("the login environment", () => {
  it("has what the start-up files set, line breaks and all, and nothing of the probe", async () => {
    await rc("export PATH=\"$HOME/.nvm/bin:$PATH\"\nexport TEXT=$'two\\nlines = ü'\nexport EMPTY=\n");
    const result = await reader().read();
    expect(result).toMatchObject({ kind: "login", shell: "/bin/bash", flags: "-l -i" });
    expect(result.variables.PATH).toContain(`${home}/.nvm/bin:`);
    expect(result.variables.TEXT).toBe("two\nlines = ü");
    expect(result.variables.EMPTY).toBe("");
    for (const name of ["HOLDFAST_READING_ENVIRONMENT", "DISABLE_AUTO_UPDATE", "SHLVL", "PWD", "_"]) {
      expect(result.variables).not.toHaveProperty(name);
    }
  });

  it("is found between noise, also where the shell echoes the command that it runs", async () => {
    await rc(
      "echo noise; printf '\\033]0;title\\007'; trap 'printf \"%s\\n\" \"$BASH_COMMAND\"' DEBUG\nexport FOUND=1\n",
    );
    const result = await reader().read();
    expect(result).toMatchObject({ kind: "login", variables: { FOUND: "1" } });
  });

  it("ends a start-up file that sleeps, with its children, and says why", async () => {
    await rc(`sleep 60 & echo $! > ${home}/pid.new; mv ${home}/pid.new ${home}/pid; wait\n`);
    const clock = new ManualClock();
    const reading = reader({ clock }).read();
    const first = Number(await fileWritten("pid"));
    expect(isRunning(first)).toBe(true);
    await rm(join(home, "pid"));
    clock.advance(5_000);
    const second = Number(await fileWritten("pid"));
    expect(second).not.toBe(first);
    clock.advance(5_000);
    const result = await reading;
    expect(result).toMatchObject({
      kind: "failed",
      variables: { PATH: "/usr/bin:/bin" },
      failures: ["/bin/bash -l -i did not answer within 5 s", "/bin/bash -l did not answer within 5 s"],
    });
    await isGone(first);
    await isGone(second);
    expect(clock.pendingCount).toBe(0);
  });

  it("ends a start-up file that ignores SIGTERM; one that reads its input gets the end of it", async () => {
    await rc(
      `trap '' TERM HUP INT; echo $$ > ${home}/pid.new; mv ${home}/pid.new ${home}/pid; read x; exec sleep 60\n`,
    );
    const clock = new ManualClock();
    const reading = reader({ clock }).read();
    const first = Number(await fileWritten("pid"));
    await rm(join(home, "pid"));
    clock.advance(5_000);
    await fileWritten("pid");
    clock.advance(5_000);
    expect((await reading).kind).toBe("failed");
    await isGone(first);
  });

  it("is read without -i when only the interactive start-up hangs", async () => {
    await rc(`case $- in *i*) echo 1 > ${home}/hangs; exec sleep 60;; esac\nexport PLAIN=1\n`);
    const clock = new ManualClock();
    const reading = reader({ clock }).read();
    await fileWritten("hangs");
    clock.advance(5_000);
    expect(await reading).toMatchObject({
      kind: "login",
      flags: "-l",
      variables: { PLAIN: "1" },
      failures: ["/bin/bash -l -i did not answer within 5 s"],
    });
  });

  it("does not wait for what a start-up file left in the background with the output open", async () => {
    await rc(`sleep 60 & echo $! > ${home}/pid; export FOUND=1\n`);
    // No deadline can pass on this clock; only the grace time after the answer may.
    const clock = new ManualClock();
    const reading = reader({ clock }).read();
    const pid = Number(await fileWritten("pid"));
    expect(await reading).toMatchObject({ kind: "login", variables: { FOUND: "1" } });
    await isGone(pid);
  });

  it("bounds what a start-up file prints", async () => {
    await rc("exec yes\n");
    const result = await reader({ clock: new ManualClock() }).read();
    expect(result).toMatchObject({
      kind: "failed",
      failures: ["/bin/bash -l -i printed more than 4 MiB", "/bin/bash -l printed more than 4 MiB"],
    });
  });

  it("records a shell that ends before it answers, with its last words", async () => {
    await rc("echo 'bad rc' >&2; exit 3\n");
    const result = await reader().read();
    expect(result).toMatchObject({ kind: "failed" });
    expect(result.kind === "failed" && result.reason).toMatch(
      /-l ended with code 3 before it had answered \(bad rc\)/,
    );
  });

  it("falls back to a usual shell when SHELL is unset, missing, relative or no shell at all", async () => {
    await writeFile(join(home, ".profile"), "export FOUND=1\n");
    for (const shell of [null, "/no/such/fish", "fish", "/usr/sbin/nologin"]) {
      const result = await reader({ shell }).read();
      expect(result).toMatchObject({ kind: "login", variables: { FOUND: "1" } });
      expect(result.kind === "login" && result.failures).toHaveLength(1);
    }
  });

  it("prefers the user database to the usual shells", async () => {
    const result = await reader({ shell: null, userShell: () => "/bin/sh" }).read();
    expect(result).toMatchObject({ kind: "login", shell: "/bin/sh", flags: "-l -i" });
  });

  // A test of its own only where that shell is: what is not there cannot be asked.

  if (existsSync("/usr/bin/zsh"))
    it("is read from zsh", async () => {
      await writeFile(join(home, ".zshrc"), "echo noise\nexport FROM_ZSHRC=1\n");
      expect(await reader({ shell: "/usr/bin/zsh" }).read()).toMatchObject({
        kind: "login",
        flags: "-l -i",
        variables: { FROM_ZSHRC: "1" },
      });
    });

  // A test of its own only where that shell is: what is not there cannot be asked.

  if (existsSync("/usr/bin/fish"))
    it("is read from fish", async () => {
      const env = {
        XDG_CONFIG_HOME: join(home, "config"),
        XDG_DATA_HOME: join(home, "data"),
        FROM_PARENT: "a b",
      };
      const result = await reader({ shell: "/usr/bin/fish", env }).read();
      expect(result).toMatchObject({ kind: "login", flags: "-l -i", variables: { FROM_PARENT: "a b" } });
    });

  it("is Holdfast's own, without a process, from a terminal and on Windows", async () => {
    const env = { SHELL: "/no/such/shell" };
    expect(await reader({ startedFromTerminal: true, env }).read()).toMatchObject({
      kind: "own",
      why: "terminal",
    });
    expect(await reader({ platform: "win32", env }).read()).toMatchObject({ kind: "own", why: "windows" });
  });
});

describe.skipIf(process.platform === "win32")("reading more than once", () => {
  it("shares one probe between callers and remembers its answer", async () => {
    await rc(`echo run >> ${home}/runs; export FOUND=1\n`);
    const source = reader();
    const [one, two] = await Promise.all([source.read(), source.read({ again: true })]);
    expect(two).toBe(one);
    expect(await source.read()).toBe(one);
    expect(readFileSync(join(home, "runs"), "utf8")).toBe("run\n");
    expect(await source.read({ again: true })).not.toBe(one);
    expect(readFileSync(join(home, "runs"), "utf8")).toBe("run\nrun\n");
  });

  it("keeps a failure for a minute and then asks again", async () => {
    await rc("exit 1\n");
    const clock = new ManualClock();
    const source = reader({ clock });
    const failure = await source.read();
    expect(failure.kind).toBe("failed");
    await rc("export FOUND=1\n");
    clock.advance(59_999);
    expect(await source.read()).toBe(failure);
    clock.advance(1);
    expect(await source.read()).toMatchObject({ kind: "login", variables: { FOUND: "1" } });
  });
});

describe("the probe's output", () => {
  const probe = environmentProbe("0123456789abcdef");
  const output = (text: string) =>
    Buffer.from(
      text.replaceAll("BEGIN", "0123456789abcdef:begin\0").replaceAll("END", "\x000123456789abcdef:end"),
    );

  it("does not have the marker in the command itself", () => {
    expect(probe.script).not.toContain("0123456789abcdef");
  });

  it("is complete only when both markers are there", () => {
    expect(probe.isComplete(output("noise BEGINPATH=/bin\0"))).toBe(false);
    expect(probe.isComplete(output("noise BEGINPATH=/bin\0END tail"))).toBe(true);
  });

  it("is refused when cut, empty, or without a PATH", () => {
    expect(probe.parse(output("PATH=/bin\0END"))).toBeNull();
    expect(probe.parse(output("BEGINPATH=/bin\0"))).toBeNull();
    expect(probe.parse(output("BEGINEND"))).toBeNull();
    expect(probe.parse(output("BEGINHOME=/root\0END"))).toBeNull();
  });

  it("keeps equals signs and drops what is no variable", () => {
    expect(probe.parse(output("noiseBEGINPATH=/bin\0A=b=c\0junk\0=x\0ENDnoise"))).toEqual({
      PATH: "/bin",
      A: "b=c",
    });
  });
});
