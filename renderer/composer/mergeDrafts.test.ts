import fc from "fast-check";
import { expect, test } from "vitest";
import { mergeDrafts, textChange } from "./mergeDrafts";
import { image, mention } from "./testMain";

const merged = (base: string, mine: string, theirs: string) => {
  const contents = (text: string) => ({ text, attachments: [] });
  const { text, bothKept } = mergeDrafts(contents(base), contents(mine), contents(theirs));
  return bothKept ? { both: text } : text;
};

test("changes apart from each other are both made", () => {
  expect(merged("one two", "zero one two", "one two three")).toBe("zero one two three");
  expect(merged("one two", "one two three", "zero one two")).toBe("zero one two three");
  expect(merged("hello", "", "hello there")).toBe(" there");
  expect(merged("a b c", "b c", "a b")).toBe("b");
});

test("changes of the same place are both kept, this window's first", () => {
  expect(merged("", "mine", "theirs")).toEqual({ both: "mine\ntheirs" });
  expect(merged("say x now", "say mine now", "say theirs now")).toEqual({ both: "say mine\ntheirs now" });
});

test("the same change twice, or one that has the other in it, is made once", () => {
  expect(merged("", "same", "same")).toBe("same");
  expect(merged("", "hello there", "hello")).toBe("hello there");
  expect(merged("a word", "", "a longer word")).toBe("a longer word");
});

test("a change never cuts a character in two", () => {
  const [grin, joy] = ["\u{1f600}", "\u{1f602}"];
  expect(textChange(`a${grin}b`, `a${joy}b`)).toEqual({ start: 1, end: 3, inserted: joy });
  expect(textChange("\u{1f600}", "\u{1fa00}")).toEqual({ start: 0, end: 2, inserted: "\u{1fa00}" });
});

test("attachments that either added are there, and those that either took off are not", () => {
  const contents = (...attachments: (typeof image)[]) => ({ text: "", attachments });
  const other = { ...image, path: "/keep/dog.png" };
  expect(mergeDrafts(contents(image), contents(image, mention), contents(image, other)).attachments).toEqual([
    image,
    other,
    mention,
  ]);
  expect(mergeDrafts(contents(image), contents(), contents(image, other)).attachments).toEqual([other]);
});

test("whatever both wrote, what either added is in the result, and with one change it is that one's", () => {
  const word = fc.stringMatching(/^[a-z ]{0,8}$/);
  fc.assert(
    fc.property(word, word, word, fc.nat(24), fc.nat(24), (base, mine, theirs, a, b) => {
      const put = (at: number, text: string) => base.slice(0, at) + text + base.slice(at);
      const own = put(a % (base.length + 1), `<${mine}>`);
      const other = put(b % (base.length + 1), `[${theirs}]`);
      const both = merged(base, own, other);
      const text = typeof both === "string" ? both : both.both;
      expect(text).toContain(`<${mine}>`);
      expect(text).toContain(`[${theirs}]`);
      expect(merged(base, own, base)).toBe(own);
      expect(merged(base, base, other)).toBe(other);
    }),
  );
});
