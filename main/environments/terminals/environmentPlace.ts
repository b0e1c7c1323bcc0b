// Terminals in an environment: a process of its executor over a pseudoterminal, whose size an exec-server cannot change.
//
// Races settled here:
// - The connection is lost and made anew while a terminal runs: its events go on where they were, and what is typed meanwhile
//   waits; the client of the environment sees to both (environment.ts).
// - The executor is asked what it is, and replaced before the start is asked for: the new one gets the shell of the old one. Where
//   that is not there, the start fails and says so; nothing has run.
// - The folder is not there: an exec-server would run a command with a terminal in the home folder instead, without a word, and
//   what deletes or builds something would do it there. So the folder is looked at first; nothing can be done about one that is
//   removed in the very moment between.

import type { Clock } from "../../clock";
import { RpcFault } from "../../codex/rpcFault";
import { Fault } from "../../fault";
import type { PlaceEvent, PlaceProcess, TerminalPlace } from "../../terminals/place";
import { shellArguments } from "../../terminals/shellArguments";
import type { Environment } from "../client/environment";
import type { EnvironmentInfo } from "../client/executorProtocol";
import { fromFileUri, toFileUri } from "../client/fileUri";
import type { ProcessEvent } from "../client/processStream";
import { HangUp } from "./hangUp";

const interruptKey = new Uint8Array([0x03]);

export function environmentPlace(environment: Environment, clock: Clock): TerminalPlace {
  return {
    resizable: false,
    async start({ command, cwd: folder }, tell) {
      // Before anything is connected to.
      const asked = folder === null ? null : toFileUri(folder);
      const info = await environment.info();
      const cwd = asked ?? startFolder(info);
      await checkFolder(environment, cwd);
      const { shell, platform } = info;
      const shellLine: [string, ...string[]] = [shell.path, ...shellArguments(shell.name, command)];
      const hangUp = command === null && platform !== "windows" ? new HangUp(environment, clock) : null;
      const process = await environment
        .start(
          {
            argv: hangUp?.wrapped(shellLine) ?? shellLine,
            cwd,
            env: { TERM: "xterm-256color", COLORTERM: "truecolor" },
            inherits: "all",
            terminal: true,
            input: true,
          },
          (event) => {
            const told = inWordsOfPlaces(hangUp?.withoutName(event) ?? event);
            if (told.type !== "output" || told.bytes.length > 0) tell(told);
          },
        )
        .catch((error: unknown) => {
          throw shellMissing(error, shell.path);
        });
      const running: PlaceProcess = {
        write: (bytes) => process.write(bytes),
        // An executor's own interrupt reaches the shell, not what runs in the foreground of its terminal; the key does.
        interrupt: () => process.write(interruptKey),
        async end() {
          await hangUp?.perform(cwd);
          await process.terminate();
        },
      };
      return { process: running, cwd: fromFileUri(cwd) ?? cwd };
    },
  };
}

function startFolder({ cwd, home, temporary }: EnvironmentInfo): string {
  const folder = cwd ?? home ?? temporary;
  if (folder !== null) return folder;
  throw new Fault("folder_unknown", "This executor does not say in which folder commands start.", {
    hint: "Name a folder.",
  });
}

async function checkFolder(environment: Environment, uri: string): Promise<void> {
  const path = fromFileUri(uri) ?? uri;
  const facts = await environment.files.facts(uri).catch((error: unknown) => {
    if (error instanceof Fault && error.code === "not_found") return null;
    throw error;
  });
  if (facts?.kind === "folder") return;
  throw new Fault("folder_missing", `There is no folder "${path}" in this environment.`, {
    hint: "Name one that is there.",
  });
}

function inWordsOfPlaces(event: ProcessEvent): PlaceEvent {
  switch (event.type) {
    case "output":
      return { type: "output", bytes: event.bytes };
    case "gap":
      return { type: "gap" };
    case "exited":
      return { type: "exited", exitCode: event.exitCode };
    case "closed":
      return { type: "closed" };
    case "lost":
      return { type: "lost", fault: event.fault };
    default:
      return event satisfies never;
  }
}

function shellMissing(error: unknown, shell: string): unknown {
  const { data } = error instanceof RpcFault ? error : { data: null };
  const isNotFound =
    typeof data === "object" && data !== null && "kind" in data && data.kind === "spawnNotFound";
  if (!isNotFound) return error;
  return new Fault("shell_missing", `There is no shell "${shell}" in this environment.`, { cause: error });
}
