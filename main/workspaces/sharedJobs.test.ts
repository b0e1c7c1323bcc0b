import { describe, expect, it } from "vitest";
import { SharedJobs } from "./sharedJobs";

/** Jobs that end when they are told to, and what has begun so far. */
class Gates {
  readonly jobs: SharedJobs<string>;
  readonly begun: string[] = [];
  readonly #gates = new Map<string, { resolve(result: string): void; reject(error: Error): void }>();

  constructor(atOnce = 10) {
    this.jobs = new SharedJobs(atOnce);
  }

  /** `label` tells apart jobs of one name. */
  run(group: string, name: string, label = name): Promise<string> {
    return this.jobs.run(group, name, () => {
      this.begun.push(label);
      return new Promise((resolve, reject) => this.#gates.set(label, { resolve, reject }));
    });
  }

  async end(label: string): Promise<void> {
    this.#gates.get(label)?.resolve(`result of ${label}`);
    await settled();
  }

  async fail(label: string): Promise<void> {
    this.#gates.get(label)?.reject(new Error(`failure of ${label}`));
    await settled();
  }
}

/** Lets everything happen that waits for nothing else. */
const settled = () => new Promise(setImmediate);

describe("shared jobs", () => {
  it("run one after another in a group, and groups beside each other", async () => {
    const gates = new Gates();
    const all = [gates.run("g", "a"), gates.run("g", "b"), gates.run("h", "c")];
    await settled();
    expect(gates.begun).toEqual(["a", "c"]);
    await gates.end("a");
    expect(gates.begun).toEqual(["a", "c", "b"]);
    await gates.end("b");
    await gates.end("c");
    expect(await Promise.all(all)).toEqual(["result of a", "result of b", "result of c"]);
  });

  it("are shared until they have begun, and not after", async () => {
    const gates = new Gates();
    const first = gates.run("g", "a", "first");
    await settled();
    const second = gates.run("g", "a", "second");
    const third = gates.run("g", "a", "third");
    await gates.end("first");
    const fourth = gates.run("g", "a", "fourth");
    await gates.end("second");
    await gates.end("fourth");
    expect(await Promise.all([first, second, third, fourth])).toEqual([
      "result of first",
      "result of second",
      "result of second",
      "result of fourth",
    ]);
    expect(gates.begun).toEqual(["first", "second", "fourth"]);
  });

  it("are no more than a few at once, the rest in the order in which they came", async () => {
    const gates = new Gates(2);
    const all = ["a", "b", "c", "d"].map((name) => gates.run(name, name));
    await settled();
    expect(gates.begun).toEqual(["a", "b"]);
    await gates.end("b");
    expect(gates.begun).toEqual(["a", "b", "c"]);
    await gates.end("a");
    expect(gates.begun).toEqual(["a", "b", "c", "d"]);
    await gates.end("c");
    await gates.end("d");
    await Promise.all(all);
    // Nothing was used up on the way.
    void gates.run("e", "e");
    void gates.run("f", "f");
    await settled();
    expect(gates.begun).toEqual(["a", "b", "c", "d", "e", "f"]);
  });

  it("do not hold each other up by failing", async () => {
    const gates = new Gates(1);
    const failing = gates.run("g", "a");
    const next = gates.run("g", "b");
    const outcome = expect(failing).rejects.toThrow("failure of a");
    await settled();
    await gates.fail("a");
    await outcome;
    await gates.end("b");
    expect(await next).toBe("result of b");
  });
});
