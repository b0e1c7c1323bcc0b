// What pages may do: load the app's own files, and write to the clipboard when the person presses Copy. Nothing is
// loaded from the network, no permission is asked for, no window is opened, no page is left.

import type { Session, WebContents } from "electron";
import type { Log } from "../log";
import { appScheme, isAppAddress, servePage } from "./appPages";

export interface PageOptions {
  /** The folder of the built renderer. */
  renderer: string;
  /** The origin of the development server that serves the pages instead, if there is one. */
  devServer: string | null;
  log: Log;
}

export function guardSession(session: Session, options: PageOptions): void {
  const { renderer, devServer, log } = options;
  // Not `handle`: it makes a Request and a Response of each file, for which Node loads its whole fetch, and streams the file
  // through main, which has other things to do at a start: together a tenth of the time until the window can be used.
  session.protocol.registerBufferProtocol(appScheme, async (request, answer) => {
    answer(await servePage(renderer, request));
  });

  const allowed = (permission: string, origin: string) =>
    permission === "clipboard-sanitized-write" && isAppAddress(origin, devServer);
  session.setPermissionRequestHandler((contents, permission, decide) => {
    const allow = allowed(permission, contents.getURL());
    if (!allow) log.warn("A page asked for a permission and was refused", { permission });
    decide(allow);
  });
  session.setPermissionCheckHandler((_contents, permission, origin) => allowed(permission, origin));
  session.setDevicePermissionHandler(() => false);

  const elsewhere = ["http://*/*", "https://*/*", "ws://*/*", "wss://*/*", "ftp://*/*", "file://*/*"];
  session.webRequest.onBeforeRequest({ urls: elsewhere }, (request, decide) => {
    const address = request.url.replace(/^ws/, "http");
    const allow = devServer !== null && isAppAddress(address, devServer);
    if (!allow)
      log.warn("A page asked for something from elsewhere and was refused", { type: request.resourceType });
    decide({ cancel: !allow });
  });
  session.on("will-download", (event) => {
    log.warn("A page wanted to save a file and was refused");
    event.preventDefault();
  });
}

/** For every page that ever comes to be, whatever made it. */
export function guardContents(contents: WebContents, options: PageOptions): void {
  const { devServer, log } = options;
  contents.setWindowOpenHandler(() => {
    log.warn("A page wanted to open a window and was refused");
    return { action: "deny" };
  });
  contents.on("will-attach-webview", (event) => event.preventDefault());
  const stay = (event: { preventDefault(): void; url: string }) => {
    // A page may load itself again. The app's pages have no links to each other.
    if (event.url === contents.getURL() && isAppAddress(event.url, devServer)) return;
    log.warn("A page wanted to go elsewhere and was refused");
    event.preventDefault();
  };
  contents.on("will-navigate", stay);
  contents.on("will-frame-navigate", stay);
  contents.on("will-redirect", stay);
}
