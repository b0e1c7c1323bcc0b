// For tests of scripts: a real sandbox in a real thread, a real repository, and a person and agents that the test plays.

import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { stripVTControlCharacters } from "node:util";
import { execa } from "execa";
import { systemClock } from "../../clock";
import { silentLog } from "../../log";
import { loadCellWorkers, type StartWorker } from "../runtime/cellWorker";
import { makeTestRuntime, type TestRuntime } from "../runtime/testCells";
import { type BundledWorker, bundleWorker } from "../runtime/testWorker";
import { type ToolArgs, type ToolName, type ToolResult, tools } from "../tools/tools";
import { shippedScripts } from "./shipped";

type Outcome = Partial<Omit<ToolResult<"waitForTurn">, "turnId">>;

export interface PlayedThread {
  threadId: string;
  settings: Omit<ToolArgs<"startThread">, "text">;
  turns: { text: string; outcome: Outcome | Promise<Outcome> }[];
}

export interface ScriptEnd {
  /** Without colours, and without what was told in a notification. */
  texts: string[];
  error: string | null;
}

let bundle: BundledWorker;
let start: StartWorker;

/** Once for all tests of a file. */
export async function bundleForScripts(): Promise<() => void> {
  bundle = await bundleWorker();
  start = await loadCellWorkers(bundle.path, silentLog);
  return () => bundle.remove();
}

export class ScriptWorld {
  readonly folder = realpathSync(mkdtempSync(join(tmpdir(), "holdfast-shipped-")));
  readonly repository = join(this.folder, "atlas");
  readonly threads: PlayedThread[] = [];
  readonly asked: { question: string; options: string[] | undefined }[] = [];
  readonly notices: string[] = [];
  readonly calls: ToolName[] = [];
  /** What the person answers. */
  answers: (question: string, options: string[]) => string = (question) => {
    throw new Error(`nobody answers: ${question}`);
  };
  /** How a turn ends that begins with this message. Throwing: it never begins. */
  agent: (text: string, thread: PlayedThread) => Outcome | Promise<Outcome> = () => ({});
  readonly #cells: TestRuntime;

