// The commands for environments, in the list of all commands.

import {
  checkEnvironment,
  connectToAnotherMachine,
  environmentInFront,
  newEnvironment,
  refreshEnvironment,
  runOneHere,
} from "../environments/actions";
import { goToEnvironments } from "../state/navigation";
import type { Command } from "./command";

const hasEnvironment = () => environmentInFront() !== undefined;

export const environmentCommands: readonly Command[] = [
  {
    id: "environments",
    title: "Environments: where commands run",
    group: "Environments",
    shortcuts: ["mod+shift+e"],
    keywords: "executor exec-server remote machine",
    run: () => goToEnvironments(),
  },
  ...(["address", "file", "command"] as const).map(
    (way): Command => ({
      id: `new-environment-${way}`,
      title: `Add an environment by ${way}…`,
      group: "Environments",
      keywords: "new executor exec-server remote machine",
      run: () => newEnvironment(way === "address" ? "fixed" : way),
    }),
  ),
  {
    id: "environment-here",
    title: "Run an environment on this machine",
    group: "Environments",
    keywords: "new local exec-server start",
    run: () => void runOneHere(),
  },
  {
    id: "connect-machine",
    title: "Connect to another machine…",
    group: "Environments",
    keywords: "new environment ssh tunnel remote exec-server",
    run: connectToAnotherMachine,
  },
  {
    id: "check-environment",
    title: "Check the environment that is shown",
    group: "Environments",
    shortcuts: ["mod+alt+k"],
    keywords: "ping latency connect",
    usable: hasEnvironment,
    run() {
      const shown = environmentInFront();
      if (shown) void checkEnvironment(shown.environmentId);
    },
  },
  {
    id: "refresh-environment",
    title: "Refresh the environment that is shown",
    group: "Environments",
    shortcuts: ["mod+alt+r"],
    keywords: "reconnect replace executor reload",
    usable: hasEnvironment,
    run() {
      const shown = environmentInFront();
      if (shown) void refreshEnvironment(shown.environmentId);
    },
  },
];
