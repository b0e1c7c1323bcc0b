// Which workspace a script means: its own, or another open one, by its folder.

import { realpath } from "node:fs/promises";
import { resolve } from "node:path";
import { Fault } from "../../fault";
import type { Workspaces } from "../../workspaces/workspaces";

export interface OpenFolder {
  id: string;
  path: string;
}

export class OpenFolders {
  readonly #workspaces: Pick<Workspaces, "get" | "list" | "idOfPath">;
  readonly #ownId: string;

  constructor(workspaces: Pick<Workspaces, "get" | "list" | "idOfPath">, ownId: string) {
    this.#workspaces = workspaces;
    this.#ownId = ownId;
  }

  /** A path that is not absolute is taken from the script's own workspace. Throws the Fault that names what is open. */
  async find(folder: string | undefined): Promise<OpenFolder> {
    const own = this.#workspaces.get(this.#ownId);
    if (folder === undefined) return { id: own.id, path: own.path };
    const path = resolve(own.path, folder);
    // One that is gone is known by the path that it had.
    const id =
      this.#workspaces.idOfPath(path) ?? this.#workspaces.idOfPath(await realpath(path).catch(() => path));
    if (id !== null) return { id, path: this.#workspaces.get(id).path };
    const open = this.#workspaces.list().map((workspace) => workspace.path);
    throw new Fault("folder_not_open", `${folder} is no open workspace. Open are: ${open.join(", ")}`);
  }
}
