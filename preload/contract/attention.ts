// What the person is told while they look elsewhere, and how they want it.

import { z } from "zod";
import { call, nothing } from "./call";

export const notificationSettingsSchema = z.object({
  /** A turn has completed. */
  finished: z.boolean(),
  /** A turn has failed or was cut off. */
  failed: z.boolean(),
  /** An approval or a question waits. */
  needsYou: z.boolean(),
  /** What scripts tell by `notify`. */
  scripts: z.boolean(),
  /** What it is about: an answer's last words, the command that waits. Off: only the thread's title. */
  details: z.boolean(),
  sound: z.boolean(),
  /** None while a window of Holdfast's is in front, whatever it shows. */
  onlyWhenAway: z.boolean(),
});
export type NotificationSettings = z.infer<typeof notificationSettingsSchema>;

export const attentionCalls = {
  /** What this desktop has of it. */
  "attention.desktop": call(
    nothing,
    z.object({ notifications: z.boolean(), tray: z.boolean(), openAtLogin: z.boolean() }),
  ),
};
