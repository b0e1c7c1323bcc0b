// Terminals in the folders of workspaces: which shell, where, with what environment; and what an earlier run has left of them.
//
// Races settled here:
// - Holdfast dies between the decision to start one and knowing its process: the intent is in the ledger first, with the id that
//   everything of it carries, so the next start finds it and ends it.
// - It is not known whether it was started (the connection broke): what carries its id is ended.
// - The folder is not there: codex would start it in the home folder instead, without a word. So it is looked at first; nothing
//   can be done about one that is removed in the very moment between.
// - The start is given up while codex is being started for it: nothing was asked for yet.

import { randomUUID } from "node:crypto";
import { access, constants, stat } from "node:fs/promises";
import { isAbsolute } from "node:path";
import type { Clock } from "../../clock";
import type { RpcClient } from "../../codex/rpcClient";
import { RequestFault, RpcFault } from "../../codex/rpcFault";
import { asFault, Fault } from "../../fault";
import type { TerminalsLedger } from "../../ledger/terminalsLedger";
import type { Log } from "../../log";
import type { Cleanups } from "../../supervisor/cleanups";
import { type ProcessTable, systemProcessTable } from "../../supervisor/processTree";
import { markedByLimit } from "../../supervisor/processTree/limitMark";
import { sharedSearches } from "../../supervisor/processTree/sharedSearches";
import type { LostTerminal } from "../../terminals/lostTerminal";
import type { PlaceEvent, PlaceProcess, TerminalPlace, TerminalRequest } from "../../terminals/place";
import { shellArguments } from "../../terminals/shellArguments";
import { KeptOutputs } from "./keptOutput";
import { LocalTerminal } from "./localTerminal";
import { type LoginShell, loginShell } from "./loginShell";
import { type TerminalSubject, terminalCleanup, terminalCleanupKind } from "./terminalCleanup";
import { endTerminalTree, findLeader, isAtPrompt, terminalVariable, whatRuns } from "./terminalTree";

/** A way to a workspace's codex that is nobody else's. */
export interface OwnConnection {
  client: RpcClient;
  codexPid: number;
}

export interface WorkspaceTerminalsOptions {
  clock: Clock;
  log: Log;
  ledger: TerminalsLedger;
  cleanups: Cleanups;
  /** For the ends of what they print. */
  folder: string;
  /** Throws the Fault that says why nothing can begin there. */
  presentFolder(workspaceId: string): Promise<string>;
  /** Starts codex if need be. `closed` is called once when it is over. */
  connect(workspaceId: string, closed: (fault: Fault) => void): Promise<OwnConnection>;
  /** The login environment. */
  variables(): Promise<Record<string, string>>;
}

/** Set for codex, and nothing to a person's shell. */
const codexOwn = ["LOG_FORMAT", "RUST_LOG"];

export class WorkspaceTerminals {
  /** What was open when an earlier run went away. */
  readonly left: readonly LostTerminal[];
  readonly #options: WorkspaceTerminalsOptions;
  readonly #outputs: KeptOutputs;
  /** Many terminals end at once, when codex or Holdfast does. */
  readonly #table: ProcessTable;
  readonly #leftSubjects: readonly TerminalSubject[];

