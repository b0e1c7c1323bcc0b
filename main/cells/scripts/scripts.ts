// The scripts that are kept: the person's own, in the ledger, and those that come with Holdfast, which are never changed.

import { randomUUID } from "node:crypto";
import type { KeptScript } from "../../../preload/contract";
import type { ScriptName, ScriptRow } from "../../../preload/contract/cells";
import { Fault } from "../../fault";
import { type ScriptRecord, type ScriptsLedger, unknownScript } from "../../ledger/scriptsLedger";
import { scriptBytes } from "../runtime/limits";
import { scriptNames } from "../tools/scriptNames";
import { scriptTypes } from "../tools/toolTypes";
import { shippedScripts } from "./shipped";
import { starterName, starterSource, summaryOf } from "./starter";

type ShippedScript = (typeof shippedScripts)[number];

export interface ScriptsOptions {
  ledger: ScriptsLedger;
  changed(rows: ScriptRow[]): void;
  shipped?: readonly ShippedScript[];
}

const nameCharacters = 200;

export class Scripts {
  readonly #ledger: ScriptsLedger;
  readonly #changed: ScriptsOptions["changed"];
  readonly #shipped: readonly ShippedScript[];

  constructor({ ledger, changed, shipped = shippedScripts }: ScriptsOptions) {
    this.#ledger = ledger;
    this.#changed = changed;
    this.#shipped = shipped;
  }

  /** The person's own in the order in which they were made, then those that come with Holdfast. */
  get rows(): ScriptRow[] {
    return [
      ...this.#ledger.list().map(ownRow),
      ...this.#shipped.map(({ scriptId, name, source }) => ({
        scriptId,
        name,
        origin: "shipped" as const,
        summary: summaryOf(source),
        updatedAtMs: 0,
      })),
    ];
  }

  names(): { names: ScriptName[]; declarations: string } {
    return { names: scriptNames(), declarations: scriptTypes() };
  }

  /**
   * `fromScriptId`: a copy of that one; `source`: with this text. Throws Fault `script_unknown`, `script_name` or
   * `script_too_long`.
   */
  create(name: string | null, fromScriptId: string | null, source: string | null = null): string {
    const from = fromScriptId === null ? null : this.read(fromScriptId);
    return this.#add(
      checkedName(
        name ?? this.#freeName(from ? `${from.name.slice(0, nameCharacters - 20)} (copy)` : starterName),
      ),
      checkedSource(source ?? from?.source ?? starterSource),
    );
  }

  /** Throws Fault `script_unknown`. */
  read(scriptId: string): KeptScript {
    const shipped = this.#shippedOne(scriptId);
    if (shipped) return { name: shipped.name, source: shipped.source, origin: "shipped", revision: 1 };
    const record = this.#ledger.get(scriptId);
    if (!record || record.isDeleted) throw unknownScript(scriptId);
    return kept(record);
  }

  /** `behind`: it has been changed since. Throws Fault `script_unknown`, `script_shipped`, `script_name`, `script_too_long`. */
  save(
    scriptId: string,
    change: { name: string; source: string; revision: number },
  ): { outcome: "kept"; revision: number } | { outcome: "behind"; script: KeptScript } {
    this.#refuseShipped(scriptId);
    const name = checkedName(change.name);
    if (!this.#ledger.save(scriptId, { ...change, name, source: checkedSource(change.source) })) {
      return { outcome: "behind", script: this.read(scriptId) };
    }
    this.#tell();
    return { outcome: "kept", revision: change.revision + 1 };
  }

  /**
   * The same for words that nobody is left to ask about: where they do not fit what there is, or it is gone, they become a
   * script of their own.
   */
  saveOrCopy(
    scriptId: string,
    change: { name: string; source: string; revision: number },
  ): { outcome: "kept"; revision: number } | { outcome: "behind"; script: KeptScript } {
    const { name, source } = change;
    const copy = () =>
      this.#add(
        this.#freeName(`${checkedName(name).slice(0, nameCharacters - 30)} (other window)`),
        checkedSource(source),
      );
    try {
      const saved = this.save(scriptId, change);
      // Both have written the same: there is nothing to keep apart.
      if (saved.outcome === "behind" && saved.script.source !== source) copy();
      return saved;
    } catch (error) {
      if (error instanceof Fault && error.code === "script_unknown") copy();
      throw error;
    }
  }

  /** Throws Fault `script_unknown` or `script_shipped`. */
  delete(scriptId: string): void {
    this.#refuseShipped(scriptId);
    this.#ledger.delete(scriptId);
    this.#tell();
  }

  /** Throws Fault `script_unknown`. */
  restore(scriptId: string): void {
    this.#ledger.restore(scriptId);
    this.#tell();
  }

  #add(name: string, source: string): string {
    const scriptId = randomUUID();
    this.#ledger.add({ scriptId, name, source });
    this.#tell();
    return scriptId;
  }

  #shippedOne(scriptId: string): ShippedScript | undefined {
    return this.#shipped.find((script) => script.scriptId === scriptId);
  }

  #refuseShipped(scriptId: string): void {
    if (!this.#shippedOne(scriptId)) return;
    throw new Fault("script_shipped", "This script came with Holdfast and cannot be changed.", {
      hint: "Make a copy of it and change that.",
    });
  }

  /** With a number where there is one of that name. */
  #freeName(wanted: string): string {
    const taken = new Set(this.rows.map((row) => row.name));
    let name = wanted;
    for (let number = 2; taken.has(name); number += 1) name = `${wanted} ${number}`;
    return name;
  }

  #tell(): void {
    this.#changed(this.rows);
  }
}

function checkedSource(source: string): string {
  if (Buffer.byteLength(source) <= scriptBytes) return source;
  throw new Fault("script_too_long", `A script may have ${scriptBytes / 1024} KiB.`, {
    hint: "Make it shorter: until then it is only kept in its window.",
  });
}

function checkedName(name: string): string {
  const trimmed = name.trim();
  if (trimmed === "") throw new Fault("script_name", "A script needs a name.");
  if (trimmed.length > nameCharacters) {
    throw new Fault("script_name", `The name of a script may have ${nameCharacters} characters.`);
  }
  return trimmed;
}

function ownRow({ scriptId, name, source, updatedAtMs }: ScriptRecord): ScriptRow {
  return { scriptId, name, origin: "own", summary: summaryOf(source), updatedAtMs };
}

function kept({ name, source, revision }: ScriptRecord): KeptScript {
  return { name, source, origin: "own", revision };
}
