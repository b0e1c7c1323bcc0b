// Environments as the rest of Holdfast knows them: what is set, and what can be asked of each (knownEnvironment.ts).
//
// Races settled here:
// - One is removed while something is asked of it: what was asked fails as disconnected, and what comes of it later changes
//   nothing, since only what is on the list is shown.
// - One is removed, or set in another way, and writing that down fails: nothing has changed.
// - Connections come and go faster than windows can show: changes are told merged (mergedTelling.ts); what a person asked for is
//   told before the answer to it.
// - The exec-server of a local one is stopped while it is in use: the environment lets go of it first. A connection that is lost
//   is made anew, and that would start it again.

import { isDeepStrictEqual } from "node:util";
import type { CallParams, CallResult } from "../../preload/contract";
import {
  type EnvironmentView,
  type RegistryView,
  registryViewSchema,
  type WayStep,
} from "../../preload/contract/environments";
import type { Clock } from "../clock";
import { Fault } from "../fault";
import type { LeftSession } from "../ledger/executorRecordsLedger";
import type { Ledger } from "../ledger/ledger";
import type { Log } from "../log";
import { checkedRegistry, checkedToken, chosenRegistry, readToken, usualToken } from "./chosenRegistry";
import type { Environment } from "./client/environment";
import { connectExecutor } from "./client/executorConnection";
import { LiveEnvironments } from "./client/liveEnvironments";
import type { Secret } from "./client/secret";
import { listFolder, readTextFile } from "./folders";
import { KnownEnvironment } from "./knownEnvironment";
import { endLeftBehind } from "./leftBehind";
import type { LocalServers } from "./local/localServers";
import { MergedTelling } from "./mergedTelling";
import type { Registry } from "./registries/registry";
import { tidyName } from "./tidyName";
import type { KeyStore } from "./tokens/keyStore";
import { Tokens } from "./tokens/tokens";
import { checkUnused, type Use } from "./use";
import { inspectWay } from "./way/inspectWay";

export interface EnvironmentsOptions {
  clock: Clock;
  log: Log;
  ledger: Ledger;
  keyStore: KeyStore;
  /** The exec-servers of local ones. */
  servers: Pick<LocalServers, "registry" | "view" | "logPath" | "start" | "stop">;
  /** Of the codex that is used here; null: not known. */
  codexVersion(): Promise<string | null>;
  /** What a command that is asked gets to see: the person's login environment. */
  environment(): Promise<Record<string, string | undefined>>;
  /** The titles of threads and terminals that use it, and of those among them that something runs for right now. */
  use(environmentId: string): { using: Use; running: Use };
  changed(environments: EnvironmentView[]): void;
}

export class Environments {
  readonly #options: EnvironmentsOptions;
  readonly #live: LiveEnvironments;
  readonly #tokens: Tokens;
  readonly #entries = new Map<string, KnownEnvironment>();
  readonly #telling: MergedTelling<EnvironmentView[]>;
  /** The names of those that cannot be read. They are left in the ledger: a later Holdfast may have written them. */
  readonly unreadable: string[] = [];
  /** What ran in those that are listed when an earlier run of Holdfast went away without ending it. */
  readonly left: readonly LeftSession[];
  readonly #ending = new AbortController();

