// What `git status` says, read as it comes: a folder may have a million files that git does not know, and only the first
// ones are kept.

import type { ChangedFile, FileChange } from "../../../preload/contract/changes";
import { Fields, fileName } from "./fields";
import { type ChangesRepository, filesLimitMs } from "./repository";

export interface Status {
  upstream: { name: string; distance: { ahead: number; behind: number } | null } | null;
  files: ChangedFile[];
  /** Beyond those. */
  more: number;
}

export async function readStatus(
  repository: ChangesRepository,
  most: number,
  paths: readonly string[] = [],
): Promise<Status> {
  const reader = new StatusReader(most);
  const fields = new Fields((field) => reader.take(field));
  await repository.look(
    [
      "status",
      "--porcelain=v2",
      "--branch",
      "-z",
      "--untracked-files=all",
      "--find-renames",
      // Another repository is looked at by nobody: git would run in it, with that one's configuration.
      "--ignore-submodules=dirty",
      "--",
      ...paths,
    ],
    "list the changes",
    {
      limitMs: filesLimitMs,
      take: (chunk) => {
        fields.add(chunk);
        return true;
      },
    },
  );
  return reader.status;
}

type Kind = FileChange["kind"];

const kinds: Record<string, Kind> = {
  M: "modified",
  A: "added",
  D: "deleted",
  R: "renamed",
  C: "copied",
  T: "type changed",
};

const conflicts: Record<string, NonNullable<ChangedFile["conflict"]>> = {
  DD: "both deleted",
  AU: "added by us",
  UD: "deleted by them",
  UA: "added by them",
  DU: "deleted by us",
  AA: "both added",
  UU: "both modified",
};

/** "1 XY sub mH mI mW hH hI path": how many fields come before the name. */
const before: Record<string, number> = { "1": 8, "2": 9, u: 10 };

export class StatusReader {
  readonly status: Status = { upstream: null, files: [], more: 0 };
  readonly #most: number;
  /** A renamed file, whose old name is the next field. */
  #renamed: ChangedFile | null = null;

  constructor(most: number) {
    this.#most = most;
  }

  take(field: Buffer): void {
    if (this.#renamed) {
      const { path } = fileName(field);
      for (const change of [this.#renamed.staged, this.#renamed.unstaged]) {
        if (change?.kind === "renamed" || change?.kind === "copied") change.oldPath = path;
      }
      this.#add(this.#renamed);
      this.#renamed = null;
      return;
    }
    const kind = String.fromCharCode(field[0] ?? 0);
    if (kind === "#") this.#header(field.toString("utf8"));
    else if (kind === "?") this.#add(untracked(field.subarray(2)));
    else this.#entry(kind, field);
  }

  #header(line: string): void {
    const [, name, value = ""] = /^# branch\.(\S+) (.*)$/s.exec(line) ?? [];
    if (name === "upstream") this.status.upstream = { name: value, distance: null };
    if (name !== "ab" || this.status.upstream === null) return;
    const [, ahead, behind] = /^\+(\d+) -(\d+)$/.exec(value) ?? [];
    this.status.upstream.distance = { ahead: Number(ahead), behind: Number(behind) };
  }

  #entry(kind: string, field: Buffer): void {
    const count = before[kind];
    if (count === undefined) return;
    let from = 0;
    for (let passed = 0; passed < count; passed++) from = field.indexOf(0x20, from) + 1;
    const [, xy = "..", sub = "", head = "", index = "", work = ""] = field
      .toString("latin1", 0, from)
      .split(" ");
    const file: ChangedFile = {
      ...fileName(field.subarray(from)),
      staged: null,
      unstaged: null,
      conflict: kind === "u" ? (conflicts[xy] ?? "both modified") : null,
      submodule: sub.startsWith("S"),
      repository: false,
    };
    if (kind !== "u") {
      file.staged = change(xy[0], head, index);
      file.unstaged = change(xy[1], index, work);
    }
    if (kind === "2") this.#renamed = file;
    else this.#add(file);
  }

  #add(file: ChangedFile): void {
    if (this.status.files.length < this.#most) this.status.files.push(file);
    else this.status.more += 1;
  }
}

function change(letter: string | undefined, old: string, now: string): FileChange | null {
  const kind = kinds[letter ?? "."];
  if (kind === undefined) return null;
  const isThere = kind !== "added" && kind !== "deleted";
  return { ...plain(kind), modes: isThere && old !== now ? { old, new: now } : null };
}

function untracked(name: Buffer): ChangedFile {
  const named = fileName(name);
  return {
    ...named,
    staged: null,
    unstaged: plain("untracked"),
    conflict: null,
    submodule: false,
    // Every file is listed by itself; only what is a repository of its own is not looked into.
    repository: named.path.endsWith("/"),
  };
}

export function plain(kind: Kind): FileChange {
  return { kind, oldPath: null, added: null, removed: null, binary: false, modes: null, bytes: null };
}
