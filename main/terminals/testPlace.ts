// A place whose commands do what a test says.

import type { Fault } from "../fault";
import type { PlaceEvent, PlaceProcess, TerminalPlace, TerminalRequest } from "./place";

export class TestCommand {
  readonly request: TerminalRequest;
  readonly #tell: (event: PlaceEvent) => void;
  readonly written: string[] = [];
  endings = 0;
  /** Changing its size takes so long. */
  resizing: Promise<void> = Promise.resolve();
  /** What is asked of it fails so. */
  fault: Fault | null = null;
  started: () => void = () => {};
  fails: (fault: Fault) => void = () => {};

  constructor(request: TerminalRequest, tell: (event: PlaceEvent) => void) {
    this.request = request;
    this.#tell = tell;
  }

  /** It is a shell that waits; null: that cannot be found out. */
  idle: boolean | null = false;

  readonly process: PlaceProcess = {
    isIdle: async () => {
      if (this.idle === null) throw new Error("Nobody knows.");
      return this.idle;
    },
    write: async (bytes) => {
      if (this.fault) throw this.fault;
      this.written.push(Buffer.from(bytes).toString());
    },
    interrupt: async () => {
      if (this.fault) throw this.fault;
      this.written.push("<interrupt>");
    },
    resize: async ({ columns, rows }) => {
      if (this.fault) throw this.fault;
      this.written.push(`<${columns}x${rows}>`);
      await this.resizing;
    },
    end: async () => {
      if (this.fault) throw this.fault;
      this.endings += 1;
    },
  };

  prints(text: string): void {
    this.#tell({ type: "output", bytes: Buffer.from(text) });
  }

  says(...events: PlaceEvent[]): void {
    for (const event of events) this.#tell(event);
  }
}

export class TestPlace implements TerminalPlace {
  readonly commands: TestCommand[] = [];
  resizable = true;

  start(
    request: TerminalRequest,
    tell: (event: PlaceEvent) => void,
  ): Promise<{ process: PlaceProcess; cwd: string }> {
    const command = new TestCommand(request, tell);
    this.commands.push(command);
    return new Promise((resolve, reject) => {
      command.started = () => resolve({ process: command.process, cwd: request.cwd ?? "/where/it/starts" });
      command.fails = reject;
    });
  }

  get last(): TestCommand {
    const command = this.commands.at(-1);
    if (command === undefined) throw new Error("Nothing was started.");
    return command;
  }
}
