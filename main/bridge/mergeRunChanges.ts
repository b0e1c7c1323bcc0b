// Changes of one run that wait for a window, merged as those of a thread are (mergeChanges.ts): the head, the output and the
// calls are changed independently of each other, output is only ever added, and a call that is told again replaces itself.

import type { RunCall, RunChange, RunHead, RunOutputItem } from "../../preload/contract/cells";
import { type Merger, patch, Sized } from "./mergeChanges";
import { sizeOf } from "./sizeOf";

export class RunMerger implements Merger<RunChange> {
  #head: Partial<RunHead> = {};
  #headBytes = 0;
  #output: RunOutputItem[] = [];
  #outputBytes = 0;
  #calls = new Sized<RunCall>();

  get bytes(): number {
    return this.#headBytes + this.#outputBytes + this.#calls.bytes;
  }

  get isEmpty(): boolean {
    return Object.keys(this.#head).length === 0 && this.#output.length === 0 && this.#calls.size === 0;
  }

  add(change: RunChange): void {
    switch (change.type) {
      case "head":
        patch(this.#head, change.value);
        this.#headBytes = sizeOf(this.#head);
        return;
      case "output":
        // There may be far more than a call can have arguments.
        for (const item of change.items) this.#output.push(item);
        this.#outputBytes += sizeOf(change.items);
        return;
      case "calls":
        for (const call of change.calls) this.#calls.set(String(call.callId), call);
        return;
      default:
        throw new Error(`A change of a type that is not known: ${JSON.stringify(change satisfies never)}`);
    }
  }

  take(): RunChange[] {
    const list: RunChange[] = [];
    if (this.#output.length > 0) list.push({ type: "output", items: this.#output });
    if (this.#calls.size > 0) list.push({ type: "calls", calls: this.#calls.list() });
    // The end of a run comes after what it has said.
    if (Object.keys(this.#head).length > 0) list.push({ type: "head", value: this.#head });
    this.#head = {};
    this.#headBytes = 0;
    this.#output = [];
    this.#outputBytes = 0;
    this.#calls = new Sized();
    return list;
  }
}
