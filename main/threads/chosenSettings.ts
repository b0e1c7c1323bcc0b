// Brings to codex what a person chooses for a thread.
//
// Race: settings are changed while the thread is not loaded, or codex refuses them: they are applied at the next load, and
// put back when refused, unless something newer has been chosen meanwhile.

import type { ThreadSettings } from "../../preload/contract/thread";
import { asFault } from "../fault";
import type { Connection } from "../supervisor/connection";
import type { HostedThread, ThreadHost } from "./host";
import { chosenOver, modeToSend, sandboxToSend } from "./settingsView";
import { note } from "./threadEvents";
import { threadFault } from "./threadFaults";

export class ChosenSettings {
  readonly #host: ThreadHost;
  readonly #thread: HostedThread;
  /** Chosen while the thread was not loaded. */
  #unapplied: ThreadSettings | null = null;

  constructor(host: ThreadHost, thread: HostedThread) {
    this.#host = host;
    this.#thread = thread;
  }

  /** Takes effect at once on a loaded thread, else when it is loaded. `isToBeMade`: it is made with them. */
  async choose(settings: ThreadSettings, loadedOn: Connection | null, isToBeMade: boolean): Promise<void> {
    const { state } = this.#thread;
    const before = state.facts.settings;
    state.update({ settings });
    if (loadedOn === null) this.#unapplied = isToBeMade ? null : settings;
    else await this.#send(loadedOn, settings, before);
  }

  loaded(connection: Connection): void {
    const chosen = this.#unapplied;
    this.#unapplied = null;
    if (chosen === null) return;
    const { state } = this.#thread;
    const reported = state.facts.settings;
    const settings = chosenOver(chosen, reported);
    state.update({ settings });
    this.#send(connection, settings, reported).catch((error: unknown) => {
      const words = `The settings chosen for this thread could not be applied: ${asFault(error).message}`;
      note(state, this.#host.clock.nowMs(), "warning", words);
    });
  }

  async #send(connection: Connection, settings: ThreadSettings, before: ThreadSettings): Promise<void> {
    const { state, threadId } = this.#thread;
    try {
      await connection.client.request("thread/settings/update", {
        threadId: threadId ?? "",
        model: settings.model,
        effort: settings.effort,
        approvalPolicy: settings.approvalPolicy,
        sandboxPolicy: sandboxToSend(settings.sandbox, state.reportedSandbox),
        collaborationMode: modeToSend(settings),
      });
    } catch (error) {
      if (state.facts.settings === settings) state.update({ settings: before });
      throw threadFault(error, this.#host.configFault);
    }
  }
}
