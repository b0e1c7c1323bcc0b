// What a changed file looks like in a list, by what became of it.

import { FileMinus, FilePen, FilePlus, FileSymlink, FileWarning, FileX, type LucideIcon } from "lucide-react";

interface Look {
  icon: LucideIcon;
  className: string;
}

const looks: Record<string, Look> = {
  added: { icon: FilePlus, className: "text-ok" },
  untracked: { icon: FilePlus, className: "text-ok" },
  copied: { icon: FilePlus, className: "text-ok" },
  deleted: { icon: FileMinus, className: "text-bad" },
  renamed: { icon: FileSymlink, className: "text-ink-3" },
  conflicted: { icon: FileWarning, className: "text-warn" },
  "added, then deleted": { icon: FileX, className: "text-ink-3" },
};

const usual: Look = { icon: FilePen, className: "text-ink-3" };

export function stateLook(state: string): Look {
  return looks[state] ?? usual;
}
