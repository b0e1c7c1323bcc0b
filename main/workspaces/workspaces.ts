// The folders that a person works in: the list of them, and what is true of each on disk right now.
//
// Race: a look at a folder (is it there, which branch) that was begun before the folder was relocated or removed: its
// result is dropped when the workspace is not at that path any more.

import { basename } from "node:path";
import { Fault } from "../fault";
import type { WorkspaceRecord, WorkspacesLedger } from "../ledger/workspacesLedger";
import type { Log } from "../log";
import { folderState, openFolder } from "./folder";
import { gitFacts } from "./git";
import { type ReviewTargets, reviewTargets } from "./reviewTargets";

export interface Workspace {
  id: string;
  path: string;
  name: string;
  demo: boolean;
  gone: boolean;
  git: { branch: string | null; isWorktree: boolean } | null;
  /** For a worktree that Holdfast has made. */
  parentWorkspaceId: string | null;
}

export interface WorkspacesOptions {
  ledger: WorkspacesLedger;
  log: Log;
  /** The demo's workspace is known by its place. Its worktrees are of the demo too. */
  demoPath: string;
  changed(): void;
}

export class Workspaces {
  readonly #options: WorkspacesOptions;
  /** Those in which nothing may begin, and why. */
  readonly #withheld = new Map<string, Fault>();
  readonly #known = new Map<string, { path: string; gone: boolean; git: Workspace["git"] }>();

  constructor(options: WorkspacesOptions) {
    this.#options = options;
  }

  list(): Workspace[] {
    return this.#options.ledger.list().map((record) => this.#view(record));
  }

  /** Throws Fault `workspace_unknown`. */
  get(id: string): Workspace {
    return this.#view(this.#options.ledger.get(id));
  }

  idOfPath(path: string): string | null {
    return this.#options.ledger.list().find((record) => record.path === path)?.id ?? null;
  }

  /** Finds or makes the workspace of a folder. Throws the Fault that says why the folder cannot be used. */
  async open(path: string, name?: string): Promise<Workspace> {
    const folder = await openFolder(path);
    const { id } = this.add({ path: folder, name: name ?? (basename(folder) || folder), parentId: null });
    await this.refresh(id);
    return this.get(id);
  }

  /** The same for a folder that is known to be there, by its real path. */
  add(folder: { path: string; name: string; parentId: string | null; id?: string }): Workspace {
    const record = this.#options.ledger.add(folder);
    this.#options.changed();
    return this.#view(record);
  }

  /** A workspace is or was at this path. */
  knows(path: string): boolean {
    return this.#options.ledger.knows(path);
  }

  /** Empty where it is no repository. Throws the Fault that says why it cannot be told. */
  async reviewTargets(id: string): Promise<ReviewTargets> {
    return reviewTargets(await this.presentFolder(id));
  }

  rename(id: string, name: string): void {
    this.#options.ledger.rename(id, name);
    this.#options.changed();
  }

  /** Takes it off the list; nothing on disk is touched. */
  remove(id: string): void {
    this.#options.ledger.remove(id);
    this.#options.changed();
  }

  async relocate(id: string, path: string): Promise<void> {
    this.#options.ledger.relocate(id, await openFolder(path));
    this.#options.changed();
    await this.refresh(id);
  }

  /** From now on nothing begins in it: whoever asks for its folder gets this Fault. Null: it may again. */
  withhold(id: string, fault: Fault | null): void {
    if (fault) this.#withheld.set(id, fault);
    else this.#withheld.delete(id);
  }

  /** The folder, looked at now. Throws Fault `folder_gone`, or the one for which nothing may begin in it. */
  async presentFolder(id: string): Promise<string> {
    const { path } = this.get(id);
    const withheld = this.#withheld.get(id);
    if (withheld) throw withheld;
    const state = await folderState(path);
    this.#note(id, path, { gone: state !== "present" });
    if (state === "present") return path;
    throw new Fault("folder_gone", `The folder ${path} is not there.`, {
      hint: "Say where it is now, or bring it back, then try again. What is on screen stays readable.",
      retryable: true,
    });
  }

  async refreshAll(): Promise<void> {
    await Promise.all(this.#options.ledger.list().map((record) => this.refresh(record.id)));
  }

  /** Looks at the folder and at its branch. Never rejects. */
  async refresh(id: string): Promise<void> {
    const { path } = this.get(id);
    const state = await folderState(path);
    if (state !== "present") {
      this.#note(id, path, { gone: true });
      return;
    }
    const facts = await gitFacts(path);
    const git =
      facts.kind === "repository"
        ? { branch: facts.branch ?? facts.head, isWorktree: facts.isWorktree }
        : null;
    this.#note(id, path, { gone: false, git });
  }

  /** Something may have changed in the folder: a turn has ended there. */
  changedOnDisk(id: string): void {
    this.refresh(id).catch((error: unknown) => {
      this.#options.log.warn("a workspace could not be looked at", { id, error: String(error) });
    });
  }

  #note(id: string, path: string, facts: { gone: boolean; git?: Workspace["git"] }): void {
    if (this.#options.ledger.get(id).path !== path) return;
    const known = this.#known.get(id);
    const git = facts.git === undefined ? (known?.path === path ? known.git : null) : facts.git;
    this.#known.set(id, { path, gone: facts.gone, git });
    this.#options.changed();
  }

  #isDemo({ path, parentId }: WorkspaceRecord): boolean {
    const { ledger, demoPath } = this.#options;
    return path === demoPath || (parentId !== null && ledger.get(parentId).path === demoPath);
  }

  #view(record: WorkspaceRecord): Workspace {
    const known = this.#known.get(record.id);
    const isKnown = known?.path === record.path;
    return {
      id: record.id,
      path: record.path,
      name: record.name,
      demo: this.#isDemo(record),
      gone: isKnown ? known.gone : false,
      git: isKnown ? known.git : null,
      parentWorkspaceId: record.parentId,
    };
  }
}
