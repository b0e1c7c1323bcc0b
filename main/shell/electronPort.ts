import type { MessagePortMain } from "electron";
import type { BridgePort } from "../bridge/port";

/** Electron's port as the bridge needs it. Electron says "close" for the other end's going, whatever made it go. */
export function electronPort(port: MessagePortMain): BridgePort {
  return {
    post: (message) => port.postMessage(message),
    listen(listener) {
      port.on("message", (event) => listener.message(event.data));
      port.once("close", () => listener.closed());
      port.start();
    },
    close: () => port.close(),
  };
}
