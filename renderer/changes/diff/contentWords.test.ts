import { expect, test } from "vitest";
import { bytesWords, sizeWords } from "./contentWords";

test("sizes are said as people say them", () => {
  expect([1, 1023, 1024, 15_000, 3 * 1024 * 1024].map(sizeWords)).toEqual([
    "1 byte",
    "1023 bytes",
    "1.0 KiB",
    "15 KiB",
    "3.0 MiB",
  ]);
});

test("what was and what is", () => {
  expect(bytesWords(10, 20)).toBe("It had 10 bytes and has 20 bytes now.");
  expect(bytesWords(null, 20)).toBe("It has 20 bytes.");
  expect(bytesWords(10, null)).toBe("It had 10 bytes.");
  expect(bytesWords(10, 10)).toBe("It has 10 bytes, as before.");
});
