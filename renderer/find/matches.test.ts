import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { Item } from "../../preload/contract/items";
import { agentItem } from "../state/testThread";
import {
  ConversationText,
  countWords,
  findMatches,
  folded,
  foldedPlaces,
  noMatches,
  placeAfter,
  step,
} from "./matches";

function conversation(...texts: string[]) {
  const items: Item[] = texts.map((text, index) => agentItem(`i${index}`, text));
  return { order: items.map(({ id }) => id), byId: Object.fromEntries(items.map((item) => [item.id, item])) };
}

const texts = new ConversationText();
const find = (copy: ReturnType<typeof conversation>, query: string) =>
  findMatches(copy, query, (item) => texts.of(item, undefined));

describe("finding in a conversation", () => {
  it("lists every place, in order, whatever the case", () => {
    const copy = conversation("Retry, retry", "none", "the RETRY");
    expect(find(copy, "retry").list).toEqual([
      { itemId: "i0", rowKey: "i0", nth: 0 },
      { itemId: "i0", rowKey: "i0", nth: 1 },
      { itemId: "i2", rowKey: "i2", nth: 0 },
    ]);
    expect(find(copy, "  ")).toBe(noMatches);
  });

  it.each([
    ["caf\u00e9", "cafe\u0301 au lait"],
    ["cafe\u0301", "un caf\u00e9"],
    ["istanbul", "\u0130stanbul"],
    ["\u03bf\u03b4\u03bf\u03c3", "\u039f\u0394\u039f\u03a3"],
    ["\u1112\u1161\u11ab\u1100\u1173\u11af", "\ud55c\uae00"],
    ["a b", "a\u00a0b"],
    ["👩‍💻", "x 👩‍💻 y"],
    ["שלום", "שלום עולם"],
    [".*[a-z]+$(", "as .*[a-z]+$( is"],
  ])("%j is in %j", (query, text) => expect(find(conversation(text), query).list).toHaveLength(1));

  it("knows where in the text as it is written a place of the compared one is", () => {
    const letters = fc.constantFrom(
      "a",
      "E",
      "e\u0301",
      "\u00e9",
      "\u0130",
      "👩‍💻",
      "\u1112\u1161\u11ab",
      "ς",
      "漢",
    );
    fc.assert(
      fc.property(fc.array(letters), fc.array(letters, { minLength: 1 }), fc.array(letters), (a, b, c) => {
        // A mark never joins what stands before the word.
        const [before, word, after] = [`${a.join("")}|`, `${b.join("")}|`, c.join("")];
        const { text, placeOf } = foldedPlaces(before + word + after);
        expect(text).toBe(folded(before + word + after));
        const at = folded(before).length;
        expect(placeOf(at)).toBe(before.length);
        expect(placeOf(at + folded(word).length)).toBe(before.length + word.length);
      }),
    );
  });

  it("names the row of a message by what it was sent as", () => {
    const user = { ...agentItem("u", "hello"), kind: "user" as const, clientId: "c", attachments: [] };
    const copy = { order: ["u"], byId: { u: user } };
    expect(findMatches(copy, "hello", () => "hello").list).toEqual([
      { itemId: "u", rowKey: "you:c", nth: 0 },
    ]);
  });

  it("stops counting somewhere, and says so", () => {
    const many = find(conversation("a".repeat(6_000)), "a");
    expect(many.list).toHaveLength(5_000);
    expect(countWords("a", 2, many)).toBe("3 of 5,000+");
  });

  it("reads an item again only when it has changed", () => {
    let reads = 0;
    const item = agentItem("a", "words");
    Object.defineProperty(item, "text", {
      get() {
        reads += 1;
        return "words";
      },
    });
    const text = new ConversationText();
    text.of(item, "/a");
    text.of(item, "/a");
    expect(reads).toBe(1);
    text.of(item, "/b");
    expect(reads).toBe(2);
  });
});

describe("where one is", () => {
  it("stays the same place when more has come before and behind it", () => {
    const before = find(conversation("x", "x x", "x"), "x");
    const here = before.list[2] ?? null;
    const copy = conversation("x x x", "x x", "x", "x");
    const after = find(copy, "x");
    expect(after.list[placeAfter(here, after, copy.order, null)]).toEqual(here);
  });

  it("is the nearest behind it when that is gone, and the last when there is none behind", () => {
    const copy = conversation("x", "y", "x");
    const matches = find(copy, "x");
    expect(placeAfter({ itemId: "i1", rowKey: "i1", nth: 0 }, matches, copy.order, null)).toBe(1);
    expect(placeAfter(null, matches, copy.order, "i2")).toBe(1);
    const only = conversation("x", "y");
    expect(placeAfter(null, find(only, "x"), only.order, "i1")).toBe(0);
    expect(placeAfter(null, noMatches, only.order, null)).toBe(-1);
  });

  it("goes round, one at a time", () => {
    expect([step(-1, 1, 3), step(2, 1, 3), step(0, -1, 3), step(-1, -1, 3), step(0, 1, 0)]).toEqual([
      0, 0, 2, 2, -1,
    ]);
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 50 }), fc.nat(), (count, begin) => {
        let at = begin % count;
        for (let times = 0; times < count; times += 1) at = step(at, 1, count);
        expect(at).toBe(begin % count);
        expect(step(step(at, 1, count), -1, count)).toBe(at);
      }),
    );
  });
});

it("is said in words", () => {
  const matches = find(conversation("x", "x"), "x");
  expect(countWords("", -1, noMatches)).toBe("");
  expect(countWords("q", -1, noMatches)).toBe("No matches");
  expect(countWords("x", 1, matches)).toBe("2 of 2");
});
