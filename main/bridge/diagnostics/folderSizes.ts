// How much lies in a folder, added up when somebody asks. Links are counted as what they are and not followed.

import { lstat, readdir } from "node:fs/promises";
import { join } from "node:path";
import type { FolderSize } from "./rawDiagnostics";

/** More files than that are not looked at one by one. */
const mostFiles = 200_000;

export interface FolderSizeOptions {
  /** Aborted: what has been counted by then is the answer. */
  signal: AbortSignal;
  mostFiles?: number;
}

/** Of each folder in `home`, and of the files beside them together. Never rejects. */
export async function folderSizes(home: string, options: FolderSizeOptions): Promise<FolderSize[]> {
  const sizes: FolderSize[] = [];
  const beside: FolderSize = {
    name: "files beside these",
    path: home,
    bytes: 0,
    files: 0,
    incomplete: false,
  };
  for (const name of await names(home, beside)) {
    const path = join(home, name);
    const facts = await lstat(path).catch(() => null);
    if (facts?.isDirectory()) sizes.push(await sizeOf(name, path, options));
    else if (facts) count(beside, facts.size);
    else beside.incomplete = true;
  }
  sizes.sort((a, b) => b.bytes - a.bytes);
  return beside.files > 0 || beside.incomplete ? [...sizes, beside] : sizes;
}

async function sizeOf(
  name: string,
  path: string,
  { signal, mostFiles: most = mostFiles }: FolderSizeOptions,
) {
  const size: FolderSize = { name, path, bytes: 0, files: 0, incomplete: false };
  const open = [path];
  for (let folder = open.pop(); folder !== undefined; folder = open.pop()) {
    for (const entry of await names(folder, size)) {
      if (signal.aborted || size.files >= most) {
        size.incomplete = true;
        return size;
      }
      const inside = join(folder, entry);
      const facts = await lstat(inside).catch(() => null);
      if (facts?.isDirectory()) open.push(inside);
      else if (facts) count(size, facts.size);
      // It went away between the two looks: nothing to count.
    }
  }
  return size;
}

function count(size: FolderSize, bytes: number): void {
  size.bytes += bytes;
  size.files += 1;
}

async function names(folder: string, of: FolderSize): Promise<string[]> {
  try {
    return await readdir(folder);
  } catch {
    of.incomplete = true;
    return [];
  }
}
