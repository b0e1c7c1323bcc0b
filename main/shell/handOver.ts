import { z } from "zod";

/** What an app that was started once more hands to the one that runs already. */
export const handOverSchema = z.object({ folder: z.string().nullable(), hidden: z.boolean() });
export type HandOver = z.infer<typeof handOverSchema>;
