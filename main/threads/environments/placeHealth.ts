// How it is where one thread works, as codex has it. codex tells that it has lost an executor only once it has given up looking
// for it, which takes most of a minute; asked, it asks the executor. So it is asked when Holdfast's own connection to the same
// environment is lost or there again, when somebody begins to look at the thread, and before a turn. Only while it is in doubt
// whether it is there is it asked now and then, ever more seldom, as long as somebody looks.
//
// Races settled here:
// - The thread is given another place, or its process goes, while codex is asked: the answer says nothing.
// - Something is known anew while codex is asked: it is asked once more.

import type { ThreadEnvironment } from "../../../preload/contract/environments";
import type { Timer } from "../../clock";
import { asFault, Fault } from "../../fault";
import { toFaultView } from "../../faultView";
import type { EnvironmentChoice } from "../../ledger/threadEnvironmentsLedger";
import type { HostedThread, ThreadHost } from "../host";
import { stringOf } from "../loose";
import { environmentOf } from "./codexEnvironments";

const firstPauseMs = 5_000;
const lastPauseMs = 60_000;

export class PlaceHealth {
  readonly #host: ThreadHost;
  readonly #thread: HostedThread;
  readonly #choice: () => EnvironmentChoice | null;
  #state: ThreadEnvironment["state"] = "not used yet";
  #fault: Fault | null = null;
  /** codex's id of where the thread works; null: it has not been brought there. */
  #codexId: string | null = null;
  #isLooking = false;
  #looksAgain = false;
  /** It has been said how it is there since codex was connected to. */
  #isHeard = false;
  /** Holdfast's own session there, when codex was asked last; null: none. */
  #session: number | null = null;
  /** The one that Holdfast had when codex was connected last. */
  #sessionThen: number | null = null;
  #pauseMs = firstPauseMs;
  #timer: Timer | null = null;

  constructor(host: ThreadHost, thread: HostedThread, choice: () => EnvironmentChoice | null) {
    this.#host = host;
    this.#thread = thread;
    this.#choice = choice;
  }

  show(): void {
    this.#thread.state.update({ environment: this.#view() });
  }

  /** codex has just connected to it. */
  reached(codexId: string): void {
    this.#codexId = codexId;
    this.#told("connected");
  }

  /** codex has the thread work there already, and has not said how it is there. */
  found(codexId: string): void {
    if (codexId === this.#codexId && this.#isHeard) return;
    this.#codexId = codexId;
    this.look();
  }

  failed(fault: Fault): void {
    this.#fault = fault;
    if (this.#state === "connected") this.#state = "disconnected";
    this.show();
  }

  /** codex says of a turn why it failed. */
  failedTurn(words: string): void {
    if (this.#choice() === null || !/exec-server/i.test(words)) return;
    this.failed(
      new Fault("environment_failed", "codex could not work in the environment.", { detail: words }),
    );
  }

  /** codex has told this of an environment of the thread. */
  heard(codexId: unknown, state: "connected" | "disconnected"): void {
    const choice = this.#choice();
    if (choice === null) return;
    // It works there, as it has since before this Holdfast was started.
    if (this.#codexId === null && environmentOf(stringOf(codexId)) === choice.environmentId)
      this.#codexId = stringOf(codexId);
    if (codexId === this.#codexId) this.#told(state);
  }

  /** Perhaps Holdfast's own connection is lost, or another one. */
  environmentsChanged(): void {
    if (this.#codexId === null || this.#ownSession === this.#session) return;
    this.#pauseMs = firstPauseMs;
    this.look();
  }

  /** Somebody looks at the thread now. */
  shown(): void {
    this.#pauseMs = firstPauseMs;
    this.look();
  }

  /** Another place, or another process: nothing is known. */
  forget(): void {
    this.rest();
    this.#codexId = null;
    this.#sessionThen = null;
    this.#state = "not used yet";
    this.#fault = null;
    this.show();
  }

  /** Nobody is to be asked any more. */
  rest(): void {
    this.#timer?.cancel();
    this.#timer = null;
    this.#isHeard = false;
  }

  /** Asks codex. */
  look(): void {
    const codexId = this.#codexId;
    const connection = this.#host.connection(this.#thread.workspaceId);
    if (codexId === null || connection === null || this.#choice() === null) return;
    if (this.#isLooking) {
      this.#looksAgain = true;
      return;
    }
    this.#isLooking = true;
    this.#session = this.#ownSession;
    connection.client
      .request("environment/status", { environmentId: codexId })
      .then(({ status }) => {
        if (this.#codexId !== codexId) return;
        if (status === "ready") this.#told("connected");
        else if (status === "disconnected") this.#told("disconnected");
        else this.#lookLater();
      })
      .catch((error: unknown) => {
        const { threadId } = this.#thread;
        this.#host.log.info("an environment could not be asked for", {
          threadId,
          error: asFault(error).code,
        });
        if (this.#codexId === codexId) this.#lookLater();
      })
      .finally(() => {
        this.#isLooking = false;
        const again = this.#looksAgain;
        this.#looksAgain = false;
        if (again) this.look();
      });
  }

  #told(state: "connected" | "disconnected"): void {
    this.#state = state;
    if (state === "connected") this.#fault = null;
    const choice = this.#choice();
    // codex may have been connected since before this Holdfast was started.
    if (state === "connected" && !this.#isHeard && choice !== null)
      this.#host.environments.attend(choice.environmentId);
    this.#isHeard = true;
    this.#lookLater();
    this.show();
  }

  #lookLater(): void {
    this.#timer?.cancel();
    this.#timer = null;
    if (this.#state === "connected" && this.#ownSession !== null) {
      this.#session = this.#ownSession;
      this.#sessionThen = this.#ownSession;
      this.#pauseMs = firstPauseMs;
      return;
    }
    if (!this.#thread.state.watched) return;
    this.#timer = this.#host.clock.after(this.#pauseMs, () => {
      this.#timer = null;
      this.#pauseMs = Math.min(this.#pauseMs * 2, lastPauseMs);
      if (this.#thread.state.watched) this.look();
    });
  }

  get #ownSession(): number | null {
    const choice = this.#choice();
    return choice && this.#host.environments.session(choice.environmentId);
  }

  #view(): ThreadEnvironment | null {
    const choice = this.#choice();
    if (choice === null) return null;
    const name = this.#host.environments.name(choice.environmentId);
    const state = name === null ? "not used yet" : this.#state;
    const now = this.#ownSession;
    const then = this.#sessionThen;
    const executorGone = state === "disconnected" && now !== null && then !== null && now !== then;
    return { ...choice, name, state, executorGone, fault: this.#fault && toFaultView(this.#fault) };
  }
}
