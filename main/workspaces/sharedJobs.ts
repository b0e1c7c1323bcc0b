// Jobs of which each group has one at a time, and all groups together only a few.
//
// Race: somebody asks for a job that is there already. If it has not begun, they share it. If it has begun, it may have
// looked at what has changed since, so they get a job of their own: at most one of a name runs and one waits.

export class SharedJobs<Result> {
  /** By name; those that have not begun. */
  readonly #shared = new Map<string, Promise<Result>>();
  /** By group. */
  readonly #last = new Map<string, Promise<Result>>();
  readonly #waiting: (() => void)[] = [];
  #free: number;

  constructor(atOnce: number) {
    this.#free = atOnce;
  }

  /** `name` is unique over all groups. */
  run(group: string, name: string, task: () => Promise<Result>): Promise<Result> {
    const shared = this.#shared.get(name);
    if (shared) return shared;
    const job = this.#after(this.#last.get(group), name, task);
    this.#shared.set(name, job);
    this.#last.set(group, job);
    const forget = () => {
      if (this.#last.get(group) === job) this.#last.delete(group);
    };
    job.then(forget, forget);
    return job;
  }

  async #after(
    before: Promise<Result> | undefined,
    name: string,
    task: () => Promise<Result>,
  ): Promise<Result> {
    // How it ended is the business of those who asked for it.
    await before?.catch(() => {});
    if (this.#free > 0) this.#free--;
    else await new Promise<void>((resolve) => this.#waiting.push(resolve));
    this.#shared.delete(name);
    try {
      return await task();
    } finally {
      const next = this.#waiting.shift();
      if (next) next();
      else this.#free++;
    }
  }
}
