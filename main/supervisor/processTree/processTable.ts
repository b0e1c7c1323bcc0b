// The operating system's processes, as far as owning and ending them needs. One implementation a platform.

/** One process: a pid alone is not, since the system gives it to another process later. */
export interface ProcessRef {
  pid: number;
  /** When it started, as the operating system tells it. Only to be compared, with the same platform's. */
  startTime: string;
}

export interface ProcessRow extends ProcessRef {
  parentPid: number;
  /** Null where the platform has none. */
  groupId: number | null;
  /** The process session; null where the platform has none or does not tell. */
  sessionId: number | null;
  /** Its name or command line, for people to read. */
  command: string;
}

/** A variable in the environment that a process was started with. */
export interface Marker {
  name: string;
  value: string;
}

/** What a process has of a marker, whichever it is. */
export interface Marks {
  /** The value of the variable in its environment. */
  value: string | null;
  /** On Linux: a limit, which says the same (limitMark.ts). */
  limit: string | null;
}

export type ProcessSignal = "SIGHUP" | "SIGTERM" | "SIGSTOP" | "SIGKILL";

/** `refused`: it is there and may not be signalled. */
export type SignalOutcome = "sent" | "gone" | "refused";

export interface ProcessTable {
  /** Everything that runs. A zombie does not: it has ended, and only its parent has not asked yet. */
  listProcesses(): Promise<ProcessRow[]>;
  /** The value of a variable in the environment of a process; null when it has none or may not be read. */
  readMarker(pid: number, name: string): Promise<string | null>;
  /** By pid what the processes of `rows` may be marked with, of those that are: see `isMarkedWith`. */
  marksOf(name: string, rows: readonly ProcessRow[]): Promise<Map<number, Marks>>;
  /** The pids among `rows` that have the marker. */
  markedWith(marker: Marker, rows: readonly ProcessRow[]): Promise<Set<number>>;
  /** The process group that has the keyboard of its terminal; null: it has no terminal, or the platform does not tell. */
  foregroundGroup(pid: number): Promise<number | null>;
  /** Null when there is no such process, or a zombie. */
  startTime(pid: number): Promise<string | null>;
  /**
   * Those that still run. Cheap enough to be asked many times a second; in return it may name one whose pid is used by
   * another process by now.
   */
  stillThere(refs: readonly ProcessRef[]): Promise<ProcessRef[]>;
  /** False: it started before the other, or under another boot of the machine, or nobody can say. */
  startedSince(startTime: string, since: string): boolean;
  /** Each is checked to be the process that is meant right before it is signalled. */
  signal(refs: readonly ProcessRef[], signal: ProcessSignal): Promise<Map<number, SignalOutcome>>;
  /** To the whole group that `leader` leads, after the same check. */
  signalGroup(leader: ProcessRef, signal: ProcessSignal): Promise<SignalOutcome>;
  /** Whether processes can be stopped, so that they start no others while they are being counted. */
  readonly canStop: boolean;
}
