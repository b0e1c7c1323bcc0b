// The state that every window shows, and the windows that watch it.

import { isDeepStrictEqual } from "node:util";
import type {
  AppChange,
  AppSnapshot,
  AppState,
  NoticeView,
  ThreadRow,
  WorkspaceView,
} from "../../preload/contract/app";
import type { Listener, OpenTopic } from "./backend";

export class AppTopic {
  #state: AppState;
  readonly #rows: () => ThreadRow[];
  readonly #listeners = new Set<Listener<AppChange>>();
  #noticeCount = 0;

  constructor(state: AppState, rows: () => ThreadRow[]) {
    this.#state = state;
    this.#rows = rows;
  }

  get state(): AppState {
    return this.#state;
  }

  /** How many windows are told of changes. */
  get listeners(): number {
    return this.#listeners.size;
  }

  open(listener: Listener<AppChange>): OpenTopic<AppSnapshot> {
    this.#listeners.add(listener);
    return {
      snapshot: { state: this.#state, threads: this.#rows() },
      close: () => {
        this.#listeners.delete(listener);
      },
    };
  }

  publish(changes: AppChange[], urgent: boolean): void {
    for (const listener of this.#listeners) listener(changes, urgent);
  }

  update(change: Partial<AppState>): void {
    const value: Partial<AppState> = {};
    for (const name of Object.keys(change) as (keyof AppState)[]) {
      if (!isDeepStrictEqual(change[name], this.#state[name])) Object.assign(value, { [name]: change[name] });
    }
    if (Object.keys(value).length === 0) return;
    this.#state = { ...this.#state, ...value };
    this.publish([{ type: "state", value }], true);
  }

  updateWorkspace(id: string, change: Partial<WorkspaceView>): void {
    this.update({
      workspaces: this.#state.workspaces.map((workspace) =>
        workspace.id === id ? { ...workspace, ...change } : workspace,
      ),
    });
  }

  workspace(id: string): WorkspaceView | null {
    return this.#state.workspaces.find((workspace) => workspace.id === id) ?? null;
  }

  /** One notice for each `about`: saying the same again replaces it. */
  notice(about: string, notice: Omit<NoticeView, "id">): void {
    const known = this.#state.notices.find((other) => other.id.startsWith(`${about}#`));
    const id = known?.id ?? `${about}#${this.#noticeCount++}`;
    this.update({ notices: [...this.#state.notices.filter((other) => other.id !== id), { id, ...notice }] });
  }

  dismissNotice(id: string): void {
    this.update({ notices: this.#state.notices.filter((notice) => notice.id !== id) });
  }

  withdrawNotice(about: string): void {
    this.update({ notices: this.#state.notices.filter((notice) => !notice.id.startsWith(`${about}#`)) });
  }
}

/** At the start, before anything is known. */
export function newAppState(known: Pick<AppState, "version" | "home" | "settings">): AppState {
  return {
    ...known,
    platform: process.platform,
    codex: { state: "searching" },
    account: { state: "unknown", fault: null },
    login: { state: "none" },
    limits: null,
    codexNews: {},
    workspaces: [],
    waiting: [],
    cleanups: [],
    scripts: [],
    runs: [],
    cellQuestions: [],
    environments: [],
    terminals: [],
    worktreeStarts: [],
    notices: [],
  };
}
