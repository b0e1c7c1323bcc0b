// What the shell gets of the rest of main.

import { outlookNow } from "./bridge/attentionParts";
import { Core, type CoreOptions } from "./bridge/core";
import { makeBackend } from "./bridge/handlers";
import { isBusy } from "./bridge/isBusy";
import type { Services, ShellContext } from "./shell/services";

/** What the shell knows nothing of. */
export type ServicesOptions = Pick<
  CoreOptions,
  | "version"
  | "ledger"
  | "damagedFile"
  | "bundledRoot"
  | "watchdogScript"
  | "cellWorkerScript"
  | "startedFromTerminal"
  | "environment"
>;

export function startServices(context: ShellContext, options: ServicesOptions): Services {
  const { home, log, clock } = context;
  const core = new Core({
    ...options,
    home: home.path,
    logs: home.logs,
    clock,
    log,
    keyStore: context.keyStore,
    openLink: context.openLink,
    shownWorkspaces: context.shownWorkspaces,
    themeChanged: context.setTheme,
    textSizeChanged: context.setTextSize,
    waitingChanged: context.setBadge,
    desktop: context.desktop,
  });
  return {
    begin: () => void core.begin(),
    backend: makeBackend(core, {
      home,
      environment: options.environment,
      startedFromTerminal: options.startedFromTerminal,
      windows: context.windows,
      openLink: context.openLink,
    }),
    quitting: () => core.settings.quitting,
    attention: core.attention,
    outlook: () => outlookNow(core),
    keepsInTray: () => core.settings.keepInTray,
    keepsAwake: () => core.settings.keepAwake && isBusy(core.threads.rows.all, core.cells.running),
    openWork: () => core.openWork(),
    lookAtTerminals: () => core.terminals.lookForIdle(),
    workFound: core.supervision.found,
    shutDown: ({ work }) => core.shutDown(work),
    canEndInOrder: () => core.canEndInOrder,
    resumed: () => core.resumed(),
    workspacePath: (id) => core.workspaces.list().find((workspace) => workspace.id === id)?.path ?? null,
    relocateWorkspace: (id, path) => core.workspaces.relocate(id, path),
    sessionLogPath: (id) => core.sessionLogPath(id),
    environmentLogPath: (id) => core.environments.logPath(id),
    setupLogPath: (id) => core.starts.logPath(id),
    exports: core.exports,
    cleanupLogPath: (id) => core.supervision.cleanupLogPath(id),
  };
}
