// What every window knows: codex, the account, workspaces with their threads, what waits for the person, settings.

import { z } from "zod";
import { cellQuestionSchema, runRowSchema, scriptRowSchema } from "./cells";
import { codexNewsSchema, limitsSchema } from "./codexPage";
import { environmentSchema } from "./environments";
import { faultSchema } from "./fault";
import { requestSchema } from "./requests";
import { settingsSchema } from "./settings";
import { terminalRowSchema } from "./terminals";
import { threadStateSchema } from "./thread";
import { worktreeStartSchema } from "./worktrees";

export const triedPlaceSchema = z.object({ origin: z.string(), place: z.string(), outcome: z.string() });
export type TriedPlace = z.infer<typeof triedPlaceSchema>;

export const codexSchema = z.discriminatedUnion("state", [
  z.object({ state: z.literal("searching") }),
  z.object({
    state: z.literal("found"),
    path: z.string(),
    version: z.string(),
    origin: z.string(),
    tried: z.array(triedPlaceSchema),
  }),
  z.object({ state: z.literal("missing"), fault: faultSchema, tried: z.array(triedPlaceSchema) }),
]);
export type CodexView = z.infer<typeof codexSchema>;

export const accountSchema = z.discriminatedUnion("state", [
  /** Not asked yet, or codex cannot be asked right now. */
  z.object({ state: z.literal("unknown"), fault: faultSchema.nullable() }),
  /** codex needs an account and has none. */
  z.object({ state: z.literal("signed out") }),
  z.object({ state: z.literal("signed in"), label: z.string(), plan: z.string().nullable() }),
  /** The model provider that is configured needs no account. */
  z.object({ state: z.literal("not needed"), provider: z.string().nullable() }),
]);
export type AccountView = z.infer<typeof accountSchema>;

export const loginSchema = z.discriminatedUnion("state", [
  z.object({ state: z.literal("none") }),
  z.object({ state: z.literal("waiting for browser"), url: z.string() }),
  z.object({ state: z.literal("failed"), fault: faultSchema }),
]);
export type LoginView = z.infer<typeof loginSchema>;

export const sessionSchema = z.discriminatedUnion("state", [
  z.object({ state: z.literal("stopped") }),
  z.object({ state: z.literal("starting") }),
  /** `endsWithApp` is set when this codex cannot listen on a socket and lives on stdio. */
  z.object({
    state: z.literal("connected"),
    codexVersion: z.string(),
    pid: z.number(),
    endsWithApp: z.boolean(),
  }),
  z.object({ state: z.literal("reconnecting"), attempt: z.number(), fault: faultSchema }),
  z.object({ state: z.literal("disconnected"), fault: faultSchema }),
  z.object({ state: z.literal("closing") }),
]);
export type SessionView = z.infer<typeof sessionSchema>;

export const workspaceSchema = z.object({
  id: z.string(),
  path: z.string(),
  name: z.string(),
  demo: z.boolean(),
  /** The folder is not where it was. */
  gone: z.boolean(),
  git: z.object({ branch: z.string().nullable(), isWorktree: z.boolean() }).nullable(),
  /** For a worktree that Holdfast has made: the workspace that it belongs to. */
  parentWorkspaceId: z.string().nullable(),
  session: sessionSchema,
  /** codex has more threads than are listed so far. */
  hasMore: z.boolean(),
  /** The same for archived threads; left out while nobody has asked for them. */
  hasMoreArchived: z.boolean().optional(),
  listing: z.boolean(),
  listFault: faultSchema.nullable(),
});
export type WorkspaceView = z.infer<typeof workspaceSchema>;

/** What a thread is as another one's agent. */
export const agentSchema = z.object({
  /** The last part of its path, or the nickname that codex gave it. */
  name: z.string(),
  role: z.string().nullable(),
  /** What it was asked to do last. */
  task: z.string().nullable(),
  /** What it said last, shortened. */
  lastMessage: z.string().nullable(),
  /** Tokens that it has spent in all. */
  tokens: z.number().nullable(),
  /** Whether codex lets the person write to it. null: not known while it is not loaded. */
  acceptsMessages: z.boolean().nullable(),
  /** How its last work ended, or that it was closed. null: it is at work, or nothing is known. */
  outcome: z.enum(["completed", "interrupted", "failed", "closed"]).nullable(),
});
export type AgentView = z.infer<typeof agentSchema>;

