// The end of a run's output.

import { expect, test } from "vitest";
import { OutputTail } from "./outputTail";

const text = (length: number) => ({ type: "text" as const, text: "x".repeat(length) });

test("is all of a short output", () => {
  const tail = new OutputTail();
  tail.add([text(1), { type: "image", dataUrl: "data:image/png;base64,AA" }]);
  tail.add([]);
  expect([tail.total, tail.first, tail.items.length]).toEqual([2, 0, 2]);
});

test("is bounded in bytes, and counts what is not here any more", () => {
  const tail = new OutputTail();
  for (let nth = 0; nth < 100; nth += 1) tail.add([text(20_000 - 32)]);
  expect([tail.total, tail.items.length, tail.first]).toEqual([100, 26, 74]);
  // The last item is shown whatever its size.
  tail.add([text(2_000_000)]);
  expect([tail.total, tail.items.length, tail.first]).toEqual([101, 1, 100]);
  tail.add([text(1)]);
  expect([tail.total, tail.items.length, tail.first]).toEqual([102, 1, 101]);
});
