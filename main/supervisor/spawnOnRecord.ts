// Spawns a process that outlives Holdfast: detached, as the leader of a process session of its own, its output going to a log
// file, marked as belonging to its handle.
//
// Races settled here:
// - Holdfast dies between the decision to spawn and the spawn, or between the spawn and knowing the pid: the intent is in
//   the ledger first, with the marker that everything of the handle carries, so the next start finds and ends it.
// - It has been spawned, and that cannot be written down (a full disk, a ledger that another program has locked): nobody
//   would own it, so it is ended before the launch fails.

import type { ChildProcess } from "node:child_process";
import { closeSync, mkdirSync, openSync } from "node:fs";
import { dirname } from "node:path";
import type { Clock } from "../clock";
import { asFault, Fault } from "../fault";
import type { HandleIntent, HandlesLedger } from "../ledger/handlesLedger";
import type { Log } from "../log";
import { sealedSpawn } from "../sealedSpawn";
import { endHandleTree, markerVariable } from "./handleTree";
import { processStartTime } from "./processTree";
import { setLimitMark } from "./processTree/limitMark";
import { ownerVariable } from "./unrecorded";

export interface SpawnWish {
  /** What a Fault calls it. */
  program: string;
  intent: HandleIntent & { logPath: string };
  /** Without what marks it. */
  environment: Record<string, string>;
}

export interface SpawnContext {
  handles: HandlesLedger;
  clock: Clock;
  log: Log;
  /** Holdfast's home. */
  owner: string;
}

export interface Spawned {
  child: ChildProcess;
  leader: { pid: number; startTime: string };
}

/** Rejects with a Fault, `log_unusable` and `codex_not_startable` among them; nothing of the process is left then. */
export async function spawnOnRecord(
  { program, intent, environment }: SpawnWish,
  { handles, clock, log, owner }: SpawnContext,
): Promise<Spawned> {
  const { handleId, command, channel, logPath } = intent;
  // Before the intent: without a log there is no process, and nothing to be on record.
  const logFile = openLog(program, logPath);
  try {
    handles.intend(intent);
  } catch (error) {
    closeSync(logFile);
    throw error;
  }
  let child: ChildProcess;
  let startTime = "";
  try {
    child = sealedSpawn(command.file, command.args, {
      cwd: command.workingDirectory,
      env: { ...environment, [markerVariable]: handleId, [ownerVariable]: owner },
      detached: true,
      windowsHide: true,
      stdio: channel.kind === "stdio" ? ["pipe", "pipe", logFile] : ["ignore", logFile, logFile],
    });
    // In the same tick: the pid cannot have been given to another process yet.
    startTime = (child.pid === undefined ? null : processStartTime(child.pid)) ?? "";
  } finally {
    closeSync(logFile);
  }
  const pid = await spawned(child).catch((error: unknown) => {
    handles.gone(handleId, null);
    throw new Fault("codex_not_startable", `${program} could not be started: ${asFault(error).message}`, {
      hint: "Check the path of codex in Settings.",
      detail: `${command.file} ${command.args.join(" ")}`,
      retryable: true,
      cause: error,
    });
  });
  const leader = { pid, startTime };
  try {
    handles.started(handleId, { pid, startTime, processGroup: pid });
  } catch (error) {
    const left = await endHandleTree({ handleId, leader, program }, clock);
    if (left) {
      const { message } = left;
      log.error(`a ${program} that is not on record did not end`, { handleId, pid, message });
    }
    throw error;
  }
  // It has only just begun, and has started nothing yet that could slip away. Not waited for: it may end at any moment, and
  // whoever gets it has to hear of that.
  void setLimitMark(pid, handleId, log);
  return { child, leader };
}

/** The folder may have been removed while Holdfast runs. */
function openLog(program: string, path: string): number {
  const folder = dirname(path);
  try {
    mkdirSync(folder, { recursive: true, mode: 0o700 });
    return openSync(path, "a", 0o600);
  } catch (error) {
    throw new Fault(
      "log_unusable",
      `${program} cannot be started, as its log cannot be written to ${folder}.`,
      {
        hint: "Make room on the disk, or make the folder writable.",
        detail: asFault(error).message,
        retryable: true,
        cause: error,
      },
    );
  }
}

function spawned(child: ChildProcess): Promise<number> {
  return new Promise((resolve, reject) => {
    child.once("error", reject);
    child.once("spawn", () => {
      // Errors after the spawn (a failed kill) are no news: the exit says what happened.
      child.removeListener("error", reject);
      child.on("error", () => {});
      resolve(child.pid ?? 0);
    });
  });
}
