// A main for scripts in tests: calls are answered when the test says so; time goes on when the test says so.

import type { CallParams, CallResult, KeptScript } from "../../../preload/contract";
import { CallFault } from "../../state/callFault";
import type { ScriptMain } from "./scriptMain";

interface Open {
  name: "read" | "save" | "copy";
  resolve(value: unknown): void;
  reject(error: Error): void;
}

export function keptScript(part: Partial<KeptScript> = {}): KeptScript {
  return { name: "Script", source: "text(1);", origin: "own", revision: 1, ...part };
}

export class TestScripts implements ScriptMain {
  readonly saves: CallParams<"scripts.save">[] = [];
  readonly copies: { fromScriptId: string; source: string }[] = [];
  reads = 0;
  #open: Open[] = [];

  read() {
    this.reads += 1;
    return this.#ask<KeptScript>("read");
  }
  save(change: CallParams<"scripts.save">) {
    this.saves.push(change);
    return this.#ask<CallResult<"scripts.save">>("save");
  }
  copy(fromScriptId: string, source: string) {
    this.copies.push({ fromScriptId, source });
    return this.#ask<{ scriptId: string }>("copy");
  }

  async answerRead(part: Partial<KeptScript> = {}): Promise<void> {
    this.#take("read").resolve(keptScript(part));
    await settled();
  }
  async keep(revision: number): Promise<void> {
    this.#take("save").resolve({ outcome: "kept", revision });
    await settled();
  }
  async refuse(part: Partial<KeptScript>): Promise<void> {
    this.#take("save").resolve({ outcome: "behind", script: keptScript(part) });
    await settled();
  }
  async answerCopy(scriptId: string): Promise<void> {
    this.#take("copy").resolve({ scriptId });
    await settled();
  }
  async fail(name: Open["name"], code = "disk_full"): Promise<void> {
    this.#take(name).reject(new CallFault({ code, message: "It did not work.", retryable: true }));
    await settled();
  }

  get open(): Open["name"][] {
    return this.#open.map((each) => each.name);
  }

  #take(name: Open["name"]): Open {
    const taken = this.#open.find((each) => each.name === name);
    if (!taken) throw new Error(`No ${name} is open`);
    this.#open = this.#open.filter((each) => each !== taken);
    return taken;
  }

  #ask<Value>(name: Open["name"]): Promise<Value> {
    return new Promise<Value>((resolve, reject) => {
      this.#open.push({ name, resolve: (value) => resolve(value as Value), reject });
    });
  }
}

/** Everything that follows from an answer has happened. */
export async function settled(): Promise<void> {
  for (let turn = 0; turn < 12; turn += 1) await Promise.resolve();
}
