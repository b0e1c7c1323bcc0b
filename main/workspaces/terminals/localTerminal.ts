// One terminal on this machine: a process that codex has started over a pseudoterminal (`process/spawn`), on a connection of its
// own, since codex ends what belongs to a connection with it. So the terminal lives exactly as long as its connection: it outlives
// that of its session, and a flood in it delays nobody else.
//
// Facts of codex that this rests on: a handle cannot be taken up by another connection; when one is lost, codex kills the shell.
// After the shell's end nothing more is heard of its pseudoterminal, also when something that it has started still holds it: codex
// waits two seconds for that, then tells the exit and closes it. What is written to it is taken at once, whether or not it is read.
//
// Races settled here:
// - It ends before its start is answered: `exited` is heard in the order of the wire, and looked at then.
// - It has ended and left something running: it is over when that has ended too, which is looked for with pauses that grow.
// - The connection is lost while it is being ended: what it has started is ended all the same, in one attempt for both.
// - What is typed is handed over one piece after the other: codex promises no order for two requests that are under way.

import type { Clock, Timer } from "../../clock";
import type { RpcClient } from "../../codex/rpcClient";
import { RpcFault } from "../../codex/rpcFault";
import { asFault, Fault } from "../../fault";
import type { Log } from "../../log";
import type { PlaceEvent, PlaceProcess, TerminalSize } from "../../terminals/place";

export interface LocalTerminalOptions {
  terminalId: string;
  clock: Clock;
  log: Log;
  tell(event: PlaceEvent): void;
  /** It is so large from here on. */
  sized(size: TerminalSize): void;
  /** It is a shell that waits for a command, and nothing else of it runs. */
  idle(): Promise<boolean>;
  /** How much of it runs. */
  running(): Promise<number>;
  /** Ends all that it has started, on record. Null: nothing of it is left. Two at once are one. */
  endAll(): Promise<Fault | null>;
  /** Nothing of it is left, without anybody having had to end it. */
  gone(): Promise<void>;
}

export interface Spawn extends TerminalSize {
  command: string[];
  cwd: string;
  env: Record<string, string | null>;
}

const firstLookMs = 500;
const longestLookMs = 10_000;
const interruptKey = new Uint8Array([0x03]);

export class LocalTerminal implements PlaceProcess {
  readonly #options: LocalTerminalOptions;
  #client: RpcClient | null = null;
  #phase: "starting" | "running" | "exited" | "over" = "starting";
  #typing: Promise<unknown> = Promise.resolve();
  #look: Timer | null = null;

  constructor(options: LocalTerminalOptions) {
    this.#options = options;
  }

  /** Rejects when nothing runs, or when that is not known. */
  async start(client: RpcClient, { command, cwd, env, columns, rows }: Spawn): Promise<void> {
    this.#client = client;
    client.listen("process/outputDelta", (params) => this.#output(params));
    client.listen("process/exited", (params) => this.#exited(params));
    this.#options.sized({ columns, rows });
    await client.request("process/spawn", {
      command,
      processHandle: this.#options.terminalId,
      cwd,
      env,
      tty: true,
      size: { rows, cols: columns },
      timeoutMs: null,
      outputBytesCap: null,
    });
    if (this.#phase === "starting") this.#phase = "running";
  }

  write(bytes: Uint8Array): Promise<void> {
    const deltaBase64 = Buffer.from(bytes).toString("base64");
    const written = this.#typing.then(() => this.#ask("process/writeStdin", { deltaBase64 }));
    this.#typing = written.catch(() => undefined);
    return written;
  }

  interrupt(): Promise<void> {
    return this.write(interruptKey);
  }

  async resize({ columns, rows }: TerminalSize): Promise<void> {
    await this.#ask("process/resizePty", { size: { rows, cols: columns } });
    this.#options.sized({ columns, rows });
  }

  async isIdle(): Promise<boolean> {
    return this.#phase === "running" && (await this.#options.idle());
  }

  async end(): Promise<void> {
    const left = await this.#options.endAll();
    if (left) throw left;
    this.#close();
  }

  /** Its connection is gone. */
  lost(cause: Fault): void {
    if (this.#phase !== "running") return;
    this.#phase = "over";
    const fault = new Fault("terminal_connection_lost", "codex, which has started it, went away.", {
      hint: "What was started in it is ended. Open a new terminal.",
      detail: cause.detail ?? cause.message,
      cause,
    });
    this.#options.tell({ type: "lost", fault });
    // What could not be ended is owed, and in the list of what is.
    void this.#options.endAll();
  }

  /** Nothing is heard of it any more. */
  leave(): void {
    this.#phase = "over";
    this.#look?.cancel();
    this.#client?.close();
  }

  async #ask(
    method: "process/writeStdin" | "process/resizePty",
    params: { deltaBase64: string } | { size: { rows: number; cols: number } },
  ): Promise<void> {
    if (this.#client === null || this.#phase !== "running") throw overFault();
    try {
      await this.#client.request(method, { processHandle: this.#options.terminalId, ...params } as never);
    } catch (error) {
      throw error instanceof RpcFault && /no active process/.test(error.message) ? overFault(error) : error;
    }
  }

  #output(params: unknown): void {
    const { deltaBase64 } = params as { deltaBase64?: unknown };
    if (this.#phase === "over" || typeof deltaBase64 !== "string" || deltaBase64 === "") return;
    this.#options.tell({ type: "output", bytes: Buffer.from(deltaBase64, "base64") });
  }

  #exited(params: unknown): void {
    if (this.#phase === "exited" || this.#phase === "over") return;
    this.#phase = "exited";
    const { exitCode } = params as { exitCode?: unknown };
    if (typeof exitCode === "number") this.#options.tell({ type: "exited", exitCode });
    this.#client?.close();
    void this.#lookForTheRest(firstLookMs);
  }

  async #lookForTheRest(againMs: number): Promise<void> {
    try {
      if ((await this.#options.running()) === 0) {
        if (this.#phase === "over") return;
        await this.#options.gone();
        this.#close();
        return;
      }
    } catch (error) {
      const { message } = asFault(error);
      this.#options.log.warn("what a terminal has left cannot be looked for", { error: message });
    }
    if (this.#phase === "over") return;
    this.#look = this.#options.clock.after(againMs, () => {
      void this.#lookForTheRest(Math.min(againMs * 2, longestLookMs));
    });
  }

  #close(): void {
    if (this.#phase === "over") return;
    this.leave();
    this.#options.tell({ type: "closed" });
  }
}

function overFault(cause?: unknown): Fault {
  return new Fault("terminal_over", "What ran in this terminal has ended.", { cause });
}
