// Runs a set-up script in a new worktree: the person's own command line, in the person's own shell, as a process that
// Holdfast owns. It is on record before it is spawned, marked, in a group of its own, and ended with all that it has started,
// also what it has put into the background.
//
// Races, and what settles each:
// - Holdfast dies while it runs: the next start finds it by its record and its marker, and ends what is left of it.
// - It ends just when it is to be ended: one end, with the exit code if it had one.
// - What it has started holds its output open after it has ended: that is ended with it, so the output ends too; nobody waits
//   longer than a moment for the rest of it.
// - It cannot be ended: it is owed as a cleanup, and tried again.
// - Its worktree is removed under it, from outside: what it does there comes to nothing, so it is ended, and that is said.

import { randomUUID } from "node:crypto";
import { stat } from "node:fs/promises";
import { basename, isAbsolute } from "node:path";
import type { SetupEndingView } from "../../../../preload/contract/worktrees";
import type { Clock, Timer } from "../../../clock";
import { asFault, Fault } from "../../../fault";
import { toFaultView } from "../../../faultView";
import type { NewCleanup } from "../../../ledger/cleanupsLedger";
import type { HandleRecord, HandlesLedger } from "../../../ledger/handlesLedger";
import type { Log } from "../../../log";
import type { Cleanups } from "../../../supervisor/cleanups";
import { endHandleTree } from "../../../supervisor/handleTree";
import { markedByLimit } from "../../../supervisor/processTree/limitMark";
import { spawnOnRecord } from "../../../supervisor/spawnOnRecord";
import { Printed } from "./printed";
import { SetupLog, setupLogPath } from "./setupLog";

/** The profile under which the ledger has the handle of a set-up script. */
export const setupProfileId = "worktree set-up";
export const setupCleanupKind = "worktree set-up";
const program = "The set-up script";
const restOfOutputMs = 1_000;
const lookAtFolderMs = 1_000;

export interface SetupScriptContext {
  handles: HandlesLedger;
  cleanups: Cleanups;
  clock: Clock;
  log: Log;
  /** Holdfast's home. */
  owner: string;
  logs: string;
  /** The person's login environment. */
  variables(): Promise<Record<string, string>>;
}

export interface SetupScriptWish {
  startId: string;
  /** What the worktree is. */
  workspaceId: string;
  script: string;
  folder: string;
  /** What is said when that is not there any more. */
  noFolder(cause?: unknown): Fault;
}

/** What comes before the script. The folder that the worktree was made from. */
type Prepare = (printed: Printed, stopped: AbortSignal) => Promise<{ mainFolder: string }>;

export class SetupScript {
  readonly runId = randomUUID();
  readonly printed: Printed;
  /** Resolves once, when nothing of it is left or what is left is owed. Never rejects. */
  readonly ended: Promise<SetupEndingView>;
  readonly #context: SetupScriptContext;
  readonly #wish: SetupScriptWish;
  readonly #kept: SetupLog;
  #leader: { pid: number; startTime: string } | null = null;
  readonly #stopped = new AbortController();
  #isFolderGone = false;

