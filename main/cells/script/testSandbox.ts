// For tests: a script in its sandbox without a thread, under a clock that stands still.

import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { ManualClock } from "../../clock";
import type { CellError, OutputItem } from "../runtime/cellEvents";
import { type CellLimits, defaultLimits } from "../runtime/limits";
import type { FromWorker } from "../runtime/workerMessages";
import { type CompiledQuickJs, compile } from "./compiled";
import { Sandbox } from "./sandbox";

let compiled: Promise<CompiledQuickJs> | undefined;

export function compiledQuickJs(): Promise<CompiledQuickJs> {
  const file = createRequire(import.meta.url).resolve("@jitl/quickjs-wasmfile-release-sync/wasm");
  compiled ??= compile(readFileSync(file));
  return compiled;
}

export interface TestScript {
  sandbox: Sandbox;
  clock: ManualClock;
  said: FromWorker[];
  output(): OutputItem[];
  texts(): string[];
  calls(): { id: number; name: string; args: unknown }[];
  /** Undefined: it goes on. */
  done(): { error: CellError | null; stored: Record<string, unknown> } | undefined;
  isOver(): boolean;
  stop(): void;
  answer(id: number, value: unknown): void;
  refuse(id: number, message: string): void;
}

export interface TestScriptOptions {
  limits?: Partial<CellLimits>;
  stored?: Record<string, unknown>;
  /** The time that the script takes is real, unless it is given here. */
  monotonicMs?: () => number;
}

export async function startScript(script: string, options: TestScriptOptions = {}): Promise<TestScript> {
  const clock = new ManualClock();
  const said: FromWorker[] = [];
  let isToStop = false;
  let isOver = false;
  const stored = new Map(
    Object.entries(options.stored ?? {}).map(([key, value]) => [key, JSON.stringify(value)]),
  );
  const sandbox = await Sandbox.make(
    {
      script,
      limits: { ...defaultLimits, ...options.limits },
      stored,
      tools: ["ask", "listThreads"],
      quickjs: await compiledQuickJs(),
      stopFlag: new SharedArrayBuffer(4),
    },
    {
      clock,
      monotonicMs: options.monotonicMs ?? (() => performance.now()),
      isToStop: () => isToStop,
      post(message) {
        if (isOver) throw new Error("a message after the end");
        said.push(structuredClone(message));
      },
      ended() {
        isOver = true;
      },
    },
  );
  sandbox.run();
  const output = () => said.flatMap((message) => (message.type === "output" ? message.items : []));
  return {
    sandbox,
    clock,
    said,
    output,
    texts: () =>
      output().flatMap((item) => {
        if (item.type === "notice") return [];
        return item.type === "text" ? item.text : item.dataUrl;
      }),
    calls: () =>
      said.flatMap((message) =>
        message.type === "call"
          ? [{ id: message.id, name: message.name, args: JSON.parse(message.args) as unknown }]
          : [],
      ),
    done() {
      const last = said.find((message) => message.type === "done");
      if (last?.type !== "done") return undefined;
      const kept = [...last.stored].map(([key, value]) => [key, JSON.parse(value) as unknown]);
      return { error: last.error, stored: Object.fromEntries(kept) as Record<string, unknown> };
    },
    isOver: () => isOver,
    stop() {
      isToStop = true;
      sandbox.receive({ type: "stop" });
    },
    answer: (id, value) => sandbox.receive({ type: "answer", id, ok: true, value: JSON.stringify(value) }),
    refuse: (id, message) => sandbox.receive({ type: "answer", id, ok: false, message }),
  };
}
