import { expect, test } from "vitest";
import { readNumber, stepped } from "./bounds";

const memory = { least: 24, most: 1_024, unit: "MiB" };
const time = { least: 0.1, most: 3_600, digits: 1, unit: "seconds" };

test("a number within its bounds is taken, however it is written", () => {
  expect(readNumber(" 64 ", memory)).toEqual({ ok: true, value: 64 });
  expect(readNumber("1,024", memory)).toEqual({ ok: true, value: 1_024 });
  expect(readNumber("0,3", time)).toEqual({ ok: true, value: 0.3 });
  expect(readNumber(".5", time)).toEqual({ ok: true, value: 0.5 });
});

test("what cannot be set is never bent into what can: what can be is said", () => {
  const range = "From 24 to 1,024 MiB";
  expect(readNumber("5", memory)).toEqual({ ok: false, said: `${range} can be set.` });
  expect(readNumber("1e9", memory)).toEqual({ ok: false, said: `A number is wanted here. ${range}.` });
  expect(readNumber("", memory)).toEqual({ ok: false, said: `A number is wanted here. ${range}.` });
  expect(readNumber("64.4", memory)).toEqual({ ok: false, said: `Only whole numbers can be set. ${range}.` });
  expect(readNumber("0.26", time)).toMatchObject({ ok: false });
});

test("a step stays within bounds", () => {
  expect(stepped(1_020, 16, memory)).toBe(1_024);
  expect(stepped(0.1, -5, time)).toBe(0.1);
  expect(stepped(0.1, 0.2, time)).toBe(0.3);
});