  constructor(context: SetupScriptContext, wish: SetupScriptWish, prepare: Prepare) {
    this.#context = context;
    this.#wish = wish;
    this.#kept = new SetupLog(setupLogPath(context.logs, wish.workspaceId), context.log);
    this.printed = new Printed(context.clock, (text) => this.#kept.add(text));
    this.ended = this.#run(prepare).then(async (ending) => {
      this.printed.end();
      await this.#kept.end(this.printed.text, ending);
      return ending;
    });
  }

  /** Ends it with all that it has started. */
  stop(): void {
    this.#stopped.abort();
  }

  async #run(prepare: Prepare): Promise<SetupEndingView> {
    const { clock } = this.#context;
    const startedAtMs = clock.nowMs();
    const ending = (
      how: SetupEndingView["how"],
      more: Partial<Omit<SetupEndingView, "how">> = {},
    ): SetupEndingView => ({
      how,
      exitCode: null,
      signal: null,
      durationMs: clock.nowMs() - startedAtMs,
      fault: null,
      ...more,
    });
    const { signal: stopped } = this.#stopped;
    try {
      const { mainFolder } = await prepare(this.printed, stopped);
      if (stopped.aborted) return ending("stopped");
      if (this.#wish.script.trim() === "") return ending("done");
      const { exitCode, signal } = await this.#whileFolderIsThere(() => this.#spawn(mainFolder));
      if (this.#isFolderGone && exitCode !== 0) {
        return ending("folder gone", { exitCode, signal, fault: toFaultView(this.#wish.noFolder()) });
      }
      if (exitCode === 0) return ending("done", { exitCode });
      return ending(stopped.aborted ? "stopped" : "failed", { exitCode, signal });
    } catch (error) {
      return ending("not started", { fault: toFaultView(asFault(error)) });
    }
  }

  async #spawn(mainFolder: string): Promise<{ exitCode: number | null; signal: string | null }> {
    const { variables } = this.#context;
    const environment = await variables();
    const { startId, workspaceId, script, folder } = this.#wish;
    const handleId = this.runId;
    const { child, leader } = await spawnOnRecord(
      {
        program,
        intent: {
          handleId,
          sessionId: startId,
          workspaceId,
          profileId: setupProfileId,
          marker: handleId,
          command: { ...marked(shellCommand(environment, script), handleId), workingDirectory: folder },
          channel: { kind: "stdio" },
          teardown: null,
          logPath: this.#kept.path,
        },
        environment: { ...environment, PWD: folder, HOLDFAST_MAIN_CHECKOUT: mainFolder },
      },
      this.#context,
    ).catch((error: unknown) => {
      const fault = asFault(error);
      if (fault.code !== "codex_not_startable") throw error;
      throw new Fault("setup_not_startable", fault.message, {
        hint: "See whether the folder of the worktree is there, and whether your shell can be started.",
        ...(fault.detail !== undefined && { detail: fault.detail }),
        cause: error,
      });
    });
    this.#leader = leader;
    const { stdin, stdout } = child;
    // It is not asked anything. What it reads ends at once.
    stdin?.on("error", () => {});
    stdin?.end();
    stdout?.setEncoding("utf8");
    stdout?.on("data", (text: string) => this.printed.add(text));
    stdout?.on("error", () => {});
    const closed = new Promise<void>((resolve) => child.once("close", () => resolve()));
    const exited = new Promise<{ exitCode: number | null; signal: string | null }>((resolve) => {
      child.once("exit", (exitCode, signal) => resolve({ exitCode, signal }));
    });
    const asked = new Promise<null>((resolve) => {
      const { signal: stopped } = this.#stopped;
      stopped.addEventListener("abort", () => resolve(null), { once: true });
      if (stopped.aborted) resolve(null);
    });
    const exit = await Promise.race([exited, asked]);
    await this.#end();
    await this.#orSoon(closed);
    stdout?.destroy();
    return exit ?? (await this.#orSoon(exited)) ?? { exitCode: null, signal: null };
  }

  /** It is stopped when its folder goes, or makes way for another one. */
  async #whileFolderIsThere<Result>(task: () => Promise<Result>): Promise<Result> {
    const { clock } = this.#context;
    const { folder } = this.#wish;
    const first = await identityOf(folder);
    let timer = null as Timer | null;
    let isOver = false;
    const look = async () => {
      const found = await identityOf(folder);
      if (isOver) return;
      const isSame = found === first || [first, found].includes("unknown");
      if (isSame) timer = clock.after(lookAtFolderMs, () => void look());
      else {
        this.#isFolderGone = true;
        this.stop();
      }
    };
    void look();
    try {
      return await task();
    } finally {
      isOver = true;
      timer?.cancel();
    }
  }

  async #orSoon<Value>(value: Promise<Value>): Promise<Value | null> {
    return new Promise((resolve) => {
      const timer = this.#context.clock.after(restOfOutputMs, () => resolve(null));
      void value.then((known) => {
        timer.cancel();
        resolve(known);
      });
    });
  }

  #end(): Promise<Fault | null> {
    const { cleanups } = this.#context;
    return cleanups.perform(cleanupOf(this.runId, this.#leader?.pid ?? null), () =>
      endTree(this.#context, this.runId, this.#leader),
    );
  }
}

/** What is left of scripts that an earlier run has started is ended, now and until it succeeds. Call once, at the start. */
export function endLeftScripts(context: Omit<SetupScriptContext, "variables">): void {
  const { handles, cleanups } = context;
  const end = (record: HandleRecord) =>
    endTree(context, record.handleId, record.facts && { ...record.facts });
  cleanups.register(setupCleanupKind, (cleanup) => {
    const { handleId } = cleanup.subject as { handleId: string };
    const record = handles.get(handleId);
    return cleanups.perform(cleanup, async () => (record && record.state !== "gone" ? end(record) : null));
  });
  for (const record of handles.listNotGone()) {
    if (record.profileId !== setupProfileId) continue;
    void cleanups.perform(cleanupOf(record.handleId, record.facts?.pid ?? null), () => end(record));
  }
}

async function endTree(
  { handles, clock, log }: Pick<SetupScriptContext, "handles" | "clock" | "log">,
  handleId: string,
  leader: { pid: number; startTime: string } | null,
): Promise<Fault | null> {
  const left = await endHandleTree({ handleId, leader, program }, clock, undefined, {
    beforeTermMs: 0,
  }).catch((error: unknown) => asFault(error));
  try {
    if (handles.get(handleId)?.state !== "gone") {
      if (left) handles.retired(handleId);
      else handles.gone(handleId, null);
    }
  } catch (error) {
    // The next start finds that it is not there.
    log.error("the end of a set-up script could not be written down", { error: asFault(error).message });
  }
  return left;
}

function cleanupOf(handleId: string, pid: number | null): NewCleanup {
  return {
    id: `process:${handleId}`,
    kind: setupCleanupKind,
    subject: { handleId, pid },
    reason: "The set-up of a worktree has ended, and nothing that it has started may stay behind.",
  };
}

/** Which folder it is; null: none; "unknown": it cannot be looked at now. Never rejects. */
async function identityOf(folder: string): Promise<string | null> {
  return stat(folder, { bigint: true }).then(
    ({ dev, ino }) => `${dev}:${ino}`,
    (error: NodeJS.ErrnoException) => (error.code === "ENOENT" ? null : "unknown"),
  );
}

/** A shell starts others at once: it is marked before it begins. */
function marked({ file, args }: { file: string; args: string[] }, handleId: string) {
  const [shell = file, ...all] = markedByLimit([file, ...args], process.pid, handleId);
  return { file: shell, args: all };
}

const shells = new Set(["bash", "zsh", "sh", "dash", "ksh", "fish"]);

/** The script is one argument of a shell; nothing is put together from pieces. */
export function shellCommand(
  environment: Record<string, string>,
  script: string,
  platform: NodeJS.Platform = process.platform,
): { file: string; args: string[] } {
  if (platform === "win32") {
    return {
      file: environment.ComSpec ?? environment.COMSPEC ?? "cmd.exe",
      args: ["/d", "/s", "/c", script],
    };
  }
  const own = environment.SHELL ?? "";
  const shell = isAbsolute(own) && shells.has(basename(own)) ? own : "/bin/sh";
  // Both outputs are one, in the order in which they are written.
  return { file: "/bin/sh", args: ["-c", 'exec "$@" 2>&1', "sh", shell, "-l", "-c", script] };
}
