// Topics that a test holds the strings of.

import type { AppChange } from "../../preload/contract/app";
import type { ThreadChange } from "../../preload/contract/thread";
import { Fault } from "../fault";
import type { Listener, Topics } from "./backend";
import { appSnapshot, threadSnapshot } from "./testData";

export class TestTopics implements Topics {
  readonly closed: string[] = [];
  readonly opened: string[] = [];
  /** Called while a topic is being opened, before its snapshot is handed over. */
  whileOpening: (listener: Listener<ThreadChange>) => void = () => {};
  snapshot = threadSnapshot();
  #app: Listener<AppChange> | null = null;
  #threads = new Map<string, Listener<ThreadChange>>();

  openApp(listener: Listener<AppChange>) {
    this.#app = listener;
    this.opened.push("app");
    return { snapshot: appSnapshot(), close: () => this.closed.push("app") };
  }

  openThread(key: string, listener: Listener<ThreadChange>) {
    if (key === "unknown") throw new Fault("thread_unknown", "There is no such thread.");
    this.#threads.set(key, listener);
    this.opened.push(key);
    this.whileOpening(listener);
    return { snapshot: this.snapshot, close: () => this.closed.push(key) };
  }

  openRun(): never {
    throw new Fault("run_unknown", "There is no such run.");
  }

  openTerminal(): never {
    throw new Fault("terminal_unknown", "There is no such terminal.");
  }

  changeApp(changes: AppChange[], urgent = false): void {
    this.#app?.(changes, urgent);
  }

  changeThread(key: string, changes: ThreadChange[], urgent = false): void {
    this.#threads.get(key)?.(changes, urgent);
  }

  say(key: string, text: string, urgent = false): void {
    this.changeThread(key, [{ type: "append", itemId: "a", field: "text", text }], urgent);
  }
}