export const threadRowSchema = z.object({
  threadId: z.string(),
  workspaceId: z.string(),
  title: z.string(),
  state: threadStateSchema,
  archived: z.boolean(),
  unread: z.boolean(),
  updatedAtMs: z.number(),
  parentThreadId: z.string().nullable(),
  /** The thread that it is a copy of; left out: of none, or codex has not said so yet. */
  forkedFromId: z.string().optional(),
  /** For a child agent, also before codex has said more than its id. null for all others. */
  agent: agentSchema.nullable(),
  /** Where it was made: "app", "cli", "vscode", ... */
  source: z.string(),
  hasDraft: z.boolean(),
  /** Why its last turn was cut off before its end; left out: it was not. */
  cutOff: z.string().optional(),
  /** The commands that it has left running; left out: none. */
  leftRunning: z.array(z.string()).optional(),
  /** The environment in which its commands run; left out: this machine. */
  environmentId: z.string().optional(),
});
export type ThreadRow = z.infer<typeof threadRowSchema>;

export const noticeSchema = z.object({
  id: z.string(),
  tone: z.enum(["info", "warning", "error"]),
  text: z.string(),
  hint: z.string().nullable(),
  detail: z.string().nullable(),
});
export type NoticeView = z.infer<typeof noticeSchema>;

/**
 * Work that is owed and has not succeeded yet: a process to end, a launch to tear down. Listed from its first failure on;
 * what is being ended right now, and has not failed, is no news.
 */
export const cleanupSchema = z.object({
  id: z.string(),
  /** What it is, in a few words: "End codex (process 4711)". */
  title: z.string(),
  /** Why it is owed, in words. */
  reason: z.string(),
  /** null when it belongs to no workspace that is still listed. */
  workspaceId: z.string().nullable(),
  sinceMs: z.number(),
  attempts: z.number(),
  lastAttemptAtMs: z.number().nullable(),
  /** Why the last attempt failed. */
  fault: faultSchema.nullable(),
  /** When it is tried again by itself. */
  nextAttemptAtMs: z.number(),
  /** It is being tried right now. */
  trying: z.boolean(),
  /** `logs.tail` has a log for it. */
  hasLog: z.boolean(),
});
export type CleanupView = z.infer<typeof cleanupSchema>;

export const appStateSchema = z.object({
  version: z.string(),
  platform: z.string(),
  home: z.string(),
  codex: codexSchema,
  account: accountSchema,
  login: loginSchema,
  /** Of the account; null: codex has not said anything about them yet. */
  limits: limitsSchema.nullable(),
  /** By workspace. */
  codexNews: z.record(z.string(), codexNewsSchema),
  workspaces: z.array(workspaceSchema),
  /** Everything that waits for the person, in all threads. */
  waiting: z.array(requestSchema),
  /** The one that has been owed longest first. */
  cleanups: z.array(cleanupSchema),
  /** Own ones first, by name; then those that came with Holdfast. */
  scripts: z.array(scriptRowSchema),
  /** The newest first. */
  runs: z.array(runRowSchema),
  /** What scripts ask the person. */
  cellQuestions: z.array(cellQuestionSchema),
  /** By name. */
  environments: z.array(environmentSchema),
  /** In the order in which they were opened. */
  terminals: z.array(terminalRowSchema),
  /** Threads that are still to begin in a worktree of their own, the oldest first. */
  worktreeStarts: z.array(worktreeStartSchema),
  notices: z.array(noticeSchema),
  settings: settingsSchema,
});
export type AppState = z.infer<typeof appStateSchema>;

export const appSnapshotSchema = z.object({ state: appStateSchema, threads: z.array(threadRowSchema) });
export type AppSnapshot = z.infer<typeof appSnapshotSchema>;

export const appChangeSchema = z.discriminatedUnion("type", [
  /** Each field given replaces that field. */
  z.object({ type: z.literal("state"), value: appStateSchema.partial() }),
  z.object({ type: z.literal("threads"), upsert: z.array(threadRowSchema), remove: z.array(z.string()) }),
]);
export type AppChange = z.infer<typeof appChangeSchema>;
