// The scripts that are in the window's hands: those that are shown, and those left behind that are not saved yet. Coming back
// to such a script finds the same words again.
//
// Race: a script that came with Holdfast is typed into, and more is typed before its copy is there. The copy is asked for
// once; when it is there it gets the text as it is by then, and whoever shows the script is told to show the copy.

import { EditedScript } from "./editedScript";
import type { ScriptMain, ScriptTimers } from "./scriptMain";

/** A copy is held until whoever shows the script has had time to hold it. */
const takenOverWithinMs = 2_000;

export class ScriptBook {
  readonly #main: ScriptMain;
  readonly #timers: ScriptTimers;
  readonly #scripts = new Map<string, EditedScript>();
  readonly #holds = new Map<EditedScript, number>();
  readonly #copying = new Map<string, Promise<string | null>>();
  readonly #onCopied: (fromScriptId: string, scriptId: string) => void;

  constructor(
    main: ScriptMain,
    timers: ScriptTimers,
    onCopied: (fromScriptId: string, scriptId: string) => void,
  ) {
    this.#main = main;
    this.#timers = timers;
    this.#onCopied = onCopied;
  }

  /** The script in hand; the same one for as long as somebody holds it or it is not settled. */
  of(scriptId: string): EditedScript {
    const known = this.#scripts.get(scriptId);
    if (known) return known;
    const script = new EditedScript(scriptId, this.#main, this.#timers);
    this.#scripts.set(scriptId, script);
    script.subscribe(() => this.#letGo(script));
    script.onCopyWanted(() => void this.copy(scriptId));
    return script;
  }

  /** Keeps it until what this returns is called, which also saves what is not saved. */
  hold(script: EditedScript): () => void {
    this.#scripts.set(script.scriptId, script);
    this.#holds.set(script, (this.#holds.get(script) ?? 0) + 1);
    return () => {
      const holds = (this.#holds.get(script) ?? 1) - 1;
      if (holds > 0) this.#holds.set(script, holds);
      else this.#holds.delete(script);
      script.flush();
      this.#letGo(script);
    };
  }

  /** A copy of a script, with what is typed in it here. One at a time. Null: it could not be made, which the script says. */
  copy(scriptId: string): Promise<string | null> {
    const going = this.#copying.get(scriptId);
    if (going) return going;
    const copying = this.#copy(this.of(scriptId)).finally(() => this.#copying.delete(scriptId));
    this.#copying.set(scriptId, copying);
    return copying;
  }

  async #copy(original: EditedScript): Promise<string | null> {
    const letGo = this.hold(original);
    try {
      // Asked for in the same turn in which the first letter was typed: the page may go away in the next one.
      if (original.view.phase === "loading") await original.loaded();
      if (original.view.phase !== "ready") return null;
      const made = await this.#main.copy(original.scriptId, original.view.source);
      const copy = this.of(made.scriptId);
      const letGoOfCopy = this.hold(copy);
      this.#timers.after(takenOverWithinMs, letGoOfCopy);
      await copy.loaded();
      copy.edit(original.view.source);
      original.forgetWords();
      this.#onCopied(original.scriptId, made.scriptId);
      return made.scriptId;
    } catch (error) {
      original.copyFailed(error);
      return null;
    } finally {
      letGo();
    }
  }

  /** These scripts have changed in the list. */
  heard(scriptIds: Iterable<string>): void {
    for (const scriptId of scriptIds) this.#scripts.get(scriptId)?.heard();
  }

  /** Saves at once what is not saved yet. */
  flush(): void {
    for (const script of this.#scripts.values()) script.flush();
  }

  /** Main is back. */
  retry(): void {
    for (const script of this.#scripts.values()) script.retry();
  }

  /** The page is going away. */
  flushAtEnd(): void {
    for (const script of this.#scripts.values()) script.flushAtEnd();
  }

  get size(): number {
    return this.#scripts.size;
  }

  #letGo(script: EditedScript): void {
    if (this.#holds.has(script) || !script.isSettled) return;
    if (this.#scripts.get(script.scriptId) === script) this.#scripts.delete(script.scriptId);
  }
}
