// What is looked at of the files of one environment: a folder, and beside it a file. Pure; filesStore.ts asks main.
//
// Races, and what settles each:
// - Another folder or file is asked for before the answer to the last question is there: each question has a number, and only
//   the answer to the newest is taken.
// - The executor behind the environment is replaced: what is shown is of the one before until it has been read again, which
//   is done as soon as that is known: by the session, since one that is restarted keeps its name.
// - The answer to a question comes before the window hears over which session: it is the one that is told of next.

import type { CallResult } from "../../../preload/contract";
import type { EnvironmentEntry } from "../../../preload/contract/environments";
import type { FaultView } from "../../../preload/contract/fault";

export type Listing = CallResult<"environments.list">;
export type FileContent = CallResult<"environments.readFile">;

export interface Browser {
  /** The folder that was read last; it stays in view while another one is being read. */
  listing: Listing | null;
  /** The session that it was read over; null: the window has not heard of it yet. */
  session: number | null;
  folder:
    | { phase: "settled" }
    | { phase: "reading"; question: number; path: string | null; focus: string | null }
    | { phase: "failed"; path: string | null; fault: FaultView };
  /** The path of the entry that the keyboard is on. */
  active: string | null;
  file: OpenFile | null;
}

export type OpenFile = FileName & FileState;

interface FileName {
  path: string;
  name: string;
}

type FileState =
  /** `before`: what it had when it was read last. */
  | { phase: "reading"; question: number; before: FileContent | null }
  | { phase: "read"; content: FileContent }
  | { phase: "failed"; fault: FaultView };

export const newBrowser: Browser = {
  listing: null,
  session: null,
  folder: { phase: "settled" },
  active: null,
  file: null,
};

/** `focus`: the path of the entry that the keyboard is to be on, for the way up. */
export function reading(
  browser: Browser,
  question: number,
  path: string | null,
  focus: string | null,
): Browser {
  return { ...browser, folder: { phase: "reading", question, path, focus } };
}

export function listed(
  browser: Browser,
  question: number,
  listing: Listing,
  session: number | null,
): Browser {
  const { folder } = browser;
  if (folder.phase !== "reading" || folder.question !== question) return browser;
  const sorted = { ...listing, entries: [...listing.entries].sort(byKindAndName) };
  const wanted =
    listing.named?.path ?? folder.focus ?? (listing.path === browser.listing?.path ? browser.active : null);
  const active = sorted.entries.some(({ path }) => path === wanted)
    ? wanted
    : (sorted.entries[0]?.path ?? null);
  return { ...browser, listing: sorted, session, folder: { phase: "settled" }, active };
}

export function notListed(browser: Browser, question: number, fault: FaultView): Browser {
  const { folder } = browser;
  if (folder.phase !== "reading" || folder.question !== question) return browser;
  return { ...browser, folder: { phase: "failed", path: folder.path, fault } };
}

/** What was read before the window had heard of the session was read over it. */
export function answeredBy(browser: Browser, session: number): Browser {
  return browser.listing === null || browser.session !== null ? browser : { ...browser, session };
}

/** What is shown, or could not be, was the word of an executor that is not there any more. */
export function needsReread(
  { folder, listing, session }: Browser,
  now: { session: number | null; replaced: boolean },
): boolean {
  if (folder.phase === "reading") return false;
  if (now.replaced) return listing !== null || folder.phase === "failed";
  if (now.session === null) return false;
  return folder.phase === "failed" || (listing !== null && session !== null && session !== now.session);
}

export function readingFile(
  browser: Browser,
  question: number,
  { path, name }: Pick<EnvironmentEntry, "path" | "name">,
): Browser {
  const { file } = browser;
  const before = file?.path === path && file.phase === "read" ? file.content : null;
  return { ...browser, file: { path, name, phase: "reading", question, before } };
}

export function fileRead(browser: Browser, question: number, content: FileContent): Browser {
  const { file } = browser;
  if (file?.phase !== "reading" || file.question !== question) return browser;
  // What could not be listed before is behind whoever has opened something else since.
  const folder: Browser["folder"] = browser.folder.phase === "failed" ? { phase: "settled" } : browser.folder;
  return { ...browser, folder, file: { path: file.path, name: file.name, phase: "read", content } };
}

export function fileNotRead(browser: Browser, question: number, fault: FaultView): Browser {
  const { file } = browser;
  if (file?.phase !== "reading" || file.question !== question) return browser;
  return { ...browser, file: { path: file.path, name: file.name, phase: "failed", fault } };
}

/** The folder that an open file is in, when that is not the one that is shown. */
export function folderElsewhere({ path, name }: OpenFile, shown: string | null): string | null {
  const folder = path.slice(0, path.length - name.length);
  const plain = folder.length > 1 ? folder.replace(/[\\/]$/, "") : folder;
  return folder === shown || plain === shown ? null : plain;
}

const order = { folder: 0, file: 1, other: 1 } as const;
const names = new Intl.Collator(undefined, { numeric: true, sensitivity: "base" });

/** Folders first; numbers in names count as numbers. */
function byKindAndName(one: EnvironmentEntry, other: EnvironmentEntry): number {
  return order[one.kind] - order[other.kind] || names.compare(one.name, other.name);
}
