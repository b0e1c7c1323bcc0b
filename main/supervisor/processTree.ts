// Which processes belong to a handle, and how all of them are ended (behaviour: Ownership of process trees).
//
// Owned are: the leader; every process of the leader's process session (MCP servers, which get a clean environment); every
// process with the handle's marker in its environment (tool commands, which get sessions of their own) or, on Linux, in its
// limits (what has given up all the rest); the descendants of all these; and whatever an earlier search found to be owned. All else is never touched.
//
// Races, and what settles each:
// - A pid has been given to a stranger: a process is a pid with a start time, checked again right before each signal. If
//   the leader's pid is a stranger's, so is its session. While a session has members the system does not give its number
//   away, so members that are left over belong to the leader that was; they must have started after it.
// - A process starts another while the tree is being ended, which then leaves its parent, its session and its marker
//   behind: before the hard kill everything owned is stopped, and searched again until nothing new is found.
// - The parent dies first, so that a child has no link to the tree any more: what was once found stays known, and the
//   first search is made before anything is asked to end.
// - A process ends and another appears: the system is searched again after each death.
// - Something cannot be ended (it waits for a disk, or belongs to another user): rounds are bounded, and what is left is
//   returned.
// - A search finds Holdfast itself, because it was started by a tool command of another Holdfast: it never owns itself or
//   what it descends from.

import type { Clock } from "../clock";
import { linuxProcessTable, linuxStartTime } from "./processTree/linux";
import { macProcessTable, macStartTime } from "./processTree/mac";
import type { Marker, ProcessRef, ProcessRow, ProcessTable } from "./processTree/processTable";
import { windowsProcessTable, windowsStartTime } from "./processTree/windows";

export type { Marker, ProcessRef, ProcessRow, ProcessTable } from "./processTree/processTable";

/** What is on record of a tree. */
export interface Ownership {
  /** Null: Holdfast died before it could write down which process it was. */
  leader: ProcessRef | null;
  /** The leader's process session; null when it leads none of its own. */
  processSessionId: number | null;
  marker: Marker | null;
}

/** How long each step of an ending lasts at most. */
export interface EndTimes {
  /** After its input or its connection was closed, before it is told to end. */
  beforeTermMs: number;
  /** After it was told to end, before it is killed. */
  beforeKillMs: number;
  /** After it was killed, before it counts as not to be ended. */
  afterKillMs: number;
}

export const usualEndTimes: EndTimes = { beforeTermMs: 250, beforeKillMs: 750, afterKillMs: 2_000 };

export interface EndTreeOptions {
  table: ProcessTable;
  clock: Clock;
  times?: Partial<EndTimes>;
  /**
   * Ends the leader's input or connection, so that it may end by itself. Called when all that the handle owns is known:
   * a leader that ends leaves processes behind which only it linked to the tree.
   */
  closeInput?: () => void;
  /** What earlier searches found: it is owned even if nothing links it to the tree any more. */
  known?: readonly ProcessRow[];
}

export interface EndedTree {
  /** What could not be ended; empty: nothing of the tree is left. */
  left: ProcessRow[];
}

const pollMs = 20;
const mostKillRounds = 4;
const mostStopRounds = 10;

export function systemProcessTable(clock: Clock): ProcessTable {
  switch (process.platform) {
    case "darwin":
      return macProcessTable;
    case "win32":
      return windowsProcessTable;
    default:
      return linuxProcessTable(clock);
  }
}

/**
 * The start time of a process right after it was spawned, in the same tick: its pid cannot have been given away yet. Null
 * when it has ended. Blocks: for nothing on Linux, some 10 ms on macOS, and half a second on Windows.
 */
export function processStartTime(pid: number): string | null {
  switch (process.platform) {
    case "darwin":
      return macStartTime(pid);
    case "win32":
      return windowsStartTime(pid);
    default:
      return linuxStartTime(pid);
  }
}

/** The whole set, as it is now, in no special order. `known`: what earlier searches found. Rejects with a Fault. */
export async function ownedBy(
  ownership: Ownership,
  table: ProcessTable,
  known: readonly ProcessRef[] = [],
): Promise<ProcessRow[]> {
  const rows = await table.listProcesses();
  const byPid = new Map(rows.map((row) => [row.pid, row]));
  const untouchable = ownAncestry(byPid);
  const owned = new Map<number, ProcessRow>();
  const own = (row: ProcessRow | undefined) => {
    if (row && !untouchable.has(row.pid)) owned.set(row.pid, row);
  };

  for (const ref of ownership.leader ? [ownership.leader, ...known] : known) {
    const row = byPid.get(ref.pid);
    if (row?.startTime === ref.startTime) own(row);
  }
  for (const row of sessionMembers(ownership, rows, byPid, table)) own(row);
  if (ownership.marker) {
    const rest = rows.filter((row) => !owned.has(row.pid) && !untouchable.has(row.pid));
    for (const pid of await table.markedWith(ownership.marker, rest)) own(byPid.get(pid));
  }
  ownDescendants(owned, rows, own, table);
  return [...owned.values()];
}

function sessionMembers(
  { leader, processSessionId }: Ownership,
  rows: readonly ProcessRow[],
  byPid: ReadonlyMap<number, ProcessRow>,
  table: ProcessTable,
): ProcessRow[] {
  if (leader === null || processSessionId === null || processSessionId <= 0) return [];
  // The session is led by the leader or by nobody; else its number is a stranger's.
  const sessionLeader = byPid.get(processSessionId);
  const isOurs = sessionLeader?.pid === leader.pid && sessionLeader.startTime === leader.startTime;
  if (sessionLeader && !isOurs) return [];
  return rows.filter(
    (row) => row.sessionId === processSessionId && table.startedSince(row.startTime, leader.startTime),
  );
}