  constructor(options: WorkspaceTerminalsOptions) {
    this.#options = options;
    this.#table = sharedSearches(systemProcessTable(options.clock));
    const { clock, log, folder, ledger, cleanups } = options;
    this.#outputs = new KeptOutputs({ folder, clock, log });
    const records = ledger.list();
    this.#outputs.keepOnly(new Set(records.map(({ terminalId }) => terminalId)));
    this.#leftSubjects = records;
    this.left = records.map(({ terminalId, workspaceId, command, cwd, beganAtMs }) => {
      const { output, size } = this.#outputs.read(terminalId) ?? { output: null, size: null };
      const place = { kind: "workspace" as const, workspaceId };
      return { place, command, cwd, startedAtMs: beganAtMs, output, size };
    });
    cleanups.register(terminalCleanupKind, (record) => this.#clean(record.subject as TerminalSubject));
  }

  /** Ends what an earlier run has left, on record. Never rejects. */
  async endLeft(): Promise<void> {
    await Promise.all(this.#leftSubjects.map((subject) => this.#clean(subject)));
  }

  place(workspaceId: string): TerminalPlace {
    return { resizable: true, start: (request, tell) => this.#start(workspaceId, request, tell) };
  }

  async #start(
    workspaceId: string,
    { command, cwd, columns, rows }: TerminalRequest,
    tell: (event: PlaceEvent) => void,
  ): Promise<{ process: PlaceProcess; cwd: string }> {
    const { ledger, connect, variables } = this.#options;
    const usual = await this.#options.presentFolder(workspaceId);
    const folder = cwd ?? usual;
    await checkFolder(folder);
    const environment = await variables();
    const shell = loginShell(environment);
    await checkShell(shell);
    const subject: TerminalSubject = { terminalId: randomUUID(), leader: null, workspaceId, command };
    ledger.starting({ ...subject, cwd: folder });
    const terminal = this.#terminal(subject, shell, tell);
    try {
      const { client, codexPid } = await connect(workspaceId, (fault) => terminal.lost(fault));
      await terminal.start(client, {
        command: markedByLimit(
          [shell.path, ...shellArguments(shell.name, command)],
          codexPid,
          subject.terminalId,
        ),
        cwd: folder,
        env: environmentOf(subject.terminalId, environment),
        columns,
        rows,
      });
      await this.#findLeader(subject, codexPid);
      return { process: terminal, cwd: folder };
    } catch (error) {
      terminal.leave();
      if (mayRun(error)) await this.#clean(subject);
      else this.#strikeOff(subject.terminalId);
      throw startFault(error, shell);
    }
  }

  #terminal(subject: TerminalSubject, shell: LoginShell, tell: (event: PlaceEvent) => void): LocalTerminal {
    const { clock, log } = this.#options;
    const { terminalId, command } = subject;
    const kept = this.#outputs.of(terminalId);
    return new LocalTerminal({
      terminalId,
      clock,
      log,
      tell(event) {
        if (event.type === "output") kept.add(event.bytes);
        if (event.type === "closed" || event.type === "lost") void kept.remove();
        tell(event);
      },
      sized: (size) => kept.sized(size),
      idle: async () => command === null && isAtPrompt(subject, shell.name, this.#table),
      running: async () => (await whatRuns(subject, this.#table)).length,
      endAll: () => this.#clean(subject),
      gone: async () => this.#strikeOff(terminalId),
    });
  }

  /** Without it what it starts is known by its mark all the same. */
  async #findLeader(subject: TerminalSubject, codexPid: number): Promise<void> {
    const { ledger, log } = this.#options;
    try {
      const leader = await findLeader(subject.terminalId, codexPid, this.#table);
      if (leader === null) return;
      subject.leader = leader;
      ledger.ledBy(subject.terminalId, leader);
    } catch (error) {
      log.warn("a terminal's process was not found", { error: asFault(error).message });
    }
  }

  #clean(subject: TerminalSubject): Promise<Fault | null> {
    const { cleanups, clock } = this.#options;
    return cleanups.perform(terminalCleanup(subject), async () => {
      const left = await endTerminalTree(subject, { table: this.#table, clock });
      if (left !== null) return left;
      this.#strikeOff(subject.terminalId);
      await this.#outputs.of(subject.terminalId).remove();
      return null;
    });
  }

  /** Should it stay on record, the next start finds that nothing of it is there. */
  #strikeOff(terminalId: string): void {
    try {
      this.#options.ledger.gone(terminalId);
    } catch (error) {
      const { message } = asFault(error);
      this.#options.log.error("the end of a terminal could not be written down", { terminalId, message });
    }
  }
}

async function checkFolder(path: string): Promise<void> {
  if (!isAbsolute(path)) {
    throw new Fault("path_not_absolute", `"${path}" is no full path.`, { hint: "Name the folder in full." });
  }
  const facts = await stat(path).catch(() => null);
  if (facts?.isDirectory()) return;
  throw new Fault("folder_missing", `There is no folder "${path}" on this machine.`, {
    hint: "Name one that is there.",
  });
}

function environmentOf(terminalId: string, variables: Record<string, string>): Record<string, string | null> {
  return {
    ...Object.fromEntries(codexOwn.map((name) => [name, variables[name] ?? null])),
    TERM: "xterm-256color",
    COLORTERM: "truecolor",
    TERM_PROGRAM: "Holdfast",
    [terminalVariable]: terminalId,
  };
}

/** It was asked for, and nobody knows whether it was done. */
function mayRun(error: unknown): boolean {
  return error instanceof RequestFault && error.method === "process/spawn" && error.written;
}

function startFault(error: unknown, { path }: LoginShell): unknown {
  if (!(error instanceof RpcFault)) return error;
  if (error.isUnknownMethod) {
    return new Fault("terminals_unknown", "This codex is too old to run terminals.", {
      hint: "Update codex, or choose another one in Settings.",
      cause: error,
    });
  }
  return /os error 2\b/.test(error.message) ? shellFault(path, error) : error;
}

/** On Linux it is started by another program: see limitMark.ts. */
async function checkShell({ path }: LoginShell): Promise<void> {
  if (!isAbsolute(path)) return;
  await access(path, constants.X_OK).catch((error: unknown) => {
    throw shellFault(path, error);
  });
}

function shellFault(path: string, cause: unknown): Fault {
  return new Fault("shell_missing", `Your login shell "${path}" is not there, or cannot be run.`, {
    hint: "Choose another one with chsh, then open the terminal again.",
    cause,
  });
}
