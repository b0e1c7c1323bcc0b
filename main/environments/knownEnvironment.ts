// One environment that is set, with what is known of it and shown: how it is connected, what its executor has said of itself, and
// what came of the last question whether it is there.
//
// Races settled here:
// - What an executor says of itself comes after it has been replaced: only what is said over the session in use is kept.
// - Two check it: one question, and one answer for both.
// - How it is found, or its token, is changed: what failed before says nothing of that and is not shown any more, neither when the
//   attempt was over by then nor when it still runs. A check that came upon such an attempt asks again.
// - It is removed while something is asked of it: what comes of that is told nobody (environments.ts looks whether it is listed).

import type { EnvironmentView, ExecutorInfo, RegistryView } from "../../preload/contract/environments";
import type { Clock } from "../clock";
import { asFault, type Fault } from "../fault";
import { toFaultView } from "../faultView";
import type { Log } from "../log";
import { askedAgain } from "./client/disconnected";
import type { Environment } from "./client/environment";
import type { ConnectionState } from "./client/environmentState";
import { connectionView, infoView } from "./environmentViews";

export interface KnownEnvironmentOptions {
  environmentId: string;
  name: string;
  registry: RegistryView;
  environment: Environment;
  clock: Clock;
  log: Log;
  tokens(): EnvironmentView["tokens"];
  /** Of a local one. */
  server(): NonNullable<EnvironmentView["server"]>;
  /** `now`: a person waits for it. */
  changed(how: "now" | "soon"): void;
}

export class KnownEnvironment {
  readonly environment: Environment;
  name: string;
  registry: RegistryView;
  readonly #options: KnownEnvironmentOptions;
  /** Counts only while it is connected. */
  #connectedAtMs = 0;
  #info: ExecutorInfo | null = null;
  #check: EnvironmentView["check"] = null;
  #checking: Promise<void> | null = null;
  /** How many are under way or wait. */
  #refreshes = 0;
  /** Counts the changes of how it is connected to. */
  #settings = 0;
  /** With which of them the attempt under way has begun. */
  #attemptSettings = 0;
  /** What the last attempt with earlier ones has failed with. */
  #outdated: Fault | null = null;

  constructor(options: KnownEnvironmentOptions) {
    this.#options = options;
    this.environment = options.environment;
    this.name = options.name;
    this.registry = options.registry;
  }

  get view(): EnvironmentView {
    const { environmentId, tokens, server } = this.#options;
    const { name, registry } = this;
    return {
      environmentId,
      name,
      registry,
      tokens: tokens(),
      connection: connectionView(this.#shownState, this.#connectedAtMs),
      info: this.#info,
      check: this.#check,
      refreshing: this.#refreshes > 0,
      server: registry.kind === "local" ? server() : null,
    };
  }

  /** It is connected to in another way from now on. */
  settingsChanged(): void {
    this.#settings += 1;
    const { state } = this.environment;
    if (state.phase === "disconnected") this.#outdated = state.fault;
    // The answer of a connection that is there is still its answer.
    if (state.phase !== "connected" || this.#check?.fault) this.#check = null;
  }

  stateChanged(state: ConnectionState): void {
    if (state.phase === "connecting") this.#attemptSettings = this.#settings;
    if (state.phase === "disconnected" && this.#attemptSettings !== this.#settings) {
      this.#outdated = state.fault;
    }
    if (state.phase === "connected") {
      this.#connectedAtMs = this.#options.clock.nowMs();
      void this.#readInfo(state.session);
    }
    this.#options.changed("soon");
  }

  /** The outcome is in the view; never rejects. Bounded. */
  check(): Promise<void> {
    this.#checking ??= this.#ask().finally(() => {
      this.#checking = null;
    });
    return this.#checking;
  }

  /** Rejects with why it did not work. Bounded. */
  async refresh(): Promise<void> {
    this.#refreshes += 1;
    this.#options.changed("now");
    try {
      await this.environment.refresh();
      // It has answered just now; how quickly is known only when it is asked for that.
      await this.check();
    } finally {
      this.#refreshes -= 1;
      this.#options.changed("now");
    }
  }

  async #ask(): Promise<void> {
    const { clock, changed } = this.#options;
    for (let isOutdated = true; isOutdated; ) {
      const isJoining = this.environment.state.phase === "connecting";
      const settings = isJoining ? this.#attemptSettings : this.#settings;
      isOutdated = false;
      try {
        const { latencyMs } = await askedAgain(() => this.environment.probe());
        this.#check = { atMs: clock.nowMs(), latencyMs: Math.round(latencyMs * 10) / 10, fault: null };
      } catch (error) {
        isOutdated = settings !== this.#settings;
        if (!isOutdated) {
          this.#check = { atMs: clock.nowMs(), latencyMs: null, fault: toFaultView(asFault(error)) };
        }
      }
    }
    changed("now");
  }

  get #shownState(): ConnectionState {
    const { state } = this.environment;
    const isOutdated = state.phase === "disconnected" && state.fault === this.#outdated;
    return isOutdated ? { phase: "disconnected", fault: null } : state;
  }

  async #readInfo(session: number): Promise<void> {
    try {
      const info = infoView(await this.environment.info());
      const { state } = this.environment;
      if (state.phase !== "connected" || state.session !== session) return;
      this.#info = info;
      this.#options.changed("soon");
    } catch (error) {
      // It is asked again with the next connection; until then what it said before is shown.
      this.#options.log.info("an environment did not say what it is", { code: asFault(error).code });
    }
  }
}
