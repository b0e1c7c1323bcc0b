// Environments as windows see them: where one is found, whether it is connected, what it says of itself, and how a thread
// uses one.

import { z } from "zod";
import { faultSchema } from "./fault";

/** Who says where an environment is. Never a token: tokens have names, and are kept apart. */
export const registryViewSchema = z.discriminatedUnion("kind", [
  /** An exec-server on this machine, which Holdfast runs itself. */
  z.object({ kind: z.literal("local") }),
  /** `identity` null: whatever listens at that address counts as the same executor. */
  z.object({
    kind: z.literal("fixed"),
    url: z.string().max(4096),
    identity: z.string().max(256).nullable(),
  }),
  /** A JSON file that another program rewrites. */
  z.object({ kind: z.literal("file"), path: z.string().max(4096) }),
  /** A program that prints the same JSON. */
  z.object({
    kind: z.literal("command"),
    command: z.string().max(4096),
    args: z.array(z.string().max(8192)).max(100),
  }),
]);
export type RegistryView = z.infer<typeof registryViewSchema>;

export const environmentConnectionSchema = z.discriminatedUnion("state", [
  /** `fault` null: it was not used yet, or let go of on purpose. See `isReplaced`. */
  z.object({ state: z.literal("not connected"), fault: faultSchema.nullable() }),
  z.object({ state: z.literal("connecting") }),
  z.object({
    state: z.literal("connected"),
    identity: z.string(),
    registration: z.string(),
    /** Another number: another executor, or the same one restarted. */
    session: z.number(),
    sinceMs: z.number(),
  }),
  /** The same executor is being connected to anew; what is asked of it waits. */
  z.object({ state: z.literal("reconnecting"), attempt: z.number(), fault: faultSchema }),
]);
export type EnvironmentConnection = z.infer<typeof environmentConnectionSchema>;

/** Nothing is the matter with it: its executor was restarted or replaced, and the next use connects to the one there now. */
export function isReplaced(connection: EnvironmentConnection | undefined): boolean {
  return connection?.state === "not connected" && connection.fault?.code === "environment_replaced";
}

/** What an executor says of itself, in paths of its own system. */
export const executorInfoSchema = z.object({
  version: z.string().nullable(),
  platform: z.string().nullable(),
  shell: z.string(),
  folder: z.string().nullable(),
  home: z.string().nullable(),
});
export type ExecutorInfo = z.infer<typeof executorInfoSchema>;

export const environmentSchema = z.object({
  environmentId: z.string(),
  name: z.string(),
  registry: registryViewSchema,
  /**
   * The tokens that are saved for it, by name. `this run`: this machine has no key store, so it is kept in memory and has
   * to be given again after the next start. `unreadable`: it has to be given again now; the key store does not give it out
   * any more, or it was kept for an earlier run only.
   */
  tokens: z.array(z.object({ name: z.string(), kept: z.enum(["key store", "this run", "unreadable"]) })),
  connection: environmentConnectionSchema,
  /** As it said when it was connected to last in this run; it may be another one by now. */
  info: executorInfoSchema.nullable(),
  /** The last time that it was asked whether it is there, and how long its answer took or why there was none. */
  check: z
    .object({ atMs: z.number(), latencyMs: z.number().nullable(), fault: faultSchema.nullable() })
    .nullable(),
  refreshing: z.boolean(),
  /** The exec-server of a local one; null for all others. It is started when it is needed. */
  server: z
    .object({
      state: z.enum(["stopped", "starting", "running", "ending"]),
      pid: z.number().nullable(),
      startedAtMs: z.number().nullable(),
      /** Why it is not running, when that was not wished. */
      fault: faultSchema.nullable(),
      hasLog: z.boolean(),
    })
    .nullable(),
});
export type EnvironmentView = z.infer<typeof environmentSchema>;

/** Where the commands of a thread run, when that is not this machine. */
export const threadEnvironmentSchema = z.object({
  environmentId: z.string(),
  /** Null: it was removed. Nothing of the thread runs until another place is chosen. */
  name: z.string().nullable(),
  /** The folder there. */
  cwd: z.string(),
  /** As codex says it for this thread. `not used yet`: since this codex was started. */
  state: z.enum(["not used yet", "connected", "disconnected"]),
  /** codex is disconnected, and Holdfast is connected to another executor: what codex was connected to is not there any more. */
  executorGone: z.boolean(),
  /** Why the thread cannot go on there. */
  fault: faultSchema.nullable(),
});
export type ThreadEnvironment = z.infer<typeof threadEnvironmentSchema>;

export const folderEntrySchema = z.object({
  name: z.string(),
  path: z.string(),
  /** `other`: a device, a pipe, a socket. */
  kind: z.enum(["folder", "file", "other"]),
});
export type EnvironmentEntry = z.infer<typeof folderEntrySchema>;

/** One step of the way to an exec-server on another machine, as it was found. */
export const wayStepSchema = z.object({
  step: z.enum(["address", "port", "server", "token", "handshake", "version"]),
  outcome: z.enum(["ok", "failed", "warning", "not tried"]),
  /** What was found, and what to do about it. */
  text: z.string(),
  hint: z.string().nullable(),
});
export type WayStep = z.infer<typeof wayStepSchema>;
