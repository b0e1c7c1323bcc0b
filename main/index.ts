// Wires the parts of main together, and holds nothing else. What the first window needs is loaded here; the rest is loaded
// while that window is being drawn.

import { join } from "node:path";
import { version } from "../package.json";
import { readSettings } from "./bridge/settings";
import { openLedger } from "./ledger/openLedger";
import { startShell } from "./shell/shell";

/** The greater parts of the backend, each after what it is made of. */
const parts = [
  () => import("../preload/contract"),
  () => import("./codex/rpcClient"),
  () => import("./codex/webSocketTransport"),
  () => import("./supervisor/sessions"),
  () => import("./threads/threads"),
  () => import("./workspaces/changes/changes"),
  () => import("./workspaces/worktrees/worktrees"),
  () => import("./environments/environments"),
  () => import("./cells/cells"),
  () => import("./bridge/supervision"),
  () => import("./bridge/handlers"),
  () => import("./startServices"),
];

const root = join(import.meta.dirname, "..", "..");

startShell({
  version,
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
      parts,
      async start(context) {
        const { startServices } = await import("./startServices");
        return startServices(context, {
          version,
          ledger,
          damagedFile,
          bundledRoot: root,
          watchdogScript: join(import.meta.dirname, "watchdog.js"),
          cellWorkerScript: join(import.meta.dirname, "cells", "worker.js"),
          startedFromTerminal: process.stdin.isTTY === true,
          environment: process.env,
        });
      },
    };
  },
});
