// Terminals in environments, with real exec-servers.

import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import type { TerminalChange } from "../../../preload/contract/terminals";
import { silentLog } from "../../log";
import { Terminals } from "../../terminals/terminals";
import { Environment } from "../client/environment";
import { toFileUri } from "../client/fileUri";
import { TestWorld } from "../client/testEnvironment";
import { gone } from "../client/testExecServer";
import { environmentPlace } from "./environmentPlace";

const place = { kind: "environment", environmentId: "box" } as const;

let world: TestWorld;
let environment: Environment;
let terminals: Terminals;
let waiters: (() => void)[];

const look = () => {
  for (const waiter of waiters.splice(0)) waiter();
};

beforeEach(async () => {
  world = await TestWorld.open();
  world.retriesAtOnce = true;
  waiters = [];
  environment = new Environment(world.options);
  terminals = new Terminals({
    clock: world.clock,
    log: silentLog,
    place: () => environmentPlace(environment, world.clock),
    changed: look,
  });
});

afterEach(async () => {
  await terminals.shutDown();
  await environment.close();
  await world.close();
});

/** Resolves when it is so, which is looked at whenever a terminal or what was printed has changed. */
async function until(isSo: () => boolean): Promise<void> {
  while (!isSo()) await new Promise<void>((resolve) => waiters.push(resolve));
}

const row = (terminalId: string) => {
  const found = terminals.rows.find((each) => each.terminalId === terminalId);
  if (found === undefined) throw new Error("The terminal is not listed.");
  return found;
};

/** A window: what it has assembled. */
class Screen {
  text: string;
  gaps = 0;
  readonly terminalId: string;

  constructor(terminalId: string) {
    this.terminalId = terminalId;
    const { snapshot } = terminals.open(terminalId, (changes) => this.#take(changes));
    this.text = Buffer.from(snapshot.output).toString();
  }

  async shows(text: string | RegExp): Promise<void> {
    await until(() => (typeof text === "string" ? this.text.includes(text) : text.test(this.text)));
  }

  async ends(): Promise<void> {
    await until(() => row(this.terminalId).endedAtMs !== null);
  }

  type(text: string): Promise<void> {
    return terminals.write(this.terminalId, Buffer.from(text));
  }

  #take(changes: TerminalChange[]): void {
    for (const change of changes) {
      if (change.type === "output") this.text += Buffer.from(change.bytes).toString("latin1");
      if (change.type === "gap") this.gaps += 1;
    }
    look();
  }
}

function run(command: string | null, cwd: string | null = null): Screen {
  return new Screen(terminals.start({ place, command, cwd }));
}

describe("the shell", () => {
  it("is a person's: with a terminal, its own folder, and what is typed", async () => {
    const { server } = await world.registered("same");
    const shell = run(null);
    expect(row(shell.terminalId)).toMatchObject({ state: "starting", command: null, cwd: null });
    // Before it is started.
    await shell.type('echo "$TERM $(stty size) $PWD"\n');
    await shell.shows(`xterm-256color 24 80 ${server.folder}\r\n`);
    expect(row(shell.terminalId)).toMatchObject({ state: "running", cwd: server.folder });
    await shell.type("exit 7\n");
    await shell.ends();
    expect(row(shell.terminalId)).toMatchObject({ state: "ended", exitCode: 7 });
  });

  it("an interrupt reaches what runs in it, and the shell goes on", async () => {
    await world.registered("same");
    const shell = run(null);
    await shell.type("PS1='next> '; sh -c 'echo up $((1+1)); cat'\n");
    await shell.shows("up 2");
    await terminals.interrupt(shell.terminalId);
    // A shell forgets what is typed before it shows its prompt again.
    await shell.shows(/\^C[\s\S]*next> $/);
    await shell.type("echo ended with $?\n");
    await shell.shows("ended with 130\r\n");
  });

  it("ending it ends what it has started", async () => {
    await world.registered("same");
    const shell = run(null);
    await shell.type("sleep 1000 & echo pid=$!.\n");
    await shell.shows(/pid=\d+\./);
    const pid = Number(/pid=(\d+)\./.exec(shell.text)?.[1]);
    await terminals.end(shell.terminalId);
    expect(row(shell.terminalId)).toMatchObject({ state: "ended", ending: false });
    await gone(pid);
    expect(shell.text).not.toContain("7777");
  });

  it("one that does not mind being hung up is ended all the same", async () => {
    const { line } = await world.registered("same");
    const shell = run(null);
    await shell.type("trap '' HUP; echo up $((1+1)); exec sleep 1000\n");
    await shell.shows("up 2");
    const hungUp = line.reached("process/start", 2);
    const ended = terminals.end(shell.terminalId);
    await hungUp;
    world.clock.advance(1_000);
    await ended;
    expect(row(shell.terminalId)).toMatchObject({ state: "ended" });
  });
});

