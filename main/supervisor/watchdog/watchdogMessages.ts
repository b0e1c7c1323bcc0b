// What main tells the watchdog: one JSON object a line on its standard input. Never a secret: a token is named by its file.

import { z } from "zod";
import { homeMarkSchema } from "../homeMark";

const channelSchema = z.discriminatedUnion("kind", [
  z.object({ kind: z.literal("socket"), path: z.string() }),
  /** `port` null: codex has not said it yet, so it cannot be asked anything. Main tells it again once it is known. */
  z.object({
    kind: z.literal("loopback"),
    tokenFile: z.string(),
    port: z.int().min(1).max(65_535).nullable(),
  }),
  z.object({ kind: z.literal("stdio") }),
]);
export type ServerChannel = z.infer<typeof channelSchema>;

/** What main owns as long as it lives. */
const ownedServerSchema = z.object({
  /** An exec-server is no work by itself: it is there for the app-servers whose threads use it. */
  kind: z.enum(["app-server", "exec-server"]),
  handleId: z.string().min(1),
  pid: z.int().min(2),
  /**
   * As `processStartTime` gives it: the pid alone may be a stranger's by then. Empty when it had died before it was asked
   * for: then there are only leftovers, which are found by the handle's marker.
   */
  startTime: z.string(),
  channel: channelSchema,
});
export type OwnedServer = z.infer<typeof ownedServerSchema>;

const messageSchema = z.discriminatedUnion("type", [
  /** Also of one that is known already: the later facts count. */
  z.object({ type: z.literal("own"), server: ownedServerSchema }),
  /** Main has closed it, or found it closed. */
  z.object({ type: z.literal("disown"), handleId: z.string() }),
  /** How long a server may be idle without an owner. */
  z.object({ type: z.literal("unattended"), ms: z.number().min(0) }),
  /** Main ends them all: what it has not ended by its own end is to be ended, whatever it does. */
  z.object({ type: z.literal("keep nothing") }),
  /** Where somebody would have to come back to. */
  z.object({ type: z.literal("home"), home: homeMarkSchema }),
]);
export type WatchdogMessage = z.infer<typeof messageSchema>;

export function writeMessage(message: WatchdogMessage): string {
  return `${JSON.stringify(message)}\n`;
}

/** Null when it is none. */
export function readMessage(line: string): WatchdogMessage | null {
  try {
    return messageSchema.safeParse(JSON.parse(line)).data ?? null;
  } catch {
    // No JSON: main died in the middle of a line.
    return null;
  }
}
