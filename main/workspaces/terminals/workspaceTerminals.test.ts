// Terminals over the codex that comes with the app: what runs in them is real.

import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import { systemClock } from "../../clock";
import { silentLog } from "../../log";
import { Cleanups } from "../../supervisor/cleanups";
import type { CodexProcess } from "../../supervisor/codexProcess";
import { ownedBy, systemProcessTable } from "../../supervisor/processTree";
import { quiet, TestCodex } from "../../supervisor/testCodex";
import type { PlaceEvent } from "../../terminals/place";
import { markerOf } from "./terminalTree";
import { type OwnConnection, WorkspaceTerminals } from "./workspaceTerminals";

let test: TestCodex;
let codex: CodexProcess;
let connections: OwnConnection[] = [];
let shell = "/bin/sh";

beforeAll(async () => {
  test = new TestCodex();
  codex = await test.launch();
  await codex.connect(quiet);
});

afterEach(() => {
  for (const { client } of connections) client.close();
  connections = [];
  shell = "/bin/sh";
});

afterAll(() => test.leave());

function terminals(): WorkspaceTerminals {
  const { ledger } = test;
  const options = { ledger: ledger.cleanups, clock: systemClock, log: silentLog, random: Math.random };
  return new WorkspaceTerminals({
    clock: systemClock,
    log: silentLog,
    ledger: ledger.terminals,
    cleanups: new Cleanups({ ...options, changed() {} }),
    folder: join(test.root, "terminals"),
    presentFolder: async () => test.root,
    connect: async (_workspaceId, closed) => {
      const client = await codex.beside(closed);
      const connection = { client, codexPid: codex.facts.leader?.pid ?? 0 };
      connections.push(connection);
      return connection;
    },
    variables: async () => ({ SHELL: shell }),
  });
}

async function run(command: string | null, cwd: string | null = null) {
  const told: PlaceEvent[] = [];
  const request = { command, cwd, columns: 80, rows: 24 };
  const { process, cwd: folder } = await terminals()
    .place("w")
    .start(request, (event) => told.push(event));
  const output = () =>
    Buffer.concat(told.flatMap((event) => (event.type === "output" ? [event.bytes] : []))).toString();
  const says = (words: string | RegExp) => expect.poll(output).toMatch(words);
  const untold = () => told.filter(({ type }) => type !== "output");
  return { process, folder, output, says, untold };
}

/** Of the only terminal on record. */
async function marked(): Promise<string[]> {
  const [record] = test.ledger.terminals.list();
  if (record === undefined) throw new Error("no terminal is on record");
  const ownership = { leader: null, processSessionId: null, marker: markerOf(record.terminalId) };
  const rows = await ownedBy(ownership, systemProcessTable(systemClock));
  return rows.map(({ command }) => command);
}

/** Of the system's processes: whoever they belong to. */
async function commandLines(text: string): Promise<string[]> {
  if (process.platform !== "linux") return [];
  const rows = await systemProcessTable(systemClock).listProcesses();
  const lines = rows.map(({ pid }) => {
    try {
      return readFileSync(`/proc/${pid}/cmdline`, "utf8").replaceAll("\0", " ");
    } catch {
      // It has ended.
      return "";
    }
  });
  return lines.filter((line) => line.includes(text));
}

const type = (text: string) => Buffer.from(text);
/** One that gives up all that ties it to the terminal: its environment, its process session, its parent, its files. */
const lostSleep = `sleep 1006.${process.pid}`;
const lost = `(env -i setsid /bin/${lostSleep} </dev/null >/dev/null 2>&1 &)`;
/** One job that is a job, one that ignores a hang-up, and one with a process session of its own. */
const jobs = `sleep 1001 & (trap '' HUP TERM; exec sleep 1002) & setsid sleep 1003 & env -i /bin/sleep 1004 & ${lost}; `;

