// One script in its sandbox, from its first line to its end. It runs in a cell's worker (worker.ts) and, for tests, anywhere.
//
// The script is a module: strict, with top-level await. As in Node it is at its end when its last line has run and nothing
// that it began (a call, a timer) is left; an error that it does not catch ends it at once.
//
// Races:
// - It never comes back (a loop, a regular expression, promises without end): QuickJS asks every few microseconds whether to
//   go on. It does not when it was told to stop or when a limit is reached, and no `catch` of the script can prevent that.
//   Only inside some functions of the language (a search through a billion holes) it does not ask; whoever runs the
//   worker watches for that.
// - A limit is reached in the middle of something: from then on nothing crosses any more, in either direction.
// - An answer comes for a call of a script that has ended: it is dropped.
// - QuickJS itself breaks (its memory is full in the wrong place): the exception that comes out of it ends the cell.
// - The script waits for what nothing will bring: it is not left waiting for ever.

import type { QuickJSContext, QuickJSHandle } from "quickjs-emscripten-core";
import type { Clock } from "../../clock";
import { asFault } from "../../fault";
import type { CellError } from "../runtime/cellEvents";
import { type LimitName, storedBytes, storedSize, valueBytes } from "../runtime/limits";
import type { FromWorker, ToWorker, WorkerStart } from "../runtime/workerMessages";
import { checkCallSize } from "./callSize";
import { Output } from "./output";
import { prelude, preludeFile } from "./prelude";
import { newQuickJs, type QuickJs } from "./quickjs";
import { limitError, plainError, scriptError, scriptFile } from "./scriptError";
import { ScriptTimers } from "./timers";

export interface Surroundings {
  /** For the timers of the script; it goes on evenly, whatever becomes of the time of day. */
  clock: Clock;
  /** Never goes back. */
  monotonicMs(): number;
  /** Asked while the script runs: is it to stop? */
  isToStop(): boolean;
  post(message: FromWorker): void;
  /** Nothing is posted any more. */
  ended(): void;
}

type HostFunction = (...args: QuickJSHandle[]) => QuickJSHandle | undefined;

/** After so many jobs it is asked again whether to go on: jobs that do next to nothing are never asked. */
const jobsAtOnce = 500;
const imageAddress = /^data:image\/(png|jpeg|gif|webp);base64,[A-Za-z0-9+/=]+$/;
const hostCalls = ["answer", "fire", "describe"] as const;

export class Sandbox {
  readonly #start: WorkerStart;
  readonly #around: Surroundings;
  readonly #quickjs: QuickJs;
  readonly #vm: QuickJSContext;
  readonly #output: Output;
  readonly #stored: Map<string, string>;
  readonly #written = new Map<string, string>();
  #storedSize = 0;
  readonly #timers: ScriptTimers;
  readonly #calls = new Set<number>();
  readonly #inside = new Map<(typeof hostCalls)[number], QuickJSHandle>();
  /** The promise of the module. Null: it has not begun, or its last line has run. */
  #script: QuickJSHandle | null = null;
  #notifications = 0;
  #answers = 0;
  #spentMs = 0;
  #enteredAtMs: number | null = null;
  #limit: LimitName | null = null;
  #failure: CellError | null = null;
  #isOver = false;

  static async make(start: WorkerStart, around: Surroundings): Promise<Sandbox> {
    return new Sandbox(start, around, await newQuickJs(start.quickjs, start.limits.memoryBytes));
  }

