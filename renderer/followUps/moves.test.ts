import { beforeEach, describe, expect, test } from "vitest";
import type { CallParams } from "../../preload/contract";
import { FollowUpMoves } from "./moves";
import { type Place, withMoves } from "./order";

const T = "thread";

interface Asked {
  params: CallParams<"followUps.move">;
  answer(outcome: "changed" | "gone"): Promise<void>;
  fail(): Promise<void>;
}

let entries: { clientId: string }[];
let asked: Asked[];
let timers: (() => void)[];
let moves: FollowUpMoves;

async function settled(): Promise<void> {
  for (let turn = 0; turn < 10; turn += 1) await Promise.resolve();
}

beforeEach(() => {
  entries = ["a", "b", "c"].map((clientId) => ({ clientId }));
  asked = [];
  timers = [];
  moves = new FollowUpMoves({
    main: {
      move: (params) =>
        new Promise((resolve, reject) => {
          asked.push({
            params,
            answer: (outcome) => {
              resolve({ outcome });
              return settled();
            },
            fail: () => {
              reject(new Error("No connection."));
              return settled();
            },
          });
        }),
    },
    entriesOf: (threadKey) => (threadKey === T ? entries : null),
    after: (_ms, run) => timers.push(run),
  });
});

function told(ids: string): void {
  entries = [...ids].map((clientId) => ({ clientId }));
  moves.heard(T);
}

const shown = () =>
  withMoves(entries, moves.store.getState().pending)
    .map(({ clientId }) => clientId)
    .join("");

const move = (clientId: string, before: Place) => moves.move(T, [...shown()], clientId, before);

function at(index: number): Asked {
  const one = asked[index];
  if (!one) throw new Error(`main was not asked ${index}`);
  return one;
}

describe("a move", () => {
  test("is shown at once, and goes on being shown until main's list has it", async () => {
    const done = move("c", "a");
    expect(shown()).toBe("cab");
    await at(0).answer("changed");
    expect(shown()).toBe("cab");
    told("cab");
    expect(shown()).toBe("cab");
    expect(moves.store.getState().pending).toEqual([]);
    expect(await done).toBe("changed");
  });

  test("whose new list comes before the answer is over with the answer", async () => {
    void move("c", "a");
    told("cab");
    expect(shown()).toBe("cab");
    await at(0).answer("changed");
    expect(moves.store.getState().pending).toEqual([]);
  });

  test("is not taken back by a list of before that comes after the answer", async () => {
    void move("c", "a");
    await at(0).answer("changed");
    told("abcd");
    expect(shown()).toBe("cabd");
    told("cabd");
    expect(moves.store.getState().pending).toEqual([]);
  });

  test("whose list never comes is not shown for ever", async () => {
    void move("c", "a");
    await at(0).answer("changed");
    expect(shown()).toBe("cab");
    for (const run of timers) run();
    expect(shown()).toBe("abc");
  });

  test("that fails is taken back, and the fault is the caller's", async () => {
    const done = move("c", "a");
    const seen = expect(done).rejects.toThrow("No connection.");
    await at(0).fail();
    expect(shown()).toBe("abc");
    await seen;
  });
});

describe("several moves on their way", () => {
  test("end where the last one leads, whichever list is told in between", async () => {
    void move("c", "b");
    void move("c", "a");
    expect(shown()).toBe("cab");
    told("acb");
    expect(shown()).toBe("cab");
    await at(0).answer("changed");
    expect(shown()).toBe("cab");
    told("cab");
    await at(1).answer("changed");
    expect(shown()).toBe("cab");
    expect(moves.store.getState().pending).toEqual([]);
  });

  test("up and down again: the first is not shown on top of what the second led to", async () => {
    void move("c", "b");
    void move("c", null);
    told("acb");
    told("abc");
    await at(0).answer("changed");
    await at(1).answer("changed");
    expect(shown()).toBe("abc");
    expect(moves.store.getState().pending).toEqual([]);
  });

  test("of another thread are none of this one's", async () => {
    void moves.move("other", ["a", "b"], "b", "a");
    void move("c", "a");
    await at(0).answer("changed");
    told("cab");
    await at(1).answer("changed");
    expect(moves.store.getState().pending.map(({ threadKey }) => threadKey)).toEqual(["other"]);
  });
});

describe("what was taken up meanwhile", () => {
  test("the one before which it was to come: it is asked again for the same place", async () => {
    const done = move("c", "a");
    told("bc");
    await at(0).answer("gone");
    expect(asked.map(({ params }) => params.beforeClientId)).toEqual(["a", "b"]);
    expect(shown()).toBe("cb");
    await at(1).answer("changed");
    told("cb");
    expect(await done).toBe("changed");
  });

  test("the moved one itself: that is the outcome, and nothing more is asked", async () => {
    const done = move("a", null);
    told("bc");
    await at(0).answer("gone");
    expect(await done).toBe("gone");
    expect(asked).toHaveLength(1);
    expect(shown()).toBe("bc");
  });

  test("it is not asked for ever", async () => {
    const done = move("c", "a");
    for (let try_ = 0; try_ < asked.length; try_ += 1) await at(try_).answer("gone");
    expect(await done).toBe("gone");
    expect(asked.length).toBeLessThanOrEqual(3);
  });
});