function ownDescendants(
  owned: ReadonlyMap<number, ProcessRow>,
  rows: readonly ProcessRow[],
  own: (row: ProcessRow) => void,
  table: ProcessTable,
): void {
  const children = childrenByParent(rows);
  const waiting = [...owned.values()];
  for (let parent = waiting.pop(); parent; parent = waiting.pop()) {
    for (const child of children.get(parent.pid) ?? []) {
      // Where parents are only a number on record, it may be the number of a process that came later.
      if (owned.has(child.pid) || !table.startedSince(child.startTime, parent.startTime)) continue;
      own(child);
      if (owned.has(child.pid)) waiting.push(child);
    }
  }
}

function childrenByParent(rows: readonly ProcessRow[]): Map<number, ProcessRow[]> {
  const children = new Map<number, ProcessRow[]>();
  for (const row of rows) {
    const siblings = children.get(row.parentPid);
    if (siblings) siblings.push(row);
    else children.set(row.parentPid, [row]);
  }
  return children;
}

/** This process and what it descends from. */
function ownAncestry(byPid: ReadonlyMap<number, ProcessRow>): Set<number> {
  const pids = new Set([0, 1]);
  for (let pid = process.pid; !pids.has(pid); pid = byPid.get(pid)?.parentPid ?? 0) pids.add(pid);
  return pids;
}

/**
 * Ends everything that the handle owns, and says what could not be ended. Bounded in time; rejects with a Fault only when
 * the system's processes cannot be listed.
 */
export async function endTree(ownership: Ownership, options: EndTreeOptions): Promise<EndedTree> {
  const times = { ...usualEndTimes, ...options.times };
  const tree = new OwnedTree(ownership, options);
  const found = await tree.search();
  options.closeInput?.();
  if (found.length === 0) return { left: [] };
  await tree.untilGone(times.beforeTermMs);

  if ((await tree.search()).length === 0) return { left: [] };
  await tree.askToEnd();
  await tree.untilGone(times.beforeKillMs);

  let left = await tree.searchStopped();
  for (let round = 0; left.length > 0 && round < mostKillRounds; round++) {
    const killedBefore = left.every((row) => tree.wasKilled(row));
    if (killedBefore) break;
    await tree.kill(left);
    await tree.untilGone(times.afterKillMs);
    left = await tree.searchStopped();
  }
  return { left };
}

class OwnedTree {
  readonly #ownership: Ownership;
  readonly #table: ProcessTable;
  readonly #clock: Clock;
  /** All that was ever found, by pid and start time. */
  readonly #known = new Map<string, ProcessRow>();
  readonly #stopped = new Set<string>();
  readonly #killed = new Set<string>();

  constructor(ownership: Ownership, { table, clock, known = [] }: EndTreeOptions) {
    this.#ownership = ownership;
    this.#table = table;
    this.#clock = clock;
    for (const row of known) this.#known.set(keyOf(row), row);
  }

  async search(): Promise<ProcessRow[]> {
    const found = await ownedBy(this.#ownership, this.#table, [...this.#known.values()]);
    for (const row of found) this.#known.set(keyOf(row), row);
    return found;
  }

  /** Searches until no process is found that could start another. */
  async searchStopped(): Promise<ProcessRow[]> {
    let found = await this.search();
    if (!this.#table.canStop) return found;
    for (let round = 0; round < mostStopRounds; round++) {
      const running = found.filter((row) => !this.#stopped.has(keyOf(row)));
      if (running.length === 0) break;
      await this.#table.signal(running, "SIGSTOP");
      for (const row of running) this.#stopped.add(keyOf(row));
      found = await this.search();
    }
    return found;
  }

  /** The leader ends its own tree when it is told to. Without it, everybody is told. */
  async askToEnd(): Promise<void> {
    const { leader } = this.#ownership;
    const known = leader && this.#known.get(keyOf(leader));
    const [there] = known ? await this.#table.stillThere([known]) : [];
    if (!known || !there) await this.#table.signal([...this.#known.values()], "SIGTERM");
    else if (known.groupId === known.pid) await this.#table.signalGroup(known, "SIGTERM");
    else await this.#table.signal([known], "SIGTERM");
  }

  async kill(rows: readonly ProcessRow[]): Promise<void> {
    await this.#table.signal(rows, "SIGKILL");
    for (const row of rows) this.#killed.add(keyOf(row));
  }

  wasKilled(row: ProcessRow): boolean {
    return this.#killed.has(keyOf(row));
  }

  /** Returns as soon as nothing that is known is left, and after `limitMs` at the latest. */
  async untilGone(limitMs: number): Promise<void> {
    const untilMs = this.#clock.nowMs() + limitMs;
    let there = await this.#stillThere();
    while (there > 0 && this.#clock.nowMs() < untilMs) {
      await this.#pause(Math.min(pollMs, untilMs - this.#clock.nowMs()));
      const before = there;
      there = await this.#stillThere();
      if (there >= before) continue;
      await this.search();
      there = await this.#stillThere();
    }
  }

  async #stillThere(): Promise<number> {
    return (await this.#table.stillThere([...this.#known.values()])).length;
  }

  #pause(ms: number): Promise<void> {
    return new Promise((resolve) => {
      this.#clock.after(ms, resolve);
    });
  }
}

function keyOf({ pid, startTime }: ProcessRef): string {
  return `${pid} ${startTime}`;
}