  private constructor(start: WorkerStart, around: Surroundings, quickjs: QuickJs) {
    this.#start = start;
    this.#around = around;
    this.#quickjs = quickjs;
    this.#vm = quickjs.context;
    this.#stored = new Map(start.stored);
    for (const [key, value] of start.stored) this.#storedSize += storedSize(key, value);
    this.#timers = new ScriptTimers(around.clock, () => this.#enter(() => this.#fireTimers()));
    this.#output = new Output(start.limits.outputBytes, around.monotonicMs, (items) =>
      around.post({ type: "output", items }),
    );
    quickjs.runtime.setInterruptHandler(() => {
      this.#output.flushWhenDue();
      return this.#isToEnd();
    });
  }

  run(): void {
    this.#enter(() => {
      this.#prepare();
      const started = this.#vm.evalCode(this.#start.script, scriptFile, { type: "module" });
      if (started.error) this.#fail(started.error);
      else this.#script = started.value;
    });
  }

  receive(message: ToWorker): void {
    if (this.#isOver) return;
    switch (message.type) {
      case "stop":
        this.#end();
        return;
      case "notified":
        this.#notifications -= 1;
        return;
      case "answer": {
        this.#answers += 1;
        if (!this.#calls.delete(message.id)) return;
        const text = message.ok ? message.value : JSON.stringify(message.message);
        this.#enter(() => this.#callInside("answer", message.id, message.ok, text));
        return;
      }
      default:
        message satisfies never;
    }
  }

  /** Whatever lets the script run does it through here. */
  #enter(task: () => void): void {
    this.#around.post({ type: "busy", spentMs: this.#spentMs });
    const enteredAtMs = this.#around.monotonicMs();
    this.#enteredAtMs = enteredAtMs;
    try {
      task();
      this.#runJobs();
      this.#look();
    } catch (error) {
      // Nothing that is an error of the script's comes out of QuickJS this way.
      this.#failure ??= plainError(`The script's sandbox has broken: ${asFault(error).message}`);
    }
    this.#enteredAtMs = null;
    this.#spentMs += this.#around.monotonicMs() - enteredAtMs;
    this.#settle();
  }

  #runJobs(): void {
    const { runtime } = this.#quickjs;
    while (!this.#isToEnd() && this.#failure === null) {
      const ran = runtime.executePendingJobs(jobsAtOnce);
      // A job fails only when it is interrupted or there is no memory left: both are remembered.
      ran.dispose();
      if (!runtime.hasPendingJob()) return;
    }
  }

  /** Has it failed? Still inside: to describe its error may take the script itself. */
  #look(): void {
    if (this.#isToEnd() || this.#failure || !this.#script) return;
    const state = this.#vm.getPromiseState(this.#script);
    if (state.type === "rejected") this.#fail(state.error);
    else if (state.type === "fulfilled") {
      // Its last line has run. What it has begun may still be under way.
      this.#script.dispose();
      this.#script = null;
    } else if (!this.#isWaiting()) {
      this.#failure = plainError(
        "The script waits for something that never comes: no call and no timer of it is left.",
      );
    }
  }

  /** Where the script stands, now that it does not run. */
  #settle(): void {
    if (this.#isToEnd() || this.#failure || !this.#isWaiting()) {
      this.#end();
      return;
    }
    this.#output.flush();
    this.#around.post({
      type: "idle",
      spentMs: this.#spentMs,
      answers: this.#answers,
      waitsFor: this.#timers.count > 0 ? "timer" : "answer",
    });
  }

  #isWaiting(): boolean {
    return this.#calls.size > 0 || this.#timers.count > 0;
  }

  #end(): void {
    if (this.#isOver) return;
    this.#isOver = true;
    this.#timers.clearAll();
    this.#output.flush();
    if (!this.#around.isToStop()) {
      const error = this.#limit ? limitError(this.#limit, this.#start.limits) : this.#failure;
      this.#around.post({ type: "done", error, stored: this.#written });
    }
    this.#around.ended();
  }

  #isToEnd(): boolean {
    if (this.#limit !== null || this.#isOver || this.#around.isToStop()) return true;
    if (this.#quickjs.memoryRefused()) this.#limit = "memoryBytes";
    const runMs = this.#enteredAtMs === null ? 0 : this.#around.monotonicMs() - this.#enteredAtMs;
    if (this.#spentMs + runMs > this.#start.limits.runTimeMs) this.#limit ??= "runTimeMs";
    return this.#limit !== null;
  }

  #fail(error: QuickJSHandle): void {
    this.#failure = this.#described(error);
  }

  /** The script may have put anything into its error, an endless loop as well. */
  #described(error: QuickJSHandle): CellError {
    const describe = this.#inside.get("describe");
    if (!describe) return plainError("The script's sandbox could not be made.");
    const described = this.#vm.callFunction(describe, this.#vm.undefined, error);
    if (!described.error) {
      const text = JSON.parse(described.value.consume(this.#vm.getString)) as string;
      return scriptError(text, this.#start.limits);
    }
    described.error.dispose();
    return plainError("The script has failed, with an error that cannot be shown.");
  }

  #callInside(name: (typeof hostCalls)[number], ...args: (number | boolean | string)[]): void {
    const inside = this.#inside.get(name);
    if (!inside) return;
    const handles = args.map((arg) => {
      if (typeof arg === "number") return this.#vm.newNumber(arg);
      if (typeof arg === "string") return this.#vm.newString(arg);
      return arg ? this.#vm.true : this.#vm.false;
    });
    // An answer for which there was no memory is not there; nothing is to be called with it.
    if (this.#isToEnd()) return;
    const called = this.#vm.callFunction(inside, this.#vm.undefined, ...handles);
    for (const handle of handles) handle.dispose();
    if (called.error) this.#fail(called.error);
    called.dispose();
  }

  #prepare(): void {
    const vm = this.#vm;
    const { limits, tools } = this.#start;
    const outside = vm.newObject();
    for (const [name, outgoing] of Object.entries(this.#leadingOutside())) {
      vm.newFunction(name, (...args) => {
        // The script goes on for some microseconds after it has been told to end.
        if (this.#isToEnd()) throw new Error("This cell has ended.");
        return outgoing(...args);
      }).consume((handle) => vm.setProp(outside, name, handle));
    }
    const made = vm
      .unwrapResult(vm.evalCode(prelude, preludeFile, { type: "global" }))
      .consume((make) =>
        vm.unwrapResult(
          vm.callFunction(
            make,
            vm.undefined,
            outside,
            vm.newString(JSON.stringify(tools)),
            vm.newNumber(valueBytes),
            vm.newNumber(limits.outputBytes),
          ),
        ),
      );
    for (const name of hostCalls) this.#inside.set(name, vm.getProp(made, name));
    outside.dispose();
    made.dispose();
  }

  /** All that the prelude has of the outside. */
  #leadingOutside(): Record<string, HostFunction> {
    const text = (handle: QuickJSHandle | undefined): string => {
      if (!handle || this.#vm.typeof(handle) !== "string") throw new Error("A text was expected.");
      return this.#vm.getString(handle);
    };
    const number = (handle: QuickJSHandle | undefined): number => {
      if (!handle || this.#vm.typeof(handle) !== "number") throw new Error("A number was expected.");
      return this.#vm.getNumber(handle);
    };
    /** As the prelude lets it cross. */
    const exact = (handle: QuickJSHandle | undefined, isJson: QuickJSHandle | undefined): string =>
      number(isJson) === 1 ? (JSON.parse(text(handle)) as string) : text(handle);
    const key = (handle: QuickJSHandle | undefined) => JSON.parse(text(handle)) as string;
    return {
      text: (value, isJson) => this.#take(this.#output.add({ type: "text", text: exact(value, isJson) })),
      image: (value) => {
        const dataUrl = text(value);
        if (!imageAddress.test(dataUrl)) {
          throw new Error("A picture is a data: address of base64 with the type png, jpeg, gif or webp.");
        }
        return this.#take(this.#output.add({ type: "image", dataUrl }));
      },
      tooMuch: () => this.#take(false),
      notify: (value, isJson) => {
        this.#countPending();
        const told = exact(value, isJson);
        this.#take(this.#output.add({ type: "notice", text: told }));
        this.#notifications += 1;
        this.#output.flush();
        this.#around.post({ type: "notify", text: told });
        return undefined;
      },
      call: (id, name, args) => {
        this.#countPending();
        const call = { id: number(id), name: text(name), args: text(args) };
        checkCallSize(call.name, call.args);
        this.#calls.add(call.id);
        // What was written before it is seen before it.
        this.#output.flush();
        this.#around.post({ type: "call", ...call });
        return undefined;
      },
      store: (name, value) => this.#store(key(name), text(value)),
      load: (name) => {
        const value = this.#stored.get(key(name));
        return value === undefined ? undefined : this.#vm.newString(value);
      },
      setTimer: (id, delayMs, repeats) => {
        this.#timers.set(number(id), number(delayMs), number(repeats) === 1);
        return undefined;
      },
      clearTimer: (id) => {
        this.#timers.clear(number(id));
        return undefined;
      },
    };
  }

  #take(isTaken: boolean): undefined {
    if (isTaken) return;
    this.#limit ??= "outputBytes";
    throw new Error("This cell has ended.");
  }

  #countPending(): void {
    if (this.#calls.size + this.#notifications < this.#start.limits.pendingCalls) return;
    this.#limit ??= "pendingCalls";
    throw new Error("This cell has ended.");
  }

  #store(key: string, value: string): undefined {
    const before = this.#stored.get(key);
    const freed = before === undefined ? 0 : storedSize(key, before);
    const size = this.#storedSize - freed + storedSize(key, value);
    if (size > storedBytes) throw new Error("There is no more room to store this.");
    this.#storedSize = size;
    this.#stored.set(key, value);
    this.#written.set(key, value);
  }

  /** As everywhere, what one timer has set going comes before the next timer. */
  #fireTimers(): void {
    for (let id = this.#timers.takeDue(); id !== undefined; id = this.#timers.takeDue()) {
      this.#callInside("fire", id);
      this.#runJobs();
      if (this.#failure || this.#isToEnd()) return;
    }
  }
}
