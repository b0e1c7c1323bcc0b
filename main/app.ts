// Wires the parts of main together, and holds nothing else. What the first window needs is loaded here; the rest is loaded
// while that window is being drawn.

import { join } from "node:path";
import { version } from "../package.json";
import { readSettings } from "./bridge/settings";
import { openLedger } from "./ledger/openLedger";
import type { CodeCacheUse } from "./shell/codeCache";
import { startShell } from "./shell/shell";

/** Call it before Electron is ready. `folder` has the built files of main; `codeCache` is for the log. */
export function start(folder: string, codeCache: Readonly<CodeCacheUse>): void {
  const root = join(folder, "..", "..");
  startShell({
    version,
    codeCache,
    renderer: join(root, "out", "renderer"),
    preload: join(root, "out", "preload", "index.cjs"),
    devServer: process.env.ELECTRON_RENDERER_URL,
    open({ home, clock, log }) {
      const { ledger, damagedFile } = openLedger({ path: home.ledger, clock, log });
      const { theme, textSize } = readSettings(ledger.settings).settings;
      return {
        windows: ledger.windows,
        theme,
        textSize,
        async start(context) {
          const { startServices } = await import("./startServices");
          return startServices(context, {
            version,
            ledger,
            damagedFile,
            bundledRoot: root,
            watchdogScript: join(folder, "watchdog.cjs"),
            cellWorkerScript: join(folder, "cells", "worker.cjs"),
            startedFromTerminal: process.stdin.isTTY === true,
            environment: process.env,
          });
        },
      };
    },
  });
}
