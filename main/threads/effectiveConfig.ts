// codex's configuration as it counts for a session, Holdfast's own overrides included. Read once a connection.
//
// Race: two threads want it at once: one request, both get its answer. One that fails is asked again by whoever comes next.

import type { Connection } from "../supervisor/connection";
import { recordOf } from "./loose";

type Config = Readonly<Record<string, unknown>>;

const configOver = new WeakMap<Connection, Promise<Config>>();

/** A connection is one workspace's: `cwd` is the same each time. */
export function effectiveConfig(connection: Connection, cwd: string): Promise<Config> {
  const known = configOver.get(connection);
  if (known) return known;
  const config = connection.client
    .request("config/read", { includeLayers: false, cwd })
    .then((answer) => recordOf(recordOf(answer).config));
  configOver.set(connection, config);
  config.catch(() => {
    if (configOver.get(connection) === config) configOver.delete(connection);
  });
  return config;
}

/** It has changed, or may have. */
export function forgetConfig(connection: Connection): void {
  configOver.delete(connection);
}
