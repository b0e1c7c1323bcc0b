// What an edited script needs from outside; tests hand in their own.

import type { CallParams, CallResult, KeptScript } from "../../../preload/contract";

/** The part of main that keeps scripts. */
export interface ScriptMain {
  read(scriptId: string): Promise<KeptScript>;
  save(change: CallParams<"scripts.save">): Promise<CallResult<"scripts.save">>;
  /** A script of one's own with this text, made from one that came with Holdfast. */
  copy(fromScriptId: string, source: string): Promise<{ scriptId: string }>;
}

export interface ScriptTimers {
  nowMs(): number;
  /** Returns what cancels it. */
  after(ms: number, run: () => void): () => void;
}
