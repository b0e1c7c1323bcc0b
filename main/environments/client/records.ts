// What must outlive the app of what is done in environments: written down before it is done, and settled after. Kept in the
// ledger; here is only what is asked of it.

export interface EnvironmentRecords {
  sessionBegan(record: { environmentId: string; sessionId: string; identity: string }): void;
  sessionEnded(sessionId: string): void;
  /**
   * Before the start is sent. When it throws, nothing is started. What is in the process's environment is not part of it: there
   * may be secrets among that.
   */
  processStarting(record: { sessionId: string; processId: string; argv: string[]; cwd: string }): void;
  processEnded(processId: string, how: "closed" | "lost" | "not started"): void;
}

export const noRecords: EnvironmentRecords = {
  sessionBegan() {},
  sessionEnded() {},
  processStarting() {},
  processEnded() {},
};
