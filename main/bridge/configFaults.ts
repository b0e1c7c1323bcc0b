// That codex cannot use its configuration: kept while it holds, and told to the windows.

import { configWarningFault } from "../codex/configProblem";
import type { Fault } from "../fault";
import { toFaultView } from "../faultView";
import type { Log } from "../log";
import type { AppTopic } from "./appTopic";

export class ConfigFaults {
  readonly #app: AppTopic;
  readonly #log: Log;
  #fault: Fault | null = null;

  constructor(app: AppTopic, log: Log) {
    this.#app = app;
    this.#log = log;
  }

  get current(): Fault | null {
    return this.#fault;
  }

  /** What codex says in a `configWarning`. */
  warned(params: unknown): void {
    const fault = configWarningFault(params);
    if (!fault) {
      this.#log.info("codex warns about its configuration", { params });
      return;
    }
    this.#fault = fault;
    const { message, hint, detail } = toFaultView(fault);
    this.#app.notice("config", { tone: "error", text: message, hint: hint ?? null, detail: detail ?? null });
  }

  /** It has been written since: what was said of it holds no more. */
  forget(): void {
    this.#fault = null;
    this.#app.withdrawNotice("config");
  }
}
