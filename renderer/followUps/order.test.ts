import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { dropPlace, type Move, samePlace, standsThere, stepPlace, withMoves } from "./order";

const entries = (...ids: string[]) => ids.map((clientId) => ({ clientId }));
const order = (list: readonly { clientId: string }[]) => list.map(({ clientId }) => clientId).join("");

describe("moves that are not confirmed yet", () => {
  test("are shown on top of what main last told, in the order in which they were made", () => {
    const moves: Move[] = [
      { clientId: "c", before: "a" },
      { clientId: "a", before: null },
    ];
    expect(order(withMoves(entries("a", "b", "c"), moves))).toBe("cba");
  });

  test("of an entry that has been taken up meanwhile change nothing", () => {
    expect(order(withMoves(entries("b", "c"), [{ clientId: "a", before: null }]))).toBe("bc");
  });

  test("before an entry that has gone leave the list as it is", () => {
    expect(order(withMoves(entries("b", "c"), [{ clientId: "c", before: "a" }]))).toBe("bc");
  });

  test("onto themselves change nothing", () => {
    expect(order(withMoves(entries("a", "b"), [{ clientId: "b", before: "b" }]))).toBe("ab");
  });

  test("never lose, repeat or invent an entry, whatever is moved where", () => {
    const id = fc.constantFrom("a", "b", "c", "d", "e");
    const move = fc.record({ clientId: id, before: fc.option(id, { nil: null }) });
    fc.assert(
      fc.property(fc.uniqueArray(id), fc.array(move), (ids, moves) => {
        const shown = withMoves(entries(...ids), moves);
        expect(shown.map(({ clientId }) => clientId).sort()).toEqual([...ids].sort());
      }),
    );
  });

  test("once confirmed, the same move changes nothing more", () => {
    const id = fc.constantFrom("a", "b", "c", "d");
    fc.assert(
      fc.property(fc.uniqueArray(id), id, fc.option(id, { nil: null }), (ids, clientId, before) => {
        const once = withMoves(entries(...ids), [{ clientId, before }]);
        expect(order(withMoves(once, [{ clientId, before }]))).toBe(order(once));
      }),
    );
  });
});

describe("one step by the keyboard", () => {
  const ids = ["a", "b", "c"];

  test.each([
    ["b", -1, "a"],
    ["c", -1, "b"],
    ["a", 1, "c"],
    ["b", 1, null],
  ] as const)("%s by %i comes before %s", (clientId, by, before) => {
    expect(stepPlace(ids, clientId, by)).toBe(before);
  });

  test("there is none beyond the ends, and none for what has gone", () => {
    expect(stepPlace(ids, "a", -1)).toBeUndefined();
    expect(stepPlace(ids, "c", 1)).toBeUndefined();
    expect(stepPlace(ids, "gone", 1)).toBeUndefined();
  });

  test("it changes places with its neighbour, and the step back undoes it", () => {
    fc.assert(
      fc.property(fc.nat(2), fc.constantFrom(1 as const, -1 as const), (at, by) => {
        const clientId = ids[at] ?? "";
        const before = stepPlace(ids, clientId, by);
        if (before === undefined) return;
        const there = withMoves(entries(...ids), [{ clientId, before }]).map((each) => each.clientId);
        expect(there.indexOf(clientId)).toBe(at + by);
        const back = stepPlace(there, clientId, by === 1 ? -1 : 1) ?? null;
        expect(order(withMoves(entries(...there), [{ clientId, before: back }]))).toBe("abc");
      }),
    );
  });
});

describe("a row that is dragged", () => {
  const rows = ["a", "b", "c"].map((clientId, at) => ({ clientId, top: at * 40, bottom: at * 40 + 36 }));
  const dropped = (dragged: string, y: number) =>
    order(withMoves(rows, [{ clientId: dragged, before: dropPlace(rows, dragged, y) }]));

  test("takes the place of the row whose middle it is let go at, from above and from below", () => {
    expect(dropped("a", 98)).toBe("bca");
    expect(dropped("a", 58)).toBe("bac");
    expect(dropped("c", 18)).toBe("cab");
    expect(dropped("c", 58)).toBe("acb");
  });

  test("before the middle of its neighbour it stays where it is", () => {
    expect(dropped("a", 30)).toBe("abc");
    expect(dropped("a", 50)).toBe("abc");
    expect(dropped("c", 70)).toBe("abc");
    expect(standsThere(["a", "b", "c"], "a", dropPlace(rows, "a", 30))).toBe(true);
    expect(standsThere(["a", "b", "c"], "c", dropPlace(rows, "c", 90))).toBe(true);
  });

  test("above and below the list it comes to its ends", () => {
    expect(dropped("b", -500)).toBe("bac");
    expect(dropped("b", 500)).toBe("acb");
  });

  test("the first is taken up under the drag: the place is found among those that are left", () => {
    const left = rows.slice(1);
    const shown = withMoves(left, [{ clientId: "c", before: dropPlace(left, "c", 41) }]);
    expect(order(shown)).toBe("cb");
  });
});

describe("the same place in a list that has changed", () => {
  test("is before the next one that was meant to follow and is still there", () => {
    expect(samePlace(["a", "x", "b", "c"], "x", ["a", "b", "c"])).toBe("b");
    expect(samePlace(["a", "x", "b", "c"], "x", ["a", "c"])).toBe("c");
    expect(samePlace(["a", "x", "b", "c"], "x", ["c", "a", "b"])).toBe("b");
  });

  test("is the end when none of those is left", () => {
    expect(samePlace(["a", "x", "b"], "x", ["a", "new"])).toBeNull();
    expect(samePlace(["a", "x"], "x", ["a"])).toBeNull();
  });
});
