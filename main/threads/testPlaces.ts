// For tests: environments, and what codex does with them, as it was measured. It has for each id the executor that it was
// told first, for as long as a thread has that id in the same folder; a thread that it loads is on this machine, and has
// every environment that the process knows besides.

import type { TurnEnvironmentParams } from "../codex/protocol/v2/TurnEnvironmentParams";
import { Fault } from "../fault";
import type { EnvironmentSource } from "./environments/environmentSource";
import type { Asked, TestThreads } from "./testThreads";

interface Located {
  url: string;
  identity: string;
  token: string | null;
}

interface Executor {
  url: string;
  token: string | null;
  isConnected: boolean;
}

interface Selected extends TurnEnvironmentParams {
  executor: Executor | null;
}

export const thisMachine = "this machine";

export class TestPlaces {
  readonly bench: TestThreads;
  /** By environment, its name and where it is. */
  readonly set = new Map<string, { name: string; located: Located }>();
  /** Addresses at which an executor answers. */
  readonly live = new Set<string>();
  /** What a request meets with on its way. */
  meet: (asked: Asked, work: () => unknown) => unknown = (_asked, work) => work();
  /** Where each turn has begun, by its id. */
  readonly begunAt = new Map<string, string>();
  /** Each turn that ran a command, and where. */
  readonly ran: { turnId: string; where: string }[] = [];
  locateFault: Fault | null = null;
  /** Those that Holdfast has been asked to connect to. */
  readonly attended: string[] = [];
  /** Holdfast's own connection does not come about. */
  isUnattended = false;
  #known = new Map<string, Executor>();
  /** Of the one thread; null: codex does not have it in memory. */
  #selected: Selected[] | null = null;
  #held: (() => void)[] | null = null;
  #count = 0;

  constructor(bench: TestThreads) {
    this.bench = bench;
    bench.environments = this.#source();
    bench.rule("environment/add", (asked) => this.meet(asked, () => this.#add(asked.params)));
    bench.rule("environment/status", (asked) => this.meet(asked, () => this.#status(asked.params)));
    bench.rule("environment/info", (asked) =>
      this.meet(asked, () => {
        const executor = this.#known.get(String(asked.params.environmentId));
        if (executor && this.#connects(executor))
          return { shell: { name: "bash", path: "/bin/bash" }, cwd: null };
        return new Error("failed to get info for environment: Connection refused (os error 111)");
      }),
    );
    bench.rule("thread/settings/update", (asked) =>
      this.meet(asked, () => this.select(asked.params.environments) ?? {}),
    );
  }

  /** A new executor for the environment, at an address of its own. The one before lives on, or does not. */
  place(environmentId: string, { oldLives = false, token = null as string | null } = {}): string {
    this.#count += 1;
    const url = `ws://127.0.0.1:${20_000 + this.#count}`;
    const before = this.set.get(environmentId);
    if (before && !oldLives) this.live.delete(before.located.url);
    this.live.add(url);
    const located = { url, identity: `executor ${this.#count}`, token };
    this.set.set(environmentId, { name: before?.name ?? `The ${environmentId}`, located });
    return url;
  }

  urlOf(environmentId: string): string | null {
    return this.set.get(environmentId)?.located.url ?? null;
  }

  /** Whoever asks where one is waits until `letLocate`. */
  holdLocating(): void {
    this.#held ??= [];
  }

  letLocate(): void {
    const held = this.#held ?? [];
    this.#held = null;
    for (const go of held) go();
  }

  get isLoaded(): boolean {
    return this.#selected !== null;
  }

  /** codex loads the thread, or has it in memory. Returns what it reports. */
  load(): TurnEnvironmentParams[] {
    this.#selected ??= [
      { environmentId: "local", cwd: this.bench.folder, executor: null },
      ...[...this.#known].map(([environmentId, executor]) => ({
        environmentId,
        cwd: this.bench.folder,
        executor,
      })),
    ];
    return this.#selected.map(({ environmentId, cwd }) => ({
      environmentId,
      cwd,
      runtimeWorkspaceRoots: [cwd],
    }));
  }

  unload(): void {
    this.#selected = null;
  }

  /** With a turn or for those to come. Returns codex's refusal, if it refuses. */
  select(environments: unknown): Error | null {
    if (environments === undefined) return null;
    const wished = environments as TurnEnvironmentParams[];
    const unknown = wished.find(
      ({ environmentId }) => environmentId !== "local" && !this.#known.has(environmentId),
    );
    if (unknown) return new Error(`unknown turn environment id \`${unknown.environmentId}\``);
    this.#selected = wished.map(({ environmentId, cwd }) => {
      const kept = this.#selected?.find((one) => one.environmentId === environmentId && one.cwd === cwd);
      return kept ?? { environmentId, cwd, executor: this.#known.get(environmentId) ?? null };
    });
    return null;
  }

  begun(turnId: string): void {
    const [first] = this.#selected ?? [];
    this.begunAt.set(turnId, first?.executor?.url ?? thisMachine);
  }

  /** The model has a command run. */
  work(turnId: string): void {
    const where = this.begunAt.get(turnId) ?? thisMachine;
    if (this.ran.some((one) => one.turnId === turnId)) return;
    if (where === thisMachine || this.live.has(where)) this.ran.push({ turnId, where });
  }

  /** The process goes. */
  die(): void {
    this.#known = new Map();
    this.#selected = null;
  }

  #add(params: Asked["params"]): unknown {
    const { environmentId, execServerUrl, authBearerToken } = params;
    const executor: Executor = {
      url: String(execServerUrl),
      token: typeof authBearerToken === "string" ? authBearerToken : null,
      isConnected: false,
    };
    this.#known.set(String(environmentId), executor);
    return {};
  }

  #status({ environmentId }: Asked["params"]): unknown {
    const executor = this.#known.get(String(environmentId));
    if (!executor) return { status: "unknown", error: "unknown environment id" };
    // One that it has lost it waits for, also where somebody answers at its address again.
    const isThere = executor.isConnected && this.live.has(executor.url);
    executor.isConnected = isThere;
    return isThere ? { status: "ready" } : { status: "disconnected", error: "exec-server is recovering" };
  }

  #connects(executor: Executor): boolean {
    const asked = [...this.set.values()].find(({ located }) => located.url === executor.url)?.located;
    executor.isConnected = this.live.has(executor.url) && (asked?.token ?? null) === executor.token;
    return executor.isConnected;
  }

  #source(): EnvironmentSource {
    return {
      list: () => [...this.set].map(([environmentId, { name }]) => ({ environmentId, name })),
      name: (environmentId) => this.set.get(environmentId)?.name ?? null,
      session: (environmentId) => {
        const url = this.urlOf(environmentId);
        const isConnected = url !== null && this.live.has(url) && !this.isUnattended;
        return isConnected ? Number(new URL(url).port) : null;
      },
      attend: (environmentId) => {
        this.attended.push(environmentId);
      },
      locate: async (environmentId) => {
        if (this.#held) await new Promise<void>((resolve) => this.#held?.push(resolve));
        if (this.locateFault) throw this.locateFault;
        const located = this.set.get(environmentId)?.located;
        if (!located) throw new Fault("environment_unknown", "There is no such environment any more.");
        const { url, identity, token } = located;
        return { url, identity, token: token === null ? null : { reveal: () => token } };
      },
    };
  }
}