describe.skipIf(process.platform === "win32")("a terminal in the folder of a workspace", () => {
  it("is a terminal of that size, in that folder, with its own environment", async () => {
    const shell = await run(null);
    expect(shell.folder).toBe(test.root);
    await shell.process.write(type("stty size; pwd; echo $TERM-$TERM_PROGRAM-[$RUST_LOG]\n"));
    await shell.says(new RegExp(`24 80\\s+${test.root}\\s+xterm-256color-Holdfast-\\[\\]`));
    await shell.process.resize?.({ columns: 100, rows: 40 });
    await shell.process.write(type("stty size\nexit 3\n"));
    await shell.says("40 100");
    await expect.poll(shell.untold).toEqual([{ type: "exited", exitCode: 3 }, { type: "closed" }]);
    expect(test.ledger.terminals.list()).toEqual([]);
    await expect(shell.process.write(type("x"))).rejects.toMatchObject({ code: "terminal_over" });
  });

  it("is not started in a folder that is not there", async () => {
    await expect(run("rm -rf *", join(test.root, "none"))).rejects.toMatchObject({
      code: "folder_missing",
    });
    await expect(run("ls", "here")).rejects.toMatchObject({ code: "path_not_absolute" });
    expect(test.ledger.terminals.list()).toEqual([]);
  });

  it("is not started by a login shell that is not there", async () => {
    shell = "/bin/none";
    await expect(run(null)).rejects.toMatchObject({ code: "shell_missing" });
    expect(test.ledger.terminals.list()).toEqual([]);
  });

  it("is interrupted as by Ctrl-C, and what is typed arrives in order", async () => {
    const shell = await run("cat; echo $? then; cat");
    const words = Array.from({ length: 40 }, (_, at) => `word${at}`);
    await Promise.all(words.map((word) => shell.process.write(type(`${word} `))));
    await shell.says(words.join(" "));
    await shell.process.interrupt();
    await shell.process.end();
    expect(shell.untold().at(-1)).toEqual({ type: "closed" });
  });

  it.runIf(process.platform === "linux")(
    "is idle while its shell waits, and nothing else of it runs",
    async () => {
      const shell = await run(null);
      const idle = () => shell.process.isIdle?.();
      await expect.poll(idle, { message: "the prompt" }).toBe(true);
      const doing = async (words: string) => {
        await shell.process.write(type(`${words}\n`));
        await expect.poll(async () => (await marked()).includes("sleep"), { message: words }).toBe(true);
        expect(await idle(), words).toBe(false);
      };
      await doing("sleep 1007");
      await shell.process.interrupt();
      await expect.poll(idle, { message: "interrupted" }).toBe(true);
      await doing("sleep 1008 &");
      await shell.process.write(type("kill %1\n"));
      await expect.poll(idle, { message: "without its job" }).toBe(true);
      await doing(`(env -i setsid /bin/sleep 1009 </dev/null >/dev/null 2>&1 &)`);
      await shell.process.end();
      expect(await idle()).toBe(false);
      const instead = await run(null);
      await instead.process.write(type("exec sleep 1010\n"));
      await expect.poll(marked).toEqual(["sleep"]);
      expect(await instead.process.isIdle?.(), "another program in its place").toBe(false);
      await instead.process.end();
      const command = await run("read line");
      expect(await command.process.isIdle?.(), "no shell was asked for").toBe(false);
      await command.process.end();
    },
  );

  it("is ended with all that it has started", async () => {
    const shell = await run(null);
    await shell.process.write(type(`${jobs} echo $((40+2)) jobs; sleep 1005\n`));
    await shell.says("42 jobs");
    await expect.poll(async () => (await marked()).filter((one) => one === "sleep").length).toBe(6);
    await shell.process.end();
    expect(await commandLines(lostSleep)).toEqual([]);
    expect(shell.untold().at(-1)).toEqual({ type: "closed" });
    expect(test.ledger.terminals.list()).toEqual([]);
    expect(test.ledger.cleanups.listOpen()).toEqual([]);
  });

  it("goes on while what it has left runs, and then is over", async () => {
    const shell = await run("setsid sh -c 'while [ ! -e go ]; do sleep 0.05; done' & sleep 0.2");
    await expect.poll(shell.untold).toEqual([{ type: "exited", exitCode: 0 }]);
    expect(await marked()).not.toEqual([]);
    const other = await run("touch go");
    await expect.poll(other.untold).toContainEqual({ type: "closed" });
    await expect.poll(shell.untold).toContainEqual({ type: "closed" });
  });

  it("is lost with its connection, and what it has started is ended", async () => {
    const shell = await run(null);
    await shell.process.write(type(`${jobs} echo $((40+2)) jobs; sleep 1005\n`));
    await shell.says("42 jobs");
    connections[0]?.client.close();
    expect(shell.untold()).toMatchObject([{ type: "lost", fault: { code: "terminal_connection_lost" } }]);
    await expect.poll(() => test.ledger.terminals.list()).toEqual([]);
    expect(test.ledger.cleanups.listOpen()).toEqual([]);
  });

  it("is known to the next start, with the end of its output, and what runs of it is ended", async () => {
    const shell = await run(null);
    await shell.process.write(type(`${jobs} echo $((40+2)) jobs; sleep 1005\n`));
    await shell.says("42 jobs");
    const kept = () => {
      const names = readdirSync(join(test.root, "terminals")).filter((name) => name.endsWith(".out"));
      return names.map((name) => readFileSync(join(test.root, "terminals", name), "utf8")).join("");
    };
    await expect.poll(kept).toContain("42 jobs");
    const next = terminals();
    expect(next.left).toMatchObject([
      { place: { kind: "workspace", workspaceId: "w" }, command: null, cwd: test.root },
    ]);
    expect(Buffer.from(next.left[0]?.output ?? []).toString()).toContain("42 jobs");
    await next.endLeft();
    expect(test.ledger.terminals.list()).toEqual([]);
    expect(terminals().left).toEqual([]);
  });
});