  constructor() {
    mkdirSync(this.repository);
    this.#cells = makeTestRuntime({ loadWorkers: async () => start, clock: systemClock });
    this.#cells.delegate.answers = (work) => {
      if (work.kind === "notify") this.notices.push(work.name);
      if (work.kind !== "call") return work.resolve();
      const name = work.name as ToolName;
      this.calls.push(name);
      this.#do(name, work.args).then(
        (value) => work.resolve(tools[name].result.parse(value)),
        (error: Error) => work.reject(error),
      );
    };
  }

  async close(): Promise<void> {
    await this.#cells.runtime.shutdown();
    rmSync(this.folder, { recursive: true });
  }

  write(file: string, content: string, folder = this.repository): void {
    mkdirSync(dirname(join(folder, file)), { recursive: true });
    writeFileSync(join(folder, file), content);
  }

  async git(...args: string[]): Promise<string> {
    const { exitCode, stdout, stderr } = await run(["git", ...args], this.repository);
    if (exitCode !== 0) throw new Error(stderr);
    return stdout.trim();
  }

  /** A repository with one commit, on the branch main. */
  async makeRepository(files: Record<string, string>): Promise<void> {
    await this.git("init", "--quiet", "--initial-branch", "main");
    for (const [file, content] of Object.entries(files)) this.write(file, content);
    await this.commit();
  }

  async commit(): Promise<void> {
    await this.git("add", "--all");
    await this.git("commit", "--quiet", "--message", "a change");
  }

  begin(scriptName: string): { cellId: string; end: Promise<ScriptEnd> } {
    const script = shippedScripts.find(({ name }) => name === scriptName);
    if (!script) throw new Error(`there is no script “${scriptName}”`);
    const { cellId, event } = this.#cells.runtime.execute(script.source, {
      type: "yieldAfter",
      delayMs: 3_600_000,
    });
    const end = event.then((last) => {
      if (last.type === "yielded") throw new Error("the script goes on");
      return {
        texts: last.output.flatMap((item) =>
          item.type === "text" ? [stripVTControlCharacters(item.text)] : [],
        ),
        error: last.type === "completed" ? (last.error?.text ?? null) : "terminated",
      };
    });
    return { cellId, end };
  }

  async run(scriptName: string): Promise<ScriptEnd> {
    return this.begin(scriptName).end;
  }

  async stop(cellId: string): Promise<void> {
    await this.#cells.runtime.terminate(cellId);
  }

  async #do(name: ToolName, args: unknown): Promise<unknown> {
    switch (name) {
      case "ask": {
        const { question, options } = args as ToolArgs<"ask">;
        this.asked.push({ question, options });
        return { answer: this.answers(question, options ?? []) };
      }
      case "runCommand": {
        const { command, folder } = args as ToolArgs<"runCommand">;
        return run(command, folder ?? this.repository);
      }
      case "createWorktree": {
        const { name: branch, base } = args as ToolArgs<"createWorktree">;
        const folder = join(this.folder, branch.replaceAll("/", "-"));
        await this.git("worktree", "add", "--quiet", "-b", branch, folder, base ?? "HEAD");
        return { folder, branch };
      }
      case "startThread": {
        const { text, ...settings } = args as ToolArgs<"startThread">;
        const thread = { threadId: `thread-${this.threads.length + 1}`, settings, turns: [] };
        this.#turn(thread, text);
        this.threads.push(thread);
        return { threadId: thread.threadId };
      }
      case "sendMessage":
      case "queueFollowUp": {
        const { threadId, text } = args as ToolArgs<"sendMessage">;
        this.#turn(this.#thread(threadId), text);
        return { threadId };
      }
      case "waitForTurn": {
        const turn = this.#thread((args as ToolArgs<"waitForTurn">).threadId).turns.at(-1);
        return { turnId: "turn", status: "completed", answer: "", error: null, ...(await turn?.outcome) };
      }
      case "listThreads":
        return [...this.threads].reverse().map(({ threadId, turns }) => ({
          threadId,
          title: turns[0]?.text.split("\n")[0],
          state: "idle",
          folder: this.repository,
          updatedAtMs: 0,
        }));
      case "readThread": {
        const { turns } = this.#thread((args as ToolArgs<"readThread">).threadId);
        const read = turns.map(async ({ text, outcome }) => {
          const running = { status: "running" as const, answer: "" };
          const { status = "completed", answer = "" } = await Promise.race([outcome, running]);
          return {
            turnId: "turn",
            status,
            items: [
              { kind: "Script", text },
              { kind: "Agent", text: answer },
            ],
          };
        });
        return { title: "", state: "idle", turns: await Promise.all(read), hasOlder: false };
      }
      case "interrupt":
        throw new Error("no script does this");
      default:
        return name satisfies never;
    }
  }

  #thread(threadId: string): PlayedThread {
    const thread = this.threads.find((one) => one.threadId === threadId);
    if (!thread) throw new Error(`there is no thread ${threadId}`);
    return thread;
  }

  #turn(thread: PlayedThread, text: string): void {
    thread.turns.push({ text, outcome: this.agent(text, thread) });
  }
}

async function run(command: string[], folder: string): Promise<ToolResult<"runCommand">> {
  const [program = "", ...args] = command;
  const { exitCode, stdout, stderr } = await execa(program, args, {
    cwd: folder,
    reject: false,
    stripFinalNewline: false,
    extendEnv: false,
    env: { PATH: process.env.PATH, HOME: folder, GIT_CEILING_DIRECTORIES: dirname(folder), ...author },
  });
  return { exitCode: exitCode ?? 1, stdout, stderr, isCut: false };
}

const author = {
  GIT_CONFIG_NOSYSTEM: "1",
  GIT_AUTHOR_NAME: "A",
  GIT_AUTHOR_EMAIL: "a@example.org",
  GIT_COMMITTER_NAME: "A",
  GIT_COMMITTER_EMAIL: "a@example.org",
};
