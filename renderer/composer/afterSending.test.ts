import { expect, test } from "vitest";
import { afterSending, withoutSent } from "./afterSending";
import { image, mention } from "./testMain";

test("only what was typed since stays", () => {
  expect(afterSending("hello", "hello")).toBe("");
  expect(afterSending("hello you", "hello")).toBe(" you");
  expect(afterSending("well, hello", "hello")).toBe("well, ");
});

test("what was changed in the middle stays as it is: nothing typed is lost", () => {
  expect(afterSending("hel-lo", "hello")).toBe("hel-lo");
  expect(afterSending("", "hello")).toBe("");
});

test("what was attached since stays", () => {
  expect(withoutSent([image, mention], [image])).toEqual([mention]);
  const same = [mention];
  expect(withoutSent(same, [])).toBe(same);
});
