// The ledger of a Holdfast under test, looked at from outside and never changed. Each look opens the file anew, as the app may
// be gone, and the file with it.

import { existsSync } from "node:fs";
import path from "node:path";
import { DatabaseSync } from "@photostructure/sqlite";
import { expect } from "@playwright/test";

export interface HandleRow {
  handleId: string;
  sessionId: string;
  workspaceId: string;
  profileId: string;
  state: "intended" | "running" | "closing" | "retired" | "gone";
  pid: number | null;
  startTime: string | null;
  socketPath: string | null;
}

/** A handle whose process is known. */
export type RunningHandle = HandleRow & { pid: number; startTime: string };

export interface CleanupRow {
  id: string;
  kind: string;
  reason: string;
  attempts: number;
  nextAttemptAtMs: number;
  lastError: string | null;
}

const watchdogProfile = "watchdog";
const execServerProfile = "exec-server";

export class LedgerView {
  readonly #path: string;

  constructor(home: string) {
    this.#path = path.join(home, "holdfast.db");
  }

  /** All that there ever were, the watchdogs' included, the oldest first; none while there is no ledger. */
  everyHandle(): HandleRow[] {
    return this.#all<HandleRow>(
      `SELECT handleId, sessionId, workspaceId, profileId, state, pid, startTime, socketPath
       FROM handles ORDER BY intendedAtMs, rowid`,
    );
  }

  /** What is written beside changed lines and not sent, the oldest first. */
  reviewComments(): string[] {
    const rows = this.#all<{ text: string }>("SELECT text FROM review_comments ORDER BY createdAtMs, rowid");
    return rows.map(({ text }) => text);
  }

  /** Those of app-servers. */
  handles(): HandleRow[] {
    return this.everyHandle().filter(
      ({ profileId }) => profileId !== watchdogProfile && profileId !== execServerProfile,
    );
  }

  /** Those of exec-servers. */
  execServers(): HandleRow[] {
    return this.everyHandle().filter(({ profileId }) => profileId === execServerProfile);
  }

  /** The one exec-server that is not gone, once it runs. */
  async onlyExecServer(): Promise<RunningHandle> {
    const notGone = () => this.execServers().filter(({ state }) => state !== "gone");
    await expect
      .poll(() => notGone().map(({ state }) => state), {
        message: "exec-servers that are not gone",
        timeout: 20_000,
      })
      .toEqual(["running"]);
    const [handle] = notGone();
    if (!handle || !isRunning(handle)) throw new Error("the running exec-server has no process");
    return handle;
  }

  notGone(): HandleRow[] {
    return this.handles().filter(({ state }) => state !== "gone");
  }

  /** The watchdog that is on record as running. */
  watchdog(): HandleRow | undefined {
    return this.everyHandle().find(
      ({ profileId, state }) => profileId === watchdogProfile && state === "running",
    );
  }

  states(): HandleRow["state"][] {
    return this.notGone().map(({ state }) => state);
  }

  stateOf(handleId: string): HandleRow["state"] | undefined {
    return this.everyHandle().find((each) => each.handleId === handleId)?.state;
  }

  openCleanups(): CleanupRow[] {
    return this.#all<CleanupRow>(
      `SELECT id, kind, reason, attempts, nextAttemptAtMs, lastError
       FROM cleanups WHERE state = 'open' ORDER BY createdAtMs`,
    );
  }

  /** What is kept of the text of items that have not ended. */
  runningTexts(): string[] {
    return this.#all<{ textSoFar: string }>("SELECT textSoFar FROM running_items ORDER BY sequence").map(
      ({ textSoFar }) => textSoFar,
    );
  }

  /** All that scripts have written, in order. */
  runTexts(): string[] {
    return this.#all<{ text: string }>(
      `SELECT item.value ->> 'text' AS text
       FROM cell_runs JOIN cell_output USING (runId), json_each(cell_output.items) AS item
       ORDER BY sequence, position, item.key`,
    ).map(({ text }) => text);
  }

  /** Of the person's own scripts. */
  scriptTexts(): string[] {
    return this.#all<{ source: string }>("SELECT source FROM scripts WHERE deletedAtMs IS NULL").map(
      ({ source }) => source,
    );
  }

  /** The thread that each window shows, as far as it is remembered. */
  shownThreads(): (string | null)[] {
    return this.#all<{ threadKey: string | null }>(
      "SELECT json_extract(layout, '$.threadKey') AS threadKey FROM windows ORDER BY position",
    ).map(({ threadKey }) => threadKey);
  }

  /** The one window shows a thread that codex has named, and comes back to it however Holdfast goes away now. */
  async untilThreadIsRemembered(): Promise<void> {
    await expect
      .poll(() => this.shownThreads(), "the thread that the window comes back to")
      .toEqual([expect.stringMatching(/^(?!new:)/)]);
  }

  /** The same with one in which nothing has been said. */
  async untilNewThreadIsRemembered(): Promise<void> {
    await expect
      .poll(() => this.shownThreads(), "the thread that the window comes back to")
      .toEqual([expect.stringMatching(/^new:/)]);
  }

  /** What is typed and not sent, in any thread. */
  drafts(): string[] {
    return this.#all<{ text: string }>("SELECT text FROM drafts ORDER BY updatedAtMs, rowid").map(
      ({ text }) => text,
    );
  }

  pathOfWorkspace(workspaceId: string): string | undefined {
    return this.#all<{ id: string; path: string }>("SELECT id, path FROM workspaces").find(
      ({ id }) => id === workspaceId,
    )?.path;
  }

  /** The one handle that is not gone, once it runs. */
  async onlyRunning(): Promise<RunningHandle> {
    await expect
      .poll(() => this.states(), { message: "handles that are not gone", timeout: 20_000 })
      .toEqual(["running"]);
    const [handle] = this.notGone();
    if (!handle || !isRunning(handle)) throw new Error("the running handle has no process");
    return handle;
  }

  /** Of several sessions: the handle of the workspace in this folder, once it runs. */
  async runningIn(folder: string): Promise<RunningHandle> {
    const find = () =>
      this.notGone().filter((handle): handle is RunningHandle => {
        return isRunning(handle) && this.pathOfWorkspace(handle.workspaceId) === folder;
      });
    await expect.poll(() => find().length, { message: `handles in ${folder}` }).toBe(1);
    const [handle] = find();
    if (!handle) throw new Error(`no handle in ${folder}`);
    return handle;
  }

  #all<Row>(sql: string): Row[] {
    if (!existsSync(this.#path)) return [];
    // Whoever has it locked, at its beginning or its end, is as slow as the machine is busy.
    const database = new DatabaseSync(this.#path, { readOnly: true, timeout: 10_000 });
    try {
      return database.prepare(sql).all() as Row[];
    } finally {
      database.close();
    }
  }
}

function isRunning(handle: HandleRow): handle is RunningHandle {
  return handle.state === "running" && handle.pid !== null && handle.startTime !== null;
}
