// What ending the app would cut off: the question at quit names it, and says what could go on without the app.

import type { Settings } from "../../preload/contract/settings";
import type { Threads } from "../threads/threads";

export interface OpenWork {
  running: string[];
  waiting: string[];
  queued: string[];
  /** The scripts that run. They end with the app; what they have started in threads may go on. */
  scripts: string[];
  /** What runs in terminals. It ends with the app. */
  terminals: string[];
  /** Commands that agents have left running and that end with the app. */
  commands: string[];
  /** These are in a session that can go on, for as long as it does. */
  commandsToKeep: string[];
  /** How long a session goes on at most in which no agent is at work. */
  keptMinutes: number;
  /** Of the threads, the ones that end with the app whatever is answered. */
  endsWithApp: string[];
  /** Whether any of it can go on without the app. */
  canKeep: boolean;
  /** The workspaces whose sessions go on if the person wants it. */
  kept: string[];
}

type KeepingSettings = Pick<Settings, "threadUnloadMinutes" | "unattendedMinutes">;

interface OtherWork extends Pick<OpenWork, "scripts" | "terminals"> {
  settings: KeepingSettings;
}

/** codex unloads a thread that nobody has subscribed to after so long by itself. */
const usualUnloadMinutes = 30;

/** How long what an agent has left running goes on at most without Holdfast, once no agent is at work. */
function keptMinutes({ threadUnloadMinutes, unattendedMinutes }: KeepingSettings): number {
  return Math.min(threadUnloadMinutes ?? usualUnloadMinutes, unattendedMinutes);
}

/** Null when nothing is open. */
export function openWork(
  threads: Threads,
  { scripts, terminals, settings }: OtherWork,
  canKeep: (workspaceId: string) => boolean,
): OpenWork | null {
  const running: string[] = [];
  const waiting: string[] = [];
  const queued: string[] = [];
  const endsWithApp: string[] = [];
  const kept = new Set<string>();
  const left: { workspaceId: string; command: string }[] = [];
  for (const { state, workspaceId } of threads.all) {
    const { title, requests, followUps, leftRunning } = state.facts;
    left.push(...leftRunning.map(({ command }) => ({ workspaceId, command })));
    if (leftRunning.length > 0 && canKeep(workspaceId)) kept.add(workspaceId);
    const isQueued = followUps.entries.length > 0;
    if (requests.length > 0) waiting.push(title);
    else if (state.running) running.push(title);
    if (isQueued) queued.push(title);
    if (requests.length === 0 && !state.running && !isQueued) continue;
    if (canKeep(workspaceId)) kept.add(workspaceId);
    else endsWithApp.push(title);
  }
  if ([running, waiting, queued, scripts, terminals, left].every(({ length }) => length === 0)) return null;
  return {
    running,
    waiting,
    queued,
    scripts,
    terminals,
    commands: left.flatMap(({ workspaceId, command }) => (kept.has(workspaceId) ? [] : command)),
    commandsToKeep: left.flatMap(({ workspaceId, command }) => (kept.has(workspaceId) ? command : [])),
    keptMinutes: keptMinutes(settings),
    endsWithApp,
    canKeep: kept.size > 0,
    kept: [...kept],
  };
}
