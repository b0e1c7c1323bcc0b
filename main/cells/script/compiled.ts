// The few words of WebAssembly that are needed here; the types of Node 20 have none of it.

/** Can be given to another thread, which need not compile it again. */
export interface CompiledQuickJs {
  readonly [Symbol.toStringTag]: "WebAssembly.Module";
}

export interface WasmMemory {
  readonly buffer: ArrayBuffer;
  /** Throws RangeError when there is none left. Returns the size before, in pages. */
  grow(pages: number): number;
}

interface WebAssemblyNamespace {
  compile(bytes: Uint8Array): Promise<CompiledQuickJs>;
}

export function compile(bytes: Uint8Array): Promise<CompiledQuickJs> {
  return (globalThis as unknown as { WebAssembly: WebAssemblyNamespace }).WebAssembly.compile(bytes);
}
