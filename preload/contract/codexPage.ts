// What one can know of a codex beside its threads: MCP servers, skills, what of an allowance is used. Asked for only when
// somebody looks.

import { z } from "zod";
import { call, done, nothing } from "./call";

const workspaceId = z.object({ workspaceId: z.string().max(200) });
const serverName = z.string().max(200);
/** The loaded thread whose own connections to its servers are meant; null: any thread's, or none. */
const threadId = z.string().max(200).nullable();

/** As it is configured. Never a secret: of variables and headers the names only. */
export const configuredServerSchema = z.object({
  name: z.string(),
  enabled: z.boolean(),
  /** What is run, or which address is connected to. Null: its configuration does not say. */
  target: z.object({ kind: z.enum(["command", "address"]), text: z.string() }).nullable(),
  folder: z.string().nullable(),
  variables: z.array(z.string()),
  /** In words, and the file where there is one. */
  source: z.object({ words: z.string(), file: z.string().nullable() }),
});
export type ConfiguredServer = z.infer<typeof configuredServerSchema>;

export const serverStateSchema = z.enum([
  "starting",
  "ready",
  "failed",
  "needs login",
  "cancelled",
  "disabled",
  "not started",
]);
export type ServerState = z.infer<typeof serverStateSchema>;

export const serverAnswerSchema = z.object({
  state: serverStateSchema,
  error: z.string().nullable(),
  auth: z.enum(["signed in", "token", "signed out", "none", "unknown"]),
  /** As it calls itself. */
  title: z.string().nullable(),
  version: z.string().nullable(),
  tools: z.array(
    z.object({
      name: z.string(),
      description: z.string(),
      /** The schema of what it takes, as JSON. */
      schema: z.string(),
    }),
  ),
  resources: z.array(z.object({ name: z.string(), uri: z.string(), description: z.string() })),
  /** How many more tools and resources it has than are given here. */
  more: z.number().int().nonnegative(),
});
export type ServerAnswer = z.infer<typeof serverAnswerSchema>;

export const skillSchema = z.object({
  name: z.string(),
  title: z.string(),
  description: z.string(),
  path: z.string(),
  scope: z.enum(["user", "repo", "system", "admin"]),
  plugin: z.string().nullable(),
  enabled: z.boolean(),
});
export type SkillView = z.infer<typeof skillSchema>;

export const limitWindowSchema = z.object({
  usedPercent: z.number(),
  /** Length of the window; null when codex does not say. */
  minutes: z.number().nullable(),
  resetsAtMs: z.number().nullable(),
});
export type LimitWindow = z.infer<typeof limitWindowSchema>;

/** What is null is not known, and never "none left" or "none used". */
export const limitsSchema = z.object({
  primary: limitWindowSchema.nullable(),
  secondary: limitWindowSchema.nullable(),
  /** True once codex has said that a limit stops work. */
  reached: z.boolean().nullable(),
  plan: z.string().nullable(),
  credits: z.object({ has: z.boolean(), unlimited: z.boolean(), balance: z.string().nullable() }).nullable(),
  /** Limits of their own, of some models for instance. */
  others: z.array(
    z.object({
      name: z.string(),
      primary: limitWindowSchema.nullable(),
      secondary: limitWindowSchema.nullable(),
    }),
  ),
  /** When codex said so last. */
  atMs: z.number(),
});
export type LimitsView = z.infer<typeof limitsSchema>;

/** What codex has told of a session, so that a page that is looked at asks again. Counts up. */
export const codexNewsSchema = z.object({
  skills: z.number().int(),
  /** By MCP server, how the last sign-in to it ended. */
  logins: z.record(z.string(), z.object({ count: z.number().int(), error: z.string().nullable() })),
});
export type CodexNews = z.infer<typeof codexNewsSchema>;

export const usageSchema = z.object({
  /** Tokens by day, the newest first. Null: codex does not say. */
  days: z.array(z.object({ day: z.string(), tokens: z.number() })).nullable(),
  lifetimeTokens: z.number().nullable(),
  /** Of the thread that was asked about, as codex estimates it. Null: it does not. */
  thread: z.object({ credits: z.number(), usd: z.number().nullable() }).nullable(),
});
export type UsageView = z.infer<typeof usageSchema>;

export const codexPageCalls = {
  /** The MCP servers that are configured for a workspace. */
  "codex.servers": call(workspaceId, z.object({ servers: z.array(configuredServerSchema) })),
  /** How one of them stands and what it offers. Where no thread has it running, codex starts it to find out. */
  "codex.server": call(workspaceId.extend({ threadId, name: serverName }), serverAnswerSchema),
  /** Starts all of them anew, with the configuration as it is now. */
  "codex.reloadServers": call(workspaceId, done),
  /** Opens the page where one signs in; how that ended arrives as `codexNews`. */
  "codex.signInToServer": call(
    workspaceId.extend({ threadId, name: serverName }),
    z.object({ url: z.string() }),
  ),
  /** `now`: the files are read anew. */
  "codex.skills": call(
    workspaceId.extend({ now: z.boolean() }),
    z.object({
      skills: z.array(skillSchema),
      /** Files of skills that codex cannot use. */
      errors: z.array(z.object({ path: z.string(), message: z.string() })),
    }),
  ),
  /** Has codex write one entry into the person's own configuration. The answer is what holds then. */
  "codex.setSkill": call(
    workspaceId.extend({ path: z.string().max(4096), enabled: z.boolean() }),
    z.object({ enabled: z.boolean() }),
  ),
  /** Reads the limits anew; they arrive as the app's `limits`. */
  "codex.readLimits": call(nothing, done),
  "codex.usage": call(z.object({ threadId }), usageSchema),
} as const;