describe("a command", () => {
  it("is a line of the shell, in the folder that was named", async () => {
    const { server } = await world.registered("same");
    const command = run('echo "in $PWD" | cat; exit 3', "/");
    await command.ends();
    expect(command.text).toBe("in /\r\n");
    expect(row(command.terminalId)).toMatchObject({ state: "ended", exitCode: 3, cwd: "/" });
    expect(server.folder).not.toBe("/");
  });

  it("in a folder that is not there, or is none, is not started anywhere else, and says so", async () => {
    const { line, server } = await world.registered("same");
    const file = join(server.folder, "file");
    await writeFile(file, "");
    for (const folder of ["/not/there", file]) {
      const command = run("true", folder);
      await command.ends();
      expect(row(command.terminalId)).toMatchObject({
        state: "failed",
        fault: { code: "folder_missing", message: expect.stringContaining(`"${folder}"`) },
      });
    }
    expect(line.count("process/start")).toBe(0);
  });

  it("in a folder that is no full path does not even connect", async () => {
    const { line } = await world.registered("same");
    const command = run("true", "not/full");
    await command.ends();
    expect(row(command.terminalId).fault).toMatchObject({ code: "path_not_absolute" });
    expect(line.count("initialize")).toBe(0);
  });

  it("in an environment that cannot be reached is not started, and says why", async () => {
    const executor = await world.registered("same");
    await executor.server.kill();
    const command = run("true");
    await command.ends();
    expect(row(command.terminalId)).toMatchObject({ state: "failed", fault: { retryable: true } });
  });
});

describe("a connection that is lost", () => {
  const numbers = Array.from({ length: 20_000 }, (_, index) => `${index + 1}\r\n`).join("");

  it("and made anew: every number once, in order", async () => {
    const { line } = await world.registered("same");
    const command = run("i=0; while [ $i -lt 20000 ]; do i=$((i+1)); echo $i; done");
    for (const text of ["\n100\r\n", "\n5000\r\n", "\n12000\r\n"]) {
      await command.shows(text);
      await line.cut();
      // Waits for the connection.
      await environment.files.list(toFileUri("/"));
    }
    await command.ends();
    expect(command.text).toBe(numbers);
    expect(command.gaps).toBe(0);
    expect(new Screen(command.terminalId).text).toBe(numbers);
    expect(row(command.terminalId)).toMatchObject({ state: "ended", exitCode: 0 });
  });

  it("what is typed meanwhile arrives once, in its order", async () => {
    const { line } = await world.registered("same");
    const shell = run("stty -echo; echo ready; while read -r line; do echo got $line; done");
    await shell.shows("ready");
    const stalled = world.registry.holdNext();
    await line.cut();
    await stalled.reached;
    const typed = [shell.type("one\n"), shell.type("two\n")];
    stalled.open();
    await Promise.all(typed);
    await shell.shows("got two");
    expect(shell.text).toBe("ready\r\ngot one\r\ngot two\r\n");
  });

  it("for good: the terminal is lost, keeps what it printed, and what is typed fails", async () => {
    const old = await world.registered("old");
    const shell = run("stty -echo; echo ready; while read -r line; do echo got $line; done");
    await shell.shows("ready");
    const next = await world.executor("next");
    await world.register(next);
    await environment.refresh();
    await expect(shell.type("late\n")).rejects.toBeInstanceOf(Error);
    await shell.ends();
    expect(row(shell.terminalId)).toMatchObject({
      state: "lost",
      fault: { code: "environment_replaced", message: expect.stringContaining("replaced") },
    });
    expect(new Screen(shell.terminalId).text).toBe("ready\r\n");
    await expect(shell.type("later\n")).rejects.toMatchObject({ code: "terminal_over" });
    // A new one runs in the new executor, and nothing that was typed before is sent to it.
    const again = run("echo here");
    await again.ends();
    expect(again.text).toBe("here\r\n");
    expect([old.line.count("process/write"), next.line.count("process/write")]).toEqual([0, 0]);
  });
});

it("a flood is bounded here, and ends with an interrupt", async () => {
  await world.registered("same");
  const terminalId = terminals.start({ place, command: "yes 0123456789", cwd: null });
  let bytes = 0;
  const opened = terminals.open(terminalId, (changes) => {
    for (const change of changes) if (change.type === "output") bytes += change.bytes.length;
    look();
  });
  await until(() => bytes > 8 * 1024 * 1024);
  await terminals.interrupt(terminalId);
  await until(() => row(terminalId).endedAtMs !== null);
  const { output, earlierBytes } = opened.now();
  expect(output.length).toBeLessThanOrEqual(1024 * 1024);
  expect(output.length).toBeGreaterThan(1024 * 1024 - 100);
  expect(earlierBytes + output.length).toBe(bytes);
  // Not with toMatch, which would print all of it.
  expect(/^(0123456789\r\n)+/.test(Buffer.from(output).toString())).toBe(true);
});
