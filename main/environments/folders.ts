// Looking into the folders and files of an environment, in paths of its own system.

import { posix, win32 } from "node:path";
import type { CallResult } from "../../preload/contract";
import { RpcFault } from "../codex/rpcFault";
import { Fault } from "../fault";
import { askedAgain } from "./client/disconnected";
import type { Environment } from "./client/environment";
import { childUri, fromFileUri, parentUri, toFileUri } from "./client/fileUri";

const mostEntries = 5_000;
/** As long as this it is shown whole, and of a longer one what it begins with. */
const mostTextBytes = 1024 * 1024;
const beginningBytes = 256 * 1024;

type Listing = CallResult<"environments.list">;
type FileContent = CallResult<"environments.readFile">;

/** Folders first, then by name. Rejects as the environment's files do, and with `path_not_absolute`. */
export function listFolder(environment: Environment, path: string | null): Promise<Listing> {
  return askedAgain(() => list(environment, path));
}

async function list(environment: Environment, path: string | null): Promise<Listing> {
  const folder = path === null ? await startFolder(environment) : uriOf(path);
  try {
    return await listed(environment, folder, null);
  } catch (error) {
    const kind = await kindBehind(environment, folder, error);
    const parent = parentUri(folder);
    if (kind === null || kind === "folder" || parent === null) throw inWords(error, folder);
    return await listed(environment, parent, folder).catch((problem) =>
      Promise.reject(inWords(problem, parent)),
    );
  }
}

/** `named`: something in it, which is listed however much there is. */
async function listed(environment: Environment, folder: string, named: string | null): Promise<Listing> {
  const found = await environment.files.list(folder);
  const entries = found.map(({ name, kind }) => ({ name, kind, path: shownPath(childUri(folder, name)) }));
  const shown = entries.slice(0, mostEntries);
  const namedPath = named === null ? null : shownPath(named);
  const entry = entries.find(({ path }) => path === namedPath) ?? null;
  if (entry !== null && !shown.includes(entry)) shown.push(entry);
  const parent = parentUri(folder);
  return {
    path: shownPath(folder),
    parent: parent === null ? null : shownPath(parent),
    entries: shown,
    more: entries.length - shown.length,
    named: entry,
  };
}

/** Of what cannot be listed as a folder. Null: that is not why. */
async function kindBehind(environment: Environment, uri: string, error: unknown) {
  if (!(error instanceof RpcFault)) return null;
  try {
    return (await environment.files.facts(uri)).kind;
  } catch {
    // What was wrong with listing it says more.
    return null;
  }
}

/**
 * Rejects as the environment's files do, and with `not_a_file`. A device or a pipe is not read: it may never end, and an
 * exec-server answers one question at a time.
 */
export function readTextFile(environment: Environment, path: string): Promise<FileContent> {
  return askedAgain(() => readText(environment, path));
}

async function readText(environment: Environment, path: string): Promise<FileContent> {
  const uri = uriOf(path);
  try {
    const { kind, bytes, modifiedAtMs } = await environment.files.facts(uri);
    if (kind === "folder") throw new Fault("not_a_file", `${shownPath(uri)} is a folder.`);
    const text = kind === "file" ? await textOf(environment, uri, bytes) : noFile;
    return { ...text, bytes, modifiedAtMs };
  } catch (error) {
    throw inWords(error, uri);
  }
}

type Text = Pick<FileContent, "text" | "left">;

const noFile: Text = { text: null, left: "no file" };

async function textOf({ files }: Environment, uri: string, bytes: number): Promise<Text> {
  if (bytes > mostTextBytes) return beginningOf(files, uri);
  try {
    return decoded(await files.read(uri, mostTextBytes), null);
  } catch (error) {
    // It has grown since its size was asked.
    if (!(error instanceof Fault) || error.code !== "too_long") throw error;
    return beginningOf(files, uri);
  }
}

async function beginningOf(files: Environment["files"], uri: string): Promise<Text> {
  try {
    return decoded(await files.readBeginning(uri, beginningBytes), "too long");
  } catch (error) {
    // An older exec-server reads files as a whole only.
    if (error instanceof RpcFault && error.isUnknownMethod) return { text: null, left: "too long" };
    throw error;
  }
}

function decoded(content: Buffer, left: "too long" | null): Text {
  const noText: Text = { text: null, left: "no text" };
  if (content.includes(0)) return noText;
  try {
    // A beginning may end within a character.
    const text = new TextDecoder("utf-8", { fatal: true }).decode(content, { stream: left !== null });
    return { text, left };
  } catch (error) {
    if (error instanceof TypeError) return noText;
    throw error;
  }
}

/** What an exec-server says is about no file in particular, and in the words of its system. */
function inWords(error: unknown, uri: string): unknown {
  const path = shownPath(uri);
  if (error instanceof Fault && error.code === "not_found") {
    return new Fault("not_found", `There is no "${path}" in this environment.`, { path, cause: error });
  }
  if (!(error instanceof RpcFault)) return error;
  const why = problems.find(({ look }) => look.test(error.message));
  return new Fault("path_unreadable", `${path} cannot be read${why === undefined ? "" : `: ${why.words}`}.`, {
    path,
    detail: [error.message, error.detail].filter(Boolean).join("\n"),
    cause: error,
  });
}

const problems = [
  { look: /permission denied|access is denied|operation not permitted/i, words: "it is not allowed there" },
  { look: /not a directory/i, words: "what it leads through is no folder" },
  {
    look: /too many levels of symbolic links|symbolic link loop/i,
    words: "its links lead round in a circle",
  },
  { look: /file ?name too long/i, words: "a name in it is too long" },
] as const;

async function startFolder(environment: Environment): Promise<string> {
  const { cwd, home } = await environment.info();
  const folder = cwd ?? home;
  if (folder !== null && fromFileUri(folder) !== null) return folder;
  throw new Fault("folder_unknown", "The environment does not say in which folder it starts.", {
    hint: "Write the path of a folder.",
  });
}

/** Without steps back, and without a slash at its end: the path that is shown is the one that is asked for. */
function uriOf(path: string): string {
  if (path.startsWith("/")) {
    const plain = posix.normalize(path);
    return toFileUri(plain === "/" ? plain : plain.replace(/\/+$/, ""));
  }
  // Not a full path: that is said of what was written.
  toFileUri(path);
  const plain = win32.normalize(/^[A-Za-z]:$/.test(path) ? `${path}\\` : path);
  return toFileUri(win32.parse(plain).root === plain ? plain : plain.replace(/\\+$/, ""));
}

function shownPath(uri: string): string {
  return fromFileUri(uri) ?? uri;
}
