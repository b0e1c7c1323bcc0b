// An exec-server as it behaves towards one client, in memory: sessions that outlive their connections, processes with numbered
// output of which it keeps the last pieces, and a line that can be lost before or after a request is handled.

import type { Transport, TransportHandlers } from "../../codex/transport";
import { type SentMessage, TestExecutorLine } from "./testExecutor";

interface Piece {
  seq: number;
  text: string;
}

export class ModelProcess {
  nextSeq = 1;
  kept: Piece[] = [];
  /** Everything that it ever said, by number. */
  readonly said = new Map<number, string>();
  exitCode: number | null = null;
  closed = false;
  readonly written: string[] = [];
}

const keptPieces = 6;

export class ExecutorModel {
  readonly processes = new Map<string, ModelProcess>();
  /** How often each start and each write was handled. */
  readonly starts = new Map<string, number>();
  readonly writes = new Map<string, number>();
  /** The line is lost at the next request: before it is handled, or when it has been and the answer is on its way. */
  losesNext: "before" | "after" | null = null;
  #line: TestExecutorLine | null = null;
  #sessionId: string | null = null;
  #sessions = 0;
  #isInitialized = false;

  connect(handlers: TransportHandlers): Transport {
    const line = new TestExecutorLine(handlers, (message) => this.#received(line, message));
    return line;
  }

  get isAttached(): boolean {
    return this.#line?.isOpen === true;
  }

  cut(): void {
    this.#line?.cut();
  }

  /** Its session is forgotten, as after a long absence or a new start. */
  forget(): void {
    this.#sessionId = null;
    this.processes.clear();
    this.cut();
  }

  print(process: ModelProcess, text: string): void {
    if (process.closed) return;
    const seq = this.#number(process, text);
    process.kept = [...process.kept, { seq, text }].slice(-keptPieces);
    const chunk = Buffer.from(text).toString("base64");
    this.#tell(process, "process/output", { seq, stream: "stdout", chunk });
  }

  exit(process: ModelProcess): void {
    if (process.exitCode !== null) return;
    process.exitCode = 7;
    this.#tell(process, "process/exited", { seq: this.#number(process, "exit"), exitCode: 7 });
  }

  close(process: ModelProcess): void {
    if (process.exitCode === null || process.closed) return;
    process.closed = true;
    this.#tell(process, "process/closed", { seq: this.#number(process, "close") });
  }

  #number(process: ModelProcess, text: string): number {
    const seq = process.nextSeq;
    process.nextSeq += 1;
    process.said.set(seq, text);
    return seq;
  }

  #tell(process: ModelProcess, method: string, params: object): void {
    const processId = [...this.processes].find(([, candidate]) => candidate === process)?.[0];
    if (processId !== undefined) this.#line?.say({ method, params: { processId, ...params } });
  }

  #received(line: TestExecutorLine, message: SentMessage): void {
    if (message.id !== undefined && message.method !== "initialize" && this.losesNext === "before") {
      this.losesNext = null;
      line.cut();
      return;
    }
    if (message.method === "initialized") {
      this.#isInitialized = true;
      return;
    }
    const answer = this.#handle(line, message);
    if (message.method !== "initialize" && this.losesNext === "after") {
      this.losesNext = null;
      line.cut();
      return;
    }
    line.say({ id: message.id, ...answer });
  }

  #handle(line: TestExecutorLine, { method, params }: SentMessage): object {
    if (method === "initialize") return this.#attach(line, params.resumeSessionId as string | undefined);
    if (line !== this.#line || !this.#isInitialized) return refused("not attached");
    const id = String(params.processId);
    const process = this.processes.get(id);
    switch (method) {
      case "process/start":
        count(this.starts, id);
        if (process) return refused("it exists");
        this.processes.set(id, new ModelProcess());
        return { result: { processId: id } };
      case "process/read":
        return process
          ? { result: this.#read(process, Number(params.afterSeq)) }
          : refused("unknown process id");
      case "process/write":
        count(this.writes, String(params.writeId));
        if (!process) return { result: { status: "unknownProcess" } };
        process.written.push(Buffer.from(String(params.chunk), "base64").toString());
        return { result: { status: "accepted" } };
      case "environment/status":
        return { result: { status: "ready" } };
      default:
        return { result: { running: false } };
    }
  }

  #attach(line: TestExecutorLine, resume: string | undefined): object {
    if (resume === undefined) {
      this.#sessions += 1;
      this.#sessionId = `session ${this.#sessions}`;
      this.processes.clear();
    } else if (resume !== this.#sessionId) {
      return refused(`unknown session id ${resume}`);
    } else if (this.isAttached) {
      return { error: { code: -32010, message: "already attached" } };
    }
    this.#line = line;
    this.#isInitialized = false;
    return { result: { sessionId: this.#sessionId } };
  }

  #read(process: ModelProcess, afterSeq: number): object {
    const chunks = process.kept
      .filter(({ seq }) => seq > afterSeq)
      .map(({ seq, text }) => ({ seq, stream: "stdout", chunk: Buffer.from(text).toString("base64") }));
    const { nextSeq, exitCode, closed } = process;
    return { chunks, nextSeq, exited: exitCode !== null, exitCode, closed, failure: null };
  }
}

function refused(message: string): object {
  return { error: { code: -32600, message } };
}

function count(counts: Map<string, number>, key: string): void {
  counts.set(key, (counts.get(key) ?? 0) + 1);
}
