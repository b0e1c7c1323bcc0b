// The files of an environment. One object for as long as there is the environment: each call goes to whichever session is in use
// when it is made. All paths are file URIs (fileUri.ts). What changes something is sent once.

import { randomUUID } from "node:crypto";
import { RpcFault } from "../../codex/rpcFault";
import { Fault } from "../../fault";
import { DisconnectedFault } from "./disconnected";
import {
  answers,
  checkedAnswer,
  type ExecutorMethod,
  maxPayloadBytes,
  notFoundCode,
} from "./executorProtocol";
import type { ExecutorSession } from "./executorSession";

export interface FolderEntry {
  name: string;
  /** "other": a device, a pipe, a socket. A link counts as what it leads to; an exec-server leaves out those that lead nowhere. */
  kind: "folder" | "file" | "other";
}

export interface FileFacts {
  kind: "folder" | "file" | "other";
  isLink: boolean;
  bytes: number;
  modifiedAtMs: number;
}

const defaultMaxBytes = 8 * 1024 * 1024;

/** Every method rejects as a call does, and with Fault `not_found`. */
export class EnvironmentFiles {
  readonly #session: () => Promise<ExecutorSession>;

  constructor(session: () => Promise<ExecutorSession>) {
    this.#session = session;
  }

  /** Folders first, then by name. */
  async list(path: string): Promise<FolderEntry[]> {
    const answer = await this.#ask("fs/readDirectory", { path });
    const { entries } = checkedAnswer("fs/readDirectory", answers.directory, answer);
    return entries
      .map((entry): FolderEntry => ({ name: entry.fileName, kind: kindOf(entry) }))
      .sort((a, b) => rank(a) - rank(b) || a.name.localeCompare(b.name));
  }

  async facts(path: string): Promise<FileFacts> {
    const answer = await this.#ask("fs/getMetadata", { path });
    const metadata = checkedAnswer("fs/getMetadata", answers.metadata, answer);
    const { isSymlink, size, modifiedAtMs } = metadata;
    return { kind: kindOf(metadata), isLink: isSymlink, bytes: size, modifiedAtMs };
  }

  /** Rejects with Fault `too_long` for a file of more than `maxBytes`. */
  async read(path: string, maxBytes = defaultMaxBytes): Promise<Buffer> {
    const { bytes } = await this.facts(path);
    if (bytes > maxBytes) throw tooLong(maxBytes);
    const answer = await this.#ask("fs/readFile", { path });
    const content = Buffer.from(checkedAnswer("fs/readFile", answers.file, answer).dataBase64, "base64");
    // It may have grown meanwhile.
    if (content.length > maxBytes) throw tooLong(maxBytes);
    return content;
  }

  /** What it begins with: this many bytes, at most 1 MiB, or fewer. */
  async readBeginning(path: string, bytes: number): Promise<Buffer> {
    const { calls } = await this.#session();
    // 32 bytes at most.
    const handleId = randomUUID().replaceAll("-", "");
    await asking(calls.call("fs/open", { path, handleId }));
    try {
      const answer = await calls.call("fs/readBlock", { handleId, offset: 0, len: bytes });
      return Buffer.from(checkedAnswer("fs/readBlock", answers.block, answer).chunk, "base64");
    } catch (error) {
      // The connection was lost meanwhile, and the handle with it.
      const isHandleGone = error instanceof RpcFault && error.rpcCode === notFoundCode;
      throw isHandleGone ? new DisconnectedFault("lost", { cause: error }) : error;
    } finally {
      // It is gone anyway when that does not work: with its connection.
      void calls.call("fs/close", { handleId }).catch(() => undefined);
    }
  }

  /** Where it really is, with no link on the way. */
  async realPath(path: string): Promise<string> {
    const answer = await this.#ask("fs/canonicalize", { path });
    return checkedAnswer("fs/canonicalize", answers.path, answer).path;
  }

  /** In place of what is there. Rejects with Fault `too_long`: an exec-server cuts the connection on a longer message. */
  async write(path: string, content: Uint8Array): Promise<void> {
    if (content.length > maxPayloadBytes) throw tooLong(maxPayloadBytes);
    const bytes = Buffer.from(content.buffer, content.byteOffset, content.byteLength);
    await this.#ask("fs/writeFile", { path, dataBase64: bytes.toString("base64") });
  }

  async createFolder(path: string, options: { parents: boolean }): Promise<void> {
    await this.#ask("fs/createDirectory", { path, recursive: options.parents });
  }

  /** Without `recursive` a folder has to be empty. Left out, an exec-server would take both for wished: they are always sent. */
  async remove(path: string, options: { recursive: boolean }): Promise<void> {
    await this.#ask("fs/remove", { path, recursive: options.recursive, force: false });
  }

  async copy(from: string, to: string, options: { recursive: boolean }): Promise<void> {
    await this.#ask("fs/copy", { sourcePath: from, destinationPath: to, recursive: options.recursive });
  }

  async #ask(method: ExecutorMethod, params: object): Promise<unknown> {
    const session = await this.#session();
    return asking(session.calls.call(method, params));
  }
}

async function asking(answer: Promise<unknown>): Promise<unknown> {
  try {
    return await answer;
  } catch (error) {
    if (!(error instanceof RpcFault) || error.rpcCode !== notFoundCode) throw error;
    throw new Fault("not_found", "There is no such file or folder in this environment.", { cause: error });
  }
}

function kindOf({ isDirectory, isFile }: { isDirectory: boolean; isFile: boolean }): FolderEntry["kind"] {
  if (isDirectory) return "folder";
  return isFile ? "file" : "other";
}

function rank({ kind }: FolderEntry): number {
  return kind === "folder" ? 0 : 1;
}

function tooLong(maxBytes: number): Fault {
  return new Fault("too_long", `The file has more than ${Math.floor(maxBytes / 1024 / 1024)} MiB.`);
}
