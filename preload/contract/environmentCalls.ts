// What a window asks of environments.

import { z } from "zod";
import { call, done, nothing } from "./call";
import { folderEntrySchema, registryViewSchema, wayStepSchema } from "./environments";

const environmentId = z.object({ environmentId: z.string().max(200) });
const name = z.string().trim().min(1).max(200);
const tokenName = z.string().trim().min(1).max(256);
const token = z.string().min(1).max(16_384);

export const environmentCalls = {
  /** Nothing is connected to before somebody needs it. `tokens`: kept in the platform's key store, if there is one. */
  "environments.add": call(
    z.object({
      name,
      registry: registryViewSchema,
      tokens: z.array(z.object({ name: tokenName, token })).max(20),
    }),
    environmentId,
  ),
  /** What is new holds from the next connection; a refresh makes that now. */
  "environments.change": call(environmentId.extend({ name, registry: registryViewSchema }), done),
  /** null: forgets it. */
  "environments.setToken": call(environmentId.extend({ name: tokenName, token: token.nullable() }), done),
  /**
   * Takes it off the list, with its tokens; what runs in it is ended, and its exec-server if it is a local one. Refused
   * while threads or terminals use it, unless `evenIfUsed`: such threads wait until another place is chosen for them.
   */
  "environments.remove": call(environmentId.extend({ evenIfUsed: z.boolean() }), done),
  /** Connects if there is no connection and asks whether it is there. The answer is its `check`. */
  "environments.check": call(environmentId, done),
  /** After a replacement: asks its registry anew and goes over to what that names. Rejects with why that did not work. */
  "environments.refresh": call(environmentId, done),
  /** The exec-server of a local one. Answers when it runs. */
  "environments.start": call(environmentId, done),
  /** Refused while something runs in it, unless `evenIfUsed`: that is ended then. */
  "environments.stop": call(environmentId.extend({ evenIfUsed: z.boolean() }), done),
  /**
   * A folder; null: where the environment starts. `parent` null: it is the root. The path of a file stands for the folder that
   * it is in; the file is `named` then, and among the entries.
   */
  "environments.list": call(
    environmentId.extend({ path: z.string().max(4096).nullable() }),
    z.object({
      path: z.string(),
      parent: z.string().nullable(),
      entries: z.array(folderEntrySchema),
      /** How many more there are than those. */
      more: z.number().int().nonnegative(),
      named: folderEntrySchema.nullable(),
    }),
  ),
  /** `left`: why its text is not there, or is only what it begins with (`too long`). */
  "environments.readFile": call(
    environmentId.extend({ path: z.string().max(4096) }),
    z.object({
      text: z.string().nullable(),
      left: z.enum(["too long", "no text", "no file"]).nullable(),
      bytes: z.number(),
      modifiedAtMs: z.number(),
    }),
  ),
  /** Looks at the way to an exec-server step by step. `environmentId`: its saved token is used where none is given. */
  "environments.inspectWay": call(
    z.object({
      url: z.string().max(4096),
      token: token.nullable(),
      environmentId: z.string().max(200).nullable(),
    }),
    z.object({ steps: z.array(wayStepSchema) }),
  ),
  /** The platform's file dialog, for a registry. */
  "environments.pickFile": call(nothing, z.object({ path: z.string().nullable() })),
} as const;
