/** What threads need of environments. */
export interface EnvironmentSource {
  /** All that there are. */
  list(): readonly { environmentId: string; name: string }[];
  /** Null: there is none of this id, any more. */
  name(environmentId: string): string | null;
  /** Holdfast's own session there, by which it hears at once when the executor goes; null: it has none right now. */
  session(environmentId: string): number | null;
  /** Has Holdfast connect to it too, where it is not. Never throws. */
  attend(environmentId: string): void;
  /**
   * Where it is now; a local exec-server is started. Rejects with the Fault that says why it cannot be told. `token` is for
   * the one message to codex, and for nothing else.
   */
  locate(
    environmentId: string,
  ): Promise<{ url: string; identity: string; token: { reveal(): string } | null }>;
}
