// For tests: a table of processes that are only made up.

import type {
  Marker,
  Marks,
  ProcessRef,
  ProcessRow,
  ProcessSignal,
  ProcessTable,
  SignalOutcome,
} from "./processTable";

interface FakeProcess extends ProcessRow {
  marker: string | null;
}

export class FakeTable implements ProcessTable {
  canStop = true;
  /** By process the group that has the keyboard of its terminal. */
  readonly foreground = new Map<number, number>();
  /** As they were sent: "SIGTERM -100" to a group. */
  readonly signals: string[] = [];
  onSignal: (pid: number, signal: ProcessSignal) => void = () => {};
  onList: () => void = () => {};
  readonly #processes = new Map<number, FakeProcess>();
  readonly #stopped = new Set<number>();
  #plans: { atMs: number; task: () => void }[] = [];

  add(made: {
    pid: number;
    startTime?: string;
    parent?: number;
    session?: number | null;
    group?: number | null;
    marker?: string;
  }): ProcessRow {
    const row: FakeProcess = {
      pid: made.pid,
      startTime: made.startTime ?? "50",
      parentPid: made.parent ?? 1,
      groupId: made.group === undefined ? made.pid : made.group,
      sessionId: made.session === undefined ? made.pid : made.session,
      command: `process ${made.pid}`,
      marker: made.marker ?? null,
    };
    this.#processes.set(made.pid, row);
    return row;
  }

  /** Its children then belong to pid 1. */
  end(pid: number): void {
    this.#processes.delete(pid);
    for (const row of this.#processes.values()) if (row.parentPid === pid) row.parentPid = 1;
  }

  /** Happens when so much time has passed. */
  at(atMs: number, task: () => void): void {
    this.#plans.push({ atMs, task });
  }

  tick(passedMs: number): void {
    const due = this.#plans.filter((plan) => plan.atMs <= passedMs);
    this.#plans = this.#plans.filter((plan) => plan.atMs > passedMs);
    for (const { task } of due) task();
  }

  dieOfKill(): void {
    this.onSignal = (pid, signal) => {
      if (signal === "SIGKILL") this.end(pid);
    };
  }

  rows(): ProcessRow[] {
    return [...this.#processes.values()].map((row) => ({ ...row }));
  }

  row(pid: number): ProcessRow | undefined {
    return this.#processes.get(pid);
  }

  pids(): number[] {
    return [...this.#processes.keys()].sort((a, b) => a - b);
  }

  isStopped(pid: number): boolean {
    return this.#stopped.has(pid);
  }

  async listProcesses(): Promise<ProcessRow[]> {
    const rows = this.rows();
    this.onList();
    return rows;
  }

  async readMarker(pid: number): Promise<string | null> {
    return this.#processes.get(pid)?.marker ?? null;
  }

  async marksOf(_name: string, rows: readonly ProcessRow[]): Promise<Map<number, Marks>> {
    return new Map(
      rows.flatMap(({ pid }) => {
        const marker = this.#processes.get(pid)?.marker;
        return marker ? [[pid, { value: marker, limit: null }] as const] : [];
      }),
    );
  }

  async markedWith(marker: Marker, rows: readonly ProcessRow[]): Promise<Set<number>> {
    const marked = rows.filter(({ pid }) => this.#processes.get(pid)?.marker === marker.value);
    return new Set(marked.map(({ pid }) => pid));
  }

  async foregroundGroup(pid: number): Promise<number | null> {
    return this.foreground.get(pid) ?? null;
  }

  async startTime(pid: number): Promise<string | null> {
    return this.#processes.get(pid)?.startTime ?? null;
  }

  async stillThere(refs: readonly ProcessRef[]): Promise<ProcessRef[]> {
    return refs.filter((ref) => this.#isIt(ref));
  }

  startedSince(startTime: string, since: string): boolean {
    return Number(startTime) >= Number(since);
  }

  async signal(refs: readonly ProcessRef[], signal: ProcessSignal): Promise<Map<number, SignalOutcome>> {
    return new Map(refs.map((ref) => [ref.pid, this.#send(ref, ref.pid, signal)]));
  }

  async signalGroup(leader: ProcessRef, signal: ProcessSignal): Promise<SignalOutcome> {
    return this.#send(leader, -leader.pid, signal);
  }

  #isIt(ref: ProcessRef): boolean {
    return this.#processes.get(ref.pid)?.startTime === ref.startTime;
  }

  #send(ref: ProcessRef, target: number, signal: ProcessSignal): SignalOutcome {
    if (!this.#isIt(ref)) return "gone";
    this.signals.push(`${signal} ${target}`);
    if (signal === "SIGSTOP") this.#stopped.add(ref.pid);
    this.onSignal(target, signal);
    return "sent";
  }
}
