// Parts of the window that are loaded after its first paint. Not React's own `lazy`: that suspends also when the part is
// there already, and holds what follows a fallback back for a moment, which is seen as a flicker in a window that loads
// from disk. A part that has been loaded is drawn at once, like any other.
//
// Race: a part is asked for by several places at once, and again after it could not be loaded. There is one load at a
// time for each part; a failed one is thrown to the boundary around its place, and
// forgotten when that place is drawn anew, so that drawing again tries again.

import { type ComponentType, type ReactNode, useEffect, useState, useSyncExternalStore } from "react";

type Loaded<Props> =
  | { state: "not asked" }
  | { state: "loading" }
  | { state: "here"; Part: ComponentType<Props> }
  | { state: "failed"; error: unknown };

/** One part: its state, who watches it, and the one load that is going on. */
export class LaterPart<Props> {
  readonly #import: () => Promise<ComponentType<Props>>;
  readonly #watchers = new Set<() => void>();
  #loaded: Loaded<Props> = { state: "not asked" };
  #load: Promise<void> | null = null;

  constructor(load: () => Promise<ComponentType<Props>>) {
    this.#import = load;
  }

  readonly now = (): Loaded<Props> => this.#loaded;

  readonly watch = (watcher: () => void): (() => void) => {
    this.#watchers.add(watcher);
    return () => this.#watchers.delete(watcher);
  };

  /** Resolves once it is here or has failed; never rejects: a failure is shown where the part is drawn. */
  readonly load = (): Promise<void> => {
    if (this.#loaded.state === "here") return Promise.resolve();
    this.#load ??= this.#run();
    return this.#load;
  };

  /** A place that is drawn anew does not start from an old failure. */
  readonly forgetFailure = (): void => {
    if (this.#loaded.state === "failed") this.#loaded = { state: "not asked" };
  };

  async #run(): Promise<void> {
    this.#loaded = { state: "loading" };
    try {
      this.#loaded = { state: "here", Part: await this.#import() };
    } catch (error) {
      this.#loaded = { state: "failed", error };
    }
    this.#load = null;
    for (const watcher of [...this.#watchers]) watcher();
  }
}

/** One after the other, each when there is time for it. */
export async function loadInIdleTime(parts: Iterable<{ load(): Promise<void> }>): Promise<void> {
  for (const part of parts) {
    await new Promise<void>((resolve) => requestIdleCallback(() => resolve()));
    await part.load();
  }
}

export interface LaterProps<Props> {
  part: LaterPart<Props>;
  props: Props;
  /** Drawn until the part is here; nothing by default. */
  meanwhile?: ReactNode;
}

export function Later<Props extends object>({ part, props, meanwhile = null }: LaterProps<Props>): ReactNode {
  useState(part.forgetFailure);
  const loaded = useSyncExternalStore(part.watch, part.now);
  useEffect(() => {
    void part.load();
  }, [part]);
  if (loaded.state === "failed") throw loaded.error;
  if (loaded.state !== "here") return meanwhile;
  const { Part } = loaded;
  return <Part {...props} />;
}
