// What Holdfast says to an exec-server, and what it reads of its answers. There are no generated types for this protocol, so
// answers are checked where they come in; what is not read is not asked for, and what is new is ignored.

import { z } from "zod";
import { Fault } from "../../fault";

/**
 * Reading can be asked again over the next connection, without anybody noticing. What has an effect is sent once, whatever
 * becomes of the answer.
 */
export const methodEffects = {
  "environment/info": false,
  "environment/status": false,
  "process/start": true,
  "process/read": false,
  "process/write": true,
  "process/signal": true,
  "process/terminate": true,
  "fs/readFile": false,
  /** A handle for reading, which ends with its connection. */
  "fs/open": false,
  "fs/readBlock": false,
  "fs/close": false,
  "fs/readDirectory": false,
  "fs/getMetadata": false,
  "fs/canonicalize": false,
  "fs/writeFile": true,
  "fs/createDirectory": true,
  "fs/remove": true,
  "fs/copy": true,
} as const;

export type ExecutorMethod = keyof typeof methodEffects;

/** What is kept or shown of an executor's words has a bound: nobody has looked at who answers there. */
const word = z.string().max(256);
const path = z.string().max(32_768);

const infoSchema = z.object({
  shell: z.object({ name: word, path }),
  executorVersion: word.nullish(),
  platformOs: word.nullish(),
  cwd: path.nullish(),
  userHomeDir: path.nullish(),
  tempDir: path.nullish(),
});

const initializeSchema = z.object({
  sessionId: word.min(1),
  /** Versions before it was added leave it out. */
  environmentInfo: infoSchema.nullish(),
});

const statusSchema = z.object({ status: word });

const streamSchema = z.enum(["stdout", "stderr", "pty"]);

const readSchema = z.object({
  chunks: z.array(z.object({ seq: z.int().positive(), stream: streamSchema, chunk: z.string() })),
  nextSeq: z.int().positive(),
  exited: z.boolean(),
  exitCode: z.int().nullish(),
  closed: z.boolean(),
  failure: z.string().nullish(),
  sandboxDenied: z.boolean().nullish(),
});

const writeSchema = z.object({
  status: z.enum(["accepted", "unknownProcess", "stdinClosed", "starting"]),
});

const terminateSchema = z.object({ running: z.boolean() });

const directorySchema = z.object({
  entries: z.array(z.object({ fileName: z.string(), isDirectory: z.boolean(), isFile: z.boolean() })),
});

const metadataSchema = z.object({
  isDirectory: z.boolean(),
  isFile: z.boolean(),
  isSymlink: z.boolean(),
  size: z.number().nonnegative(),
  modifiedAtMs: z.number(),
});

export const answers = {
  initialize: initializeSchema,
  info: infoSchema,
  status: statusSchema,
  read: readSchema,
  write: writeSchema,
  terminate: terminateSchema,
  file: z.object({ dataBase64: z.string() }),
  block: z.object({ chunk: z.string() }),
  directory: directorySchema,
  metadata: metadataSchema,
  path: z.object({ path }),
  nothing: z.unknown(),
};

/** All paths are file URIs. What an exec-server does not say is null. */
export interface EnvironmentInfo {
  shell: { name: string; path: string };
  version: string | null;
  platform: string | null;
  cwd: string | null;
  home: string | null;
  temporary: string | null;
}

export type ProcessStreamName = z.infer<typeof streamSchema>;
export type ReadAnswer = z.infer<typeof readSchema>;

export function toInfo(info: z.infer<typeof infoSchema>): EnvironmentInfo {
  return {
    shell: info.shell,
    version: info.executorVersion ?? null,
    platform: info.platformOs ?? null,
    cwd: info.cwd ?? null,
    home: info.userHomeDir ?? null,
    temporary: info.tempDir ?? null,
  };
}

/** Throws Fault `executor_answer_unknown`. */
export function checkedAnswer<Schema extends z.ZodType>(
  method: string,
  schema: Schema,
  answer: unknown,
): z.infer<Schema> {
  const { success, data, error } = schema.safeParse(answer);
  if (success) return data;
  const where = error.issues.map(({ path, message }) => `${path.join(".")}: ${message}`).join("; ");
  throw new Fault(
    "executor_answer_unknown",
    `The exec-server's answer could not be understood (${method}).`,
    {
      hint: "It may be of a version that Holdfast does not know.",
      detail: where,
    },
  );
}

/** The session is attached to another connection: the executor has not noticed yet that it is gone. */
/** With a code that stands for other things too. */
export const unknownSessionWords = "unknown session id";
export const stillAttachedCode = -32010;
export const notFoundCode = -32004;
/**
 * An exec-server cuts the connection, with everything that is under way over it, on a message above 16 MiB. This leaves room
 * for base64 and the rest of the message.
 */
export const maxPayloadBytes = 8 * 1024 * 1024;