  constructor(options: EnvironmentsOptions) {
    this.#options = options;
    const { clock, log, ledger, keyStore } = options;
    this.#tokens = new Tokens({
      ledger: ledger.environmentTokens,
      keyStore,
      log,
      changed: () => this.#telling.soon(),
    });
    this.#live = new LiveEnvironments({
      clock,
      log,
      random: Math.random,
      credentials: (environmentId) => this.#tokens.credentials(environmentId),
      connect: connectExecutor,
      records: ledger.executorRecords,
      env: options.environment,
      onState: (environmentId, state) => this.#entries.get(environmentId)?.stateChanged(state),
    });
    for (const { environmentId, name, registry } of ledger.environments.list()) {
      const { success, data } = registryViewSchema.safeParse(registry);
      if (success) this.#open(environmentId, name, data);
      else this.unreadable.push(name);
    }
    if (this.unreadable.length > 0)
      log.error("environments cannot be read", { count: this.unreadable.length });
    const left = ledger.executorRecords.settleAll();
    if (left.length > 0) log.info("what ran in environments was left behind", { sessions: left.length });
    this.left = left.filter(({ environmentId }) => this.#entries.has(environmentId));
    this.#telling = new MergedTelling({ clock, read: () => this.views, tell: options.changed });
  }

  /** In the order in which they were added. */
  get views(): EnvironmentView[] {
    return [...this.#entries.values()].map((entry) => entry.view);
  }

  /** Null: there is none of this id, any more. */
  name(environmentId: string): string | null {
    return this.#entries.get(environmentId)?.name ?? null;
  }

  /** Of the executor that is connected now; null: none is. */
  session(environmentId: string): number | null {
    const state = this.#entries.get(environmentId)?.environment.state;
    return state?.phase === "connected" ? state.session : null;
  }

  /** The same, when it is one whose exec-server Holdfast runs. */
  localName(environmentId: string): string | null {
    const entry = this.#entries.get(environmentId);
    return entry?.registry.kind === "local" ? entry.name : null;
  }

  /** Throws Fault `environment_unknown`. */
  get(environmentId: string): Environment {
    return this.#entry(environmentId).environment;
  }

  /**
   * Where it is now, for a codex that connects to it itself. Asked of its registry at each call; a local exec-server is started.
   * Rejects with the Fault that says why it cannot be told. The token is for that one message.
   */
  async locate(environmentId: string): Promise<{ url: string; identity: string; token: Secret | null }> {
    const target = await this.get(environmentId).locate();
    // What runs there is lost with it: who watches has to hear of that at once, and codex is long about it.
    this.attend(environmentId);
    return target;
  }

  /** Has it connected to, so that its loss is known at once. Never throws. */
  attend(environmentId: string): void {
    // It may have been removed meanwhile; then there is nothing to watch.
    void this.check(environmentId).catch(() => undefined);
  }

  /** Throws Fault `environment_invalid`, `environment_name_taken`, `environment_name_invalid`, `token_invalid` or `token_unsafe`. */
  add(name: string, registry: RegistryView, tokens: { name: string; token: string }[]): string {
    const names = tokens.map((token) => token.name);
    if (new Set(names).size < names.length) {
      throw new Fault("token_invalid", "Two tokens have the same name.", { hint: "Give each its own." });
    }
    const checked = checkedRegistry(registry, names);
    const secrets = tokens.map(({ name, token }) => ({ name, secret: checkedToken(checked, name, token) }));
    const tidyName = this.#freeName(name, null);
    const { ledger } = this.#options;
    const environmentId = ledger.transaction(() => {
      const id = ledger.environments.add({ name: tidyName, registry: checked });
      for (const { name, secret } of secrets) this.#tokens.add(id, name, secret);
      return id;
    });
    this.#open(environmentId, tidyName, checked);
    this.#telling.now();
    return environmentId;
  }

  /** Throws as `add` does, and Fault `environment_kind_fixed`. */
  change(environmentId: string, name: string, registry: RegistryView): void {
    const entry = this.#entry(environmentId);
    if ((entry.registry.kind === "local") !== (registry.kind === "local")) {
      throw new Fault(
        "environment_kind_fixed",
        "An environment stays on this machine or elsewhere, as it was added.",
        {
          hint: "Add another environment instead.",
        },
      );
    }
    const names = this.#tokens.list(environmentId).map((token) => token.name);
    const checked = checkedRegistry(registry, names);
    const tidyName = this.#freeName(name, environmentId);
    this.#options.ledger.environments.change({ environmentId, name: tidyName, registry: checked });
    entry.name = tidyName;
    if (!isDeepStrictEqual(entry.registry, checked)) {
      entry.registry = checked;
      this.#setRegistry(environmentId, checked);
      entry.settingsChanged();
    }
    this.#telling.now();
  }

  /** Holds from the next connection. Throws Fault `token_invalid` or `token_unsafe`. */
  setToken(environmentId: string, name: string, token: string | null): void {
    const entry = this.#entry(environmentId);
    if (token === null) this.#tokens.forget(environmentId, name);
    else this.#tokens.set(environmentId, name, checkedToken(entry.registry, name, token));
    entry.settingsChanged();
    this.#telling.now();
  }

  /** Rejects with Fault `environment_in_use`. Bounded. */
  async remove(environmentId: string, { evenIfUsed }: { evenIfUsed: boolean }): Promise<void> {
    const { registry } = this.#entry(environmentId);
    if (!evenIfUsed) checkUnused(this.#options.use(environmentId).using, "remove");
    this.#options.ledger.environments.remove(environmentId);
    this.#tokens.dropAll(environmentId);
    this.#entries.delete(environmentId);
    this.#telling.now();
    await this.#live.remove(environmentId);
    if (registry.kind === "local") await this.#options.servers.stop(environmentId);
  }

  /** The outcome is its `check`; rejects only when there is no such environment. Bounded. */
  async check(environmentId: string): Promise<void> {
    await this.#entry(environmentId).check();
  }

  /** Rejects with why it did not work. Bounded. */
  async refresh(environmentId: string): Promise<void> {
    await this.#entry(environmentId).refresh();
  }

  /** Resolves when its exec-server runs. Rejects with Fault `environment_not_local`, or why it cannot be started. */
  async start(environmentId: string): Promise<void> {
    const entry = this.#localEntry(environmentId);
    await this.#options.servers.start(environmentId);
    this.#telling.now();
    // With what its connection has failed before is of the one before it: whether this one answers is seen now.
    if (this.#entries.get(environmentId) === entry) await this.check(environmentId);
  }

  /** Rejects with Fault `environment_in_use` or `environment_not_local`. */
  async stop(environmentId: string, { evenIfUsed }: { evenIfUsed: boolean }): Promise<void> {
    const { environment } = this.#localEntry(environmentId);
    if (!evenIfUsed) checkUnused(this.#options.use(environmentId).running, "stop");
    await environment.letGo();
    await this.#options.servers.stop(environmentId);
    this.#telling.now();
  }

  /** Rejects as the environment does. */
  async list(environmentId: string, path: string | null): Promise<CallResult<"environments.list">> {
    return listFolder(this.get(environmentId), path);
  }

  /** Rejects as the environment does. */
  async readFile(environmentId: string, path: string): Promise<CallResult<"environments.readFile">> {
    return readTextFile(this.get(environmentId), path);
  }

  /** Rejects only with Fault `environment_unknown`, `token_invalid`, or why a saved token cannot be had. Bounded. */
  async inspectWay({ url, token, environmentId }: CallParams<"environments.inspectWay">): Promise<WayStep[]> {
    const { clock, log, codexVersion } = this.#options;
    const typed = token === null ? null : readToken(token);
    const saved = typed === null && environmentId !== null ? await this.#usualToken(environmentId) : null;
    return inspectWay({ url: url.trim(), token: typed ?? saved }, { clock, log, codexVersion });
  }

  /** Of the exec-server of a local one; null when there is none. */
  logPath(environmentId: string): string | null {
    return this.#options.servers.logPath(environmentId);
  }

  /** Something of an exec-server that runs on this machine has changed. */
  serverChanged(): void {
    this.#telling.soon();
  }

  /** Ends what an earlier run has left. Once; bounded; never rejects. */
  async endLeft(): Promise<void> {
    const { clock, log } = this.#options;
    await endLeftBehind(this.left, {
      clock,
      log,
      random: Math.random,
      registry: (environmentId) => {
        const entry = this.#entries.get(environmentId);
        return entry ? this.#registry(environmentId, entry.registry) : null;
      },
      credentials: (environmentId) => this.#tokens.credentials(environmentId),
      connect: connectExecutor,
      signal: this.#ending.signal,
    });
  }

  /** Lets go of all of them. Bounded; never rejects. */
  async shutDown(): Promise<void> {
    this.#ending.abort();
    await this.#live.closeAll();
    // What ended is told, and written down, in the next round.
    await new Promise((resolve) => setImmediate(resolve));
    this.#telling.end();
  }

  #open(environmentId: string, name: string, registry: RegistryView): void {
    const { clock, log, servers } = this.#options;
    const entry = new KnownEnvironment({
      environmentId,
      name,
      registry,
      environment: this.#setRegistry(environmentId, registry),
      clock,
      log,
      tokens: () => this.#tokens.list(environmentId),
      server: () => servers.view(environmentId),
      changed: (how) => {
        if (this.#entries.get(environmentId) === entry) this.#telling[how]();
      },
    });
    this.#entries.set(environmentId, entry);
  }

  #setRegistry(environmentId: string, registry: RegistryView): Environment {
    return this.#live.setRegistry(environmentId, this.#registry(environmentId, registry));
  }

  #registry(environmentId: string, registry: RegistryView): Registry {
    const { clock, environment, servers } = this.#options;
    if (registry.kind === "local") return servers.registry(environmentId);
    const hasToken = () => this.#tokens.has(environmentId, usualToken);
    return chosenRegistry(registry, hasToken, { clock, env: environment });
  }

  #entry(environmentId: string): KnownEnvironment {
    const entry = this.#entries.get(environmentId);
    if (entry) return entry;
    throw new Fault("environment_unknown", "There is no such environment any more.", {
      detail: environmentId,
    });
  }

  async #usualToken(environmentId: string): Promise<Secret | null> {
    this.#entry(environmentId);
    return this.#tokens.get(environmentId, usualToken);
  }

  #localEntry(environmentId: string): KnownEnvironment {
    const entry = this.#entry(environmentId);
    if (entry.registry.kind === "local") return entry;
    throw new Fault("environment_not_local", "Holdfast does not run the exec-server of this environment.", {
      hint: "Start or stop it where it runs.",
    });
  }

  /** People choose by name: two of the same would be taken for each other. */
  #freeName(name: string, environmentId: string | null): string {
    const wanted = tidyName(name);
    for (const [id, entry] of this.#entries) {
      if (looksLike(entry.name) === looksLike(wanted) && id !== environmentId) {
        throw new Fault(
          "environment_name_taken",
          `There is an environment with the name "${entry.name}" already.`,
          {
            hint: "Give this one another name.",
          },
        );
      }
    }
    return wanted;
  }
}

/** Of two names that are the same to whoever reads them: neither case nor spaces tell them apart. */
function looksLike(name: string): string {
  return name.normalize("NFKC").toLowerCase().replace(/\s+/g, "");
}
