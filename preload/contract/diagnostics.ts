// What Holdfast says about itself, for whoever looks for the reason of something. Without secrets: what a window is shown is
// what is copied and saved.

import { z } from "zod";
import { call, done, nothing } from "./call";

export const diagnosticSectionSchema = z.object({
  id: z.string(),
  title: z.string(),
  /** Said before what follows, or in its place. */
  note: z.string().nullable(),
  facts: z.array(z.object({ name: z.string(), value: z.string() })),
  table: z.object({ columns: z.array(z.string()), rows: z.array(z.array(z.string())) }).nullable(),
  /** Longer texts, each of which can be copied. */
  texts: z.array(z.object({ title: z.string(), text: z.string() })),
});
export type DiagnosticSection = z.infer<typeof diagnosticSectionSchema>;

export const diagnosticsCalls = {
  "diagnostics.read": call(
    nothing,
    z.object({
      takenAtMs: z.number(),
      sections: z.array(diagnosticSectionSchema),
      /** In full, for opening them. */
      folders: z.object({ data: z.string(), logs: z.string() }),
    }),
  ),
  /** The same as one text in Markdown, as of now. */
  "diagnostics.text": call(nothing, z.object({ text: z.string() })),
  /** Asks where, and writes the same text there. null: the person changed their mind. */
  "diagnostics.save": call(nothing, z.object({ path: z.string().nullable() })),
  /** Adds up what lies in Holdfast's folders; the sums are in what is read next. */
  "diagnostics.measureFolders": call(nothing, done),
  /** Checks every page of the ledger; what comes of it is in what is read next. */
  "diagnostics.checkLedger": call(nothing, z.object({ sound: z.boolean() })),
} as const;
