// Where one thread works: brings what was chosen for it to codex before codex begins anything in it, and says how it is.
//
// codex has a selection of environments for each thread that it has in memory, and takes its own when it loads one: this
// machine, and besides every environment that the process has been told of. So a thread of an environment is told its
// environment with each turn that is begun, and one of this machine is told to leave the others out.
//
// Races settled here:
// - Another place is chosen, or the environment removed, while codex connects to it: what was prepared does not count.
// - codex unloads the thread, or the connection goes: what it had selected counts no more, until it says what it has.
// - codex begins a turn by itself in a thread that it has not been told the environment of since it has loaded it: that turn
//   is stopped at its start, before the model has said a word.
// - An agent is loaded before its thread was told its environment: it is not (see threadEnvironments.ts).
// - codex refuses a turn: what it was told with it does not count.

import type { ThreadEnvironment as Selected } from "../../codex/protocol/v2/ThreadEnvironment";
import type { TurnEnvironmentParams } from "../../codex/protocol/v2/TurnEnvironmentParams";
import { asFault, Fault } from "../../fault";
import type { EnvironmentChoice } from "../../ledger/threadEnvironmentsLedger";
import type { Connection } from "../../supervisor/connection";
import type { HostedThread, ThreadHost } from "../host";
import { recordOf, stringOf, wordsOrNull } from "../loose";
import { note } from "../threadEvents";
import { deliveryUnknown } from "../threadFaults";
import { environmentOf } from "./codexEnvironments";
import { agentWaitsFault, notPlacedFault } from "./environmentFaults";
import { listLoaded } from "./loadedThreads";
import { PlaceHealth } from "./placeHealth";

const freshForMs = 1_000;

/** codex's name of this machine. */
const thisMachineId = "local";

interface Prepared {
  connection: Connection;
  choice: EnvironmentChoice;
  codexId: string;
}

export class ThreadPlace {
  readonly #host: ThreadHost;
  readonly #thread: HostedThread;
  readonly #changed: () => void;
  readonly #health: PlaceHealth;
  #prepared: Prepared | null = null;
  /** `thread/start` has been told: the first turn, which follows at once, need not ask again. */
  #freshUntilMs = 0;
  /** What codex has selected for the thread; null: not known. */
  #selected: readonly TurnEnvironmentParams[] | null = null;
  /** codex has said so, or answered what said so. */
  #isTold = false;

  /** `changed` is told when what waits may have to be kept elsewhere. */
  constructor(host: ThreadHost, thread: HostedThread, changed: () => void) {
    this.#host = host;
    this.#thread = thread;
    this.#changed = changed;
    this.#health = new PlaceHealth(host, thread, () => this.#choice);
  }

