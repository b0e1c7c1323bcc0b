// Wires the parts of main together, and holds nothing else.

import { join } from "node:path";
import { version } from "../package.json";
import { outlookNow } from "./bridge/attentionParts";
import { Core } from "./bridge/core";
import { makeBackend } from "./bridge/handlers";
import { openLedger } from "./ledger/openLedger";
import { startShell } from "./shell/shell";

const root = join(import.meta.dirname, "..", "..");

startShell({
  version,
  renderer: join(root, "out", "renderer"),
  preload: join(root, "out", "preload", "index.cjs"),
  devServer: process.env.ELECTRON_RENDERER_URL,
  async start(context) {
    const { home, log, clock } = context;
    const { ledger, damagedFile } = openLedger({ path: home.ledger, clock, log });
    const core = new Core({
      version,
      home: home.path,
      logs: home.logs,
      ledger,
      damagedFile,
      clock,
      log,
      bundledRoot: root,
      watchdogScript: join(import.meta.dirname, "watchdog.js"),
      cellWorkerScript: join(import.meta.dirname, "cells", "worker.js"),
      startedFromTerminal: process.stdin.isTTY === true,
      environment: process.env,
      keyStore: context.keyStore,
      openLink: context.openLink,
      shownWorkspaces: context.shownWorkspaces,
      themeChanged: context.setTheme,
      textSizeChanged: context.setTextSize,
      waitingChanged: context.setBadge,
      desktop: context.desktop,
    });
    void core.begin();
    return {
      backend: makeBackend(core, {
        home,
        environment: process.env,
        startedFromTerminal: process.stdin.isTTY === true,
        windows: context.windows,
        openLink: context.openLink,
      }),
      windows: ledger.windows,
      theme: core.settings.theme,
      textSize: core.settings.textSize,
      quitting: () => core.settings.quitting,
      attention: core.attention,
      outlook: () => outlookNow(core),
      keepsInTray: () => core.settings.keepInTray,
      openWork: () => core.openWork(),
      shutDown: ({ work }) => core.shutDown(work),
      canEndInOrder: () => core.canEndInOrder,
      resumed: () => core.resumed(),
      workspacePath: (id) => core.workspaces.list().find((workspace) => workspace.id === id)?.path ?? null,
      relocateWorkspace: (id, path) => core.workspaces.relocate(id, path),
      sessionLogPath: (id) => core.sessionLogPath(id),
      environmentLogPath: (id) => core.environments.logPath(id),
      exports: core.exports,
      cleanupLogPath: (id) => core.supervision.cleanupLogPath(id),
    };
  },
});
