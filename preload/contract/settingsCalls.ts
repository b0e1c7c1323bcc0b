// The calls for Holdfast's own settings, and for codex's configuration, which is written key by key and only when asked.

import { z } from "zod";
import { call, done, nothing } from "./call";
import { settingsSchema } from "./settings";

/** Where a value comes from, in order of weight from the heaviest. */
const configSourceSchema = z.object({
  kind: z.enum(["managed", "flags", "project", "user", "system", "default"]),
  /** "your config.toml", "this project's .codex", ... */
  words: z.string(),
  /** The file or folder that says it; null: none does. */
  place: z.string().nullable(),
});

/** One value of codex's configuration as it counts. */
const configEntrySchema = z.object({
  path: z.array(z.string()).min(1),
  /** As codex's file names it, and as it is written: quoted where need be. */
  key: z.string(),
  /** Null: it is not set, and codex says no default. */
  value: z.json(),
  /** A password or a token: its value stays in codex. */
  secret: z.boolean(),
  source: configSourceSchema,
});
export type ConfigEntry = z.infer<typeof configEntrySchema>;

const codexConfigSchema = z.object({
  /** The person's own file, which is the one that is written; it need not be there. */
  file: z.string().nullable(),
  /** What the file's content is known by; null: there is no such file that codex knows. */
  version: z.string().nullable(),
  entries: z.array(configEntrySchema),
  /** Layers that codex does not use, and why. */
  disabled: z.array(z.object({ source: configSourceSchema, reason: z.string() })),
});
export type CodexConfig = z.infer<typeof codexConfigSchema>;

const workspace = z.object({ workspaceId: z.string().max(200).nullable() });

export const settingsCalls = {
  /** Each field given replaces that field. */
  "settings.set": call(settingsSchema.partial(), done),
  /** Where things are kept. */
  "settings.places": call(
    nothing,
    z.object({ home: z.string(), logs: z.string(), ledger: z.string(), codexHome: z.string() }),
  ),
  /** codex's configuration as it counts in this workspace; null, or a demo: in no workspace. */
  "codexConfig.read": call(workspace, codexConfigSchema),
  /**
   * Writes one key into the person's own config.toml, through codex. `value` null takes it out. `behind`: the file is not
   * `version` any more; nothing was written.
   */
  "codexConfig.write": call(
    workspace.extend({
      path: z.array(z.string().min(1).max(1000)).min(1).max(20),
      value: z.json(),
      version: z.string().nullable(),
    }),
    z.discriminatedUnion("outcome", [
      z.object({
        outcome: z.literal("written"),
        file: z.string(),
        /** Something heavier says otherwise: what, and what counts. In codex's words. */
        overridden: z.object({ message: z.string(), effective: z.json() }).nullable(),
      }),
      z.object({ outcome: z.literal("behind") }),
    ]),
  ),
  /** Whether this is a codex that can be started; sets nothing. */
  "codex.check": call(
    z.object({ path: z.string().min(1).max(4096) }),
    z.object({ usable: z.boolean(), outcome: z.string(), version: z.string().nullable() }),
  ),
} as const;
