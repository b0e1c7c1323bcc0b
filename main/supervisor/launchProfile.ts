// How codex is started for a session. A profile is prepared before every spawn and torn down after its process has gone,
// once, whatever happened in between (behaviour: Launch). What it has to undo is data, so that it is on record and can be
// undone by a later run of Holdfast.

export interface PreparedLaunch {
  /** The working directory of codex; threads have their own. */
  workingDirectory: string;
  /** codex's own home; null leaves it to codex (CODEX_HOME, or its default). */
  codexHome: string | null;
  /** `key=value` pairs for `-c`; the values are TOML. */
  configOverrides: string[];
  /** On top of the user's login environment. */
  environment: Record<string, string>;
  /** What `teardown` gets, as JSON; null: there is nothing to undo. Never a secret: it is written down. */
  teardown: unknown;
}

export interface LaunchProfile {
  readonly id: string;
  /** Rejects with a Fault when codex cannot be started this way; then nothing is spawned, and nothing is to be undone. */
  prepare(workspace: { path: string }, signal: AbortSignal): Promise<PreparedLaunch>;
  /**
   * Undoes what `prepare` did. Called until it has succeeded, perhaps by a later run; never cancelled. Rejects when it could
   * not be done.
   */
  teardown(owed: unknown): Promise<void>;
}

/** codex as the person has set it up, optionally with other settings on top (a model served on this machine). */
export function userProfile(options: {
  id: string;
  codexHome: string | null;
  overrides(): string[];
  environment(): Record<string, string>;
}): LaunchProfile {
  return {
    id: options.id,
    prepare: async (workspace) => ({
      workingDirectory: workspace.path,
      codexHome: options.codexHome,
      configOverrides: options.overrides(),
      environment: options.environment(),
      teardown: null,
    }),
    teardown: async () => {},
  };
}
