// All environments that are set. What is set is kept elsewhere; here is what lives.
//
// Races:
// - One is set again while it is connected: the same environment goes on, and what is new holds from the next lookup; a refresh
//   makes that now.
// - One is removed and set again under the same id: another environment. The old one is closing, and nothing of it is heard.

import { makeRegistry } from "../registries/makeRegistry";
import type { Registry, RegistryConfig } from "../registries/registry";
import { Environment } from "./environment";
import type { ConnectionState } from "./environmentState";
import type { EnvironmentWorkOptions } from "./environmentWork";
import type { Credentials } from "./executorConnection";

export interface LiveEnvironmentsOptions
  extends Omit<EnvironmentWorkOptions, "environmentId" | "registry" | "credentials"> {
  /** Each environment has credentials of its own. */
  credentials(id: string): Credentials;
  /** What a command that is asked gets to see: the person's login environment. */
  env(): Promise<Record<string, string | undefined>>;
  onState(id: string, state: ConnectionState): void;
}

interface Entry {
  environment: Environment;
  registry: Registry;
}

export class LiveEnvironments {
  readonly #options: LiveEnvironmentsOptions;
  readonly #entries = new Map<string, Entry>();

  constructor(options: LiveEnvironmentsOptions) {
    this.#options = options;
  }

  get(id: string): Environment | null {
    return this.#entries.get(id)?.environment ?? null;
  }

  get all(): Environment[] {
    return [...this.#entries.values()].map(({ environment }) => environment);
  }

  /** Makes it, or changes how it is found. Nothing is connected to before somebody needs it. */
  set(id: string, config: RegistryConfig): Environment {
    const { clock, env } = this.#options;
    return this.setRegistry(id, makeRegistry(config, { clock, env }));
  }

  /** The same with a registry of Holdfast's own, as for an exec-server that it runs itself. */
  setRegistry(id: string, registry: Registry): Environment {
    const known = this.#entries.get(id);
    if (known) {
      known.registry = registry;
      return known.environment;
    }
    const entry: Entry = { registry, environment: this.#make(id, () => entry.registry) };
    this.#entries.set(id, entry);
    return entry.environment;
  }

  /** Never rejects, and takes a few seconds at most. */
  async remove(id: string): Promise<void> {
    const entry = this.#entries.get(id);
    this.#entries.delete(id);
    await entry?.environment.close();
  }

  async closeAll(): Promise<void> {
    await Promise.all([...this.#entries.keys()].map((id) => this.remove(id)));
  }

  #make(id: string, registry: () => Registry): Environment {
    const environment: Environment = new Environment({
      ...this.#options,
      environmentId: id,
      registry,
      credentials: this.#options.credentials(id),
      onState: (state) => {
        if (this.get(id) === environment) this.#options.onState(id, state);
      },
    });
    return environment;
  }
}