  get #choice(): EnvironmentChoice | null {
    return this.#host.environments.of(this.#thread);
  }

  /** What waits in the thread is kept in the ledger: codex would run it wherever its selection says. */
  get keepsQueueHere(): boolean {
    const [first] = this.#selected ?? [];
    return this.#choice !== null || (first !== undefined && isOurs(first));
  }

  /** codex has been told where the thread works, and has taken it in: so do agents that it loads from now on. */
  get isTold(): boolean {
    return this.#isTold && this.isSelected;
  }

  /** codex would begin a turn in the chosen environment, or there is none. */
  get isSelected(): boolean {
    const choice = this.#choice;
    if (choice === null) return true;
    const [first, ...others] = this.#selected ?? [];
    if (first === undefined || others.length > 0) return false;
    return environmentOf(first.environmentId) === choice.environmentId && first.cwd === choice.cwd;
  }

  /**
   * Has codex connect to where the environment is now. To be called before anything is begun, and nothing awaited between
   * that and `toSend`. Rejects with the Fault that says why nothing can be begun.
   */
  async prepare(connection: Connection): Promise<void> {
    const choice = this.#choice;
    if (choice === null) return;
    const isFresh = this.#host.clock.nowMs() < this.#freshUntilMs;
    this.#freshUntilMs = 0;
    if (isFresh && this.#isPreparedFor(connection)) return;
    this.#prepared = null;
    let codexId: string;
    try {
      codexId = await this.#host.environments.reach(connection, choice.environmentId);
    } catch (error) {
      if (this.#choice === choice) this.#health.failed(asFault(error));
      throw error;
    }
    if (this.#choice !== choice) return this.prepare(connection);
    this.#prepared = { connection, choice, codexId };
    this.#health.reached(codexId);
  }

  /** For thread/start, which the first turn follows at once. */
  async prepareStart(connection: Connection): Promise<TurnEnvironmentParams[] | undefined> {
    await this.prepare(connection);
    this.#freshUntilMs = this.#host.clock.nowMs() + freshForMs;
    return this.toSend(connection);
  }

  /** What codex is to be told with what it begins; undefined: it need not be told. Throws when nothing was prepared. */
  toSend(connection: Connection): TurnEnvironmentParams[] | undefined {
    const choice = this.#choice;
    if (choice === null) return this.#withoutOurs();
    const prepared = this.#prepared;
    if (prepared === null || !this.#isPreparedFor(connection)) throw notPlacedFault();
    return [{ environmentId: prepared.codexId, cwd: choice.cwd }];
  }

  /** What was prepared was for what has been begun, or has not; what comes next asks anew. */
  spend(): void {
    this.#prepared = null;
  }

  /**
   * It is being told so now: whatever it begins from now on begins there. Returns what to call when it has refused, and had
   * what it had before.
   */
  sending(environments: readonly TurnEnvironmentParams[] | undefined): () => void {
    this.spend();
    if (environments === undefined) return () => undefined;
    const before = { selected: this.#selected, isTold: this.#isTold };
    this.#select(environments, false);
    return () => {
      if (this.#selected === environments) this.#select(before.selected, before.isTold);
    };
  }

  /** What was being sent has been answered. */
  told(): void {
    this.#isTold = true;
  }

  /** Has codex begin there what it is asked to begin without being told where. Nothing was begun when it rejects. */
  async select(connection: Connection): Promise<void> {
    const environments = this.toSend(connection);
    const { threadId } = this.#thread;
    if (environments === undefined || threadId === null) return;
    try {
      await connection.client.request("thread/settings/update", { threadId, environments });
    } catch (error) {
      if (!deliveryUnknown(error)) throw error;
      // What may have arrived is the choice of a place, and no turn.
      this.#selected = null;
      const { code, message } = asFault(error);
      throw new Fault(code, message, { retryable: true, cause: error });
    }
    this.spend();
    this.#select(environments, true);
  }

  /** Back on this machine: codex is told at once, since it may begin what waits by itself. Never rejects. */
  async leave(connection: Connection): Promise<void> {
    if (this.#choice !== null) return;
    try {
      await this.select(connection);
    } catch (error) {
      // Each turn that is begun here says so again, and until then nothing waits in codex's queue.
      this.#host.log.info("a thread's place could not be told", { error: asFault(error).code });
    }
  }

  /** codex has said what it has selected, with the thread or with its settings. */
  reported(environments: readonly Selected[] | null | undefined): void {
    this.#select(Array.isArray(environments) ? environments.map(inWords) : null, true);
    const [first] = this.#selected ?? [];
    if (first) this.#found(first.environmentId);
  }

  /** codex asks whether a command may run in this environment of its own. */
  runsIn(codexId: unknown): void {
    this.#found(stringOf(codexId));
  }

  /** Rejects when codex would have the agent work at another place than its thread. */
  async checkLoad(connection: Connection): Promise<void> {
    const { threadId } = this.#thread;
    if (threadId === null || this.#host.environments.isRootSelected(this.#thread)) return;
    // What it has in memory already stays where it is, whoever asks for it.
    if (!(await listLoaded(connection)).includes(threadId)) throw agentWaitsFault();
  }

  /** Something is known anew of environments. */
  environmentsChanged(): void {
    this.#health.show();
    this.#health.environmentsChanged();
  }

  /** Somebody looks at the thread now. */
  shown(): void {
    this.#health.shown();
  }

  heard(method: string, params: unknown): void {
    const fields = recordOf(params);
    switch (method) {
      case "thread/settings/updated": {
        const { environments } = recordOf(fields.threadSettings);
        if (Array.isArray(environments)) this.reported(environments);
        break;
      }
      case "thread/environment/connected":
        this.#health.heard(fields.environmentId, "connected");
        break;
      case "thread/environment/disconnected":
        this.#health.heard(fields.environmentId, "disconnected");
        break;
      case "error":
        this.#health.failedTurn(wordsOrNull(recordOf(fields.error).message) ?? "");
        break;
      default:
    }
  }

  /** What codex runs in it, if it runs anything, was begun at another place: nothing is to be put into that. */
  get isElsewhere(): boolean {
    const { threadId } = this.#thread;
    // An agent works where the thread works that started it.
    return !this.isSelected && !(threadId !== null && this.#host.isAgent(threadId));
  }

  /** A turn has begun, whoever asked for it. Returns whether it is to be stopped, since it runs at another place. */
  isMisplaced(): boolean {
    if (!this.isElsewhere) return false;
    const words = "codex had begun this turn by itself, on this machine. It was stopped at once.";
    note(this.#thread.state, this.#host.clock.nowMs(), "error", words);
    return true;
  }

  /** codex has it in memory no more, or that is not known. */
  unloaded(): void {
    this.#selected = null;
    this.#prepared = null;
    this.#health.rest();
  }

  /** The process that was connected to it has gone. */
  processGone(): void {
    this.unloaded();
    this.#health.forget();
  }

  dispose(): void {
    this.#health.rest();
  }

  /** Another place has been chosen. */
  chosen(): void {
    this.#prepared = null;
    this.#freshUntilMs = 0;
    this.#health.forget();
  }

  show(): void {
    this.#health.show();
  }

  /** codex has the thread work there, in whatever folder. */
  #found(codexId: string): void {
    const choice = this.#choice;
    if (choice !== null && environmentOf(codexId) === choice.environmentId) this.#health.found(codexId);
  }

  #select(selected: readonly TurnEnvironmentParams[] | null, isTold: boolean): void {
    this.#selected = selected;
    this.#isTold = isTold;
    this.#changed();
  }

  #isPreparedFor(connection: Connection): boolean {
    const prepared = this.#prepared;
    if (prepared === null || prepared.connection !== connection) return false;
    if (prepared.choice !== this.#choice) return false;
    return this.#host.environments.name(prepared.choice.environmentId) !== null;
  }

  /** For a thread of this machine: what codex has selected, without the environments that others have been given. */
  #withoutOurs(): TurnEnvironmentParams[] | undefined {
    const selected = this.#selected;
    if (selected === null || !selected.some(isOurs)) return undefined;
    const others = selected.filter((one) => !isOurs(one));
    if (others.length > 0) return others;
    const { workspaceId } = this.#thread;
    return [{ environmentId: thisMachineId, cwd: this.#host.folderPath(workspaceId) }];
  }
}

function isOurs({ environmentId }: TurnEnvironmentParams): boolean {
  return environmentOf(environmentId) !== null;
}

function inWords(selected: unknown): TurnEnvironmentParams {
  const fields = recordOf(selected);
  const roots = fields.runtimeWorkspaceRoots;
  return {
    environmentId: stringOf(fields.environmentId),
    cwd: stringOf(fields.cwd),
    ...(Array.isArray(roots) && { runtimeWorkspaceRoots: roots.map(stringOf) }),
  };
}
