// One end of a message port, as the bridge needs it: Electron's in the app, Node's in tests.

import type { PortMessage } from "../../preload/contract";

export interface BridgePort {
  /** Throws when the message is no plain data. */
  post(message: PortMessage): void;
  /** Starts the flow. `closed` comes at most once, when the other end has gone. */
  listen(listener: { message(data: unknown): void; closed(): void }): void;
  close(): void;
}
