// A fresh QuickJS for one script, in a memory of its own that does not grow beyond what the cell may use.
//
// QuickJS's own memory limit does not hold in this build: it counts what an allocation costs beside its size, so two
// gigabytes pass under a limit of 64 MiB. What holds is to refuse the growth of the memory that all of it lives in. A script
// can catch the error that comes of that; that it came is remembered, and the cell ends all the same.

import variant from "@jitl/quickjs-wasmfile-release-sync";
import {
  newQuickJSWASMModuleFromVariant,
  newVariant,
  type QuickJSContext,
  type QuickJSRuntime,
} from "quickjs-emscripten-core";
import type { CompiledQuickJs, WasmMemory } from "./compiled";
import { scriptStackBytes } from "./threadStack";

const pageBytes = 65_536;

export interface QuickJs {
  runtime: QuickJSRuntime;
  context: QuickJSContext;
  /** The script has wanted more memory than there is. */
  memoryRefused(): boolean;
}

export async function newQuickJs(compiled: CompiledQuickJs, memoryBytes: number): Promise<QuickJs> {
  const quickjs = await newQuickJSWASMModuleFromVariant(newVariant(variant, { wasmModule: compiled }));
  const memory: WasmMemory = quickjs.getWasmMemory();
  const grow = memory.grow.bind(memory);
  let refused = false;
  memory.grow = (pages: number): number => {
    if (memory.buffer.byteLength + pages * pageBytes > memoryBytes) {
      refused = true;
      throw new RangeError("no more memory for this cell");
    }
    const before = grow(pages);
    // It is asked for some more than is needed, and less when that is refused.
    refused = false;
    return before;
  };
  const runtime = quickjs.newRuntime({ maxStackSizeBytes: scriptStackBytes });
  return { runtime, context: runtime.newContext(), memoryRefused: () => refused };
}
