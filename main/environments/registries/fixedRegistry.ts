// The address that the person has set: it never moves, and whatever listens there is the executor.

import { checkedTarget, type ExecutorTarget } from "../client/executorTarget";
import { defaultLookupMs, type Registry, type RegistryConfig } from "./registry";

export class FixedRegistry implements Registry {
  readonly deadlineMs = defaultLookupMs;
  readonly #config: Extract<RegistryConfig, { kind: "fixed" }>;

  constructor(config: Extract<RegistryConfig, { kind: "fixed" }>) {
    this.#config = config;
  }

  async lookUp(): Promise<ExecutorTarget> {
    const { url, identity, credential } = this.#config;
    return checkedTarget({ url, identity: identity ?? url, credential }, "What is set for this environment");
  }
}
