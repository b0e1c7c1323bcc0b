// The files that this window looks at, for each environment by itself: going from tab to tab and back loses no place.

import { create } from "zustand";
import type { EnvironmentEntry } from "../../../preload/contract/environments";
import { faultOf } from "../../state/callFault";
import { call } from "../../state/connection";
import { environmentOf } from "../actions";
import {
  answeredBy,
  type Browser,
  fileNotRead,
  fileRead,
  listed,
  newBrowser,
  notListed,
  reading,
  readingFile,
} from "./browser";

const filesStore = create<{ browsers: ReadonlyMap<string, Browser> }>(() => ({ browsers: new Map() }));

let questions = 0;

export function useBrowser(environmentId: string): Browser {
  return filesStore(({ browsers }) => browsers.get(environmentId) ?? newBrowser);
}

export function browserOf(environmentId: string): Browser {
  return filesStore.getState().browsers.get(environmentId) ?? newBrowser;
}

function put(environmentId: string, change: (browser: Browser) => Browser): void {
  filesStore.setState(({ browsers }) => {
    const before = browsers.get(environmentId) ?? newBrowser;
    const after = change(before);
    return after === before ? { browsers } : { browsers: new Map(browsers).set(environmentId, after) };
  });
}

/** Null: where the environment starts. */
export async function openFolder(
  environmentId: string,
  path: string | null,
  focus: string | null = null,
): Promise<void> {
  questions += 1;
  const question = questions;
  put(environmentId, (browser) => reading(browser, question, path, focus));
  try {
    const listing = await call("environments.list", { environmentId, path });
    const session = sessionOf(environmentId);
    const { folder } = browserOf(environmentId);
    const isWanted = folder.phase === "reading" && folder.question === question;
    put(environmentId, (browser) => listed(browser, question, listing, session));
    // The path of a file was given: it is what was wanted.
    if (isWanted && listing.named?.kind === "file") await openFile(environmentId, listing.named);
  } catch (error) {
    put(environmentId, (browser) => notListed(browser, question, faultOf(error)));
  }
}

export async function openFile(
  environmentId: string,
  entry: Pick<EnvironmentEntry, "path" | "name">,
): Promise<void> {
  questions += 1;
  const question = questions;
  put(environmentId, (browser) => readingFile(browser, question, entry));
  try {
    const content = await call("environments.readFile", { environmentId, path: entry.path });
    put(environmentId, (browser) => fileRead(browser, question, content));
  } catch (error) {
    put(environmentId, (browser) => fileNotRead(browser, question, faultOf(error)));
  }
}

/** The folder that is shown, or that could not be, and the file beside it. */
export function reload(environmentId: string): void {
  const { folder, listing, file, active } = browserOf(environmentId);
  const path = folder.phase === "settled" ? (listing?.path ?? null) : folder.path;
  void openFolder(environmentId, path, active);
  if (file) void openFile(environmentId, file);
}

export function openParent(environmentId: string): void {
  const { listing } = browserOf(environmentId);
  if (listing && listing.parent !== null) void openFolder(environmentId, listing.parent, listing.path);
}

export function closeFile(environmentId: string): void {
  put(environmentId, (browser) => ({ ...browser, file: null }));
}

export function moveTo(environmentId: string, path: string): void {
  put(environmentId, (browser) => ({ ...browser, active: path }));
}

/** The window has heard of this session. */
export function answers(environmentId: string, session: number): void {
  put(environmentId, (browser) => answeredBy(browser, session));
}

/** The session that answers now, as far as it is known. */
function sessionOf(environmentId: string): number | null {
  const connection = environmentOf(environmentId)?.connection;
  return connection?.state === "connected" ? connection.session : null;
}
