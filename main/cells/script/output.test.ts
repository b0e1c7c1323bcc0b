import { describe, expect, test } from "vitest";
import type { OutputItem } from "../runtime/cellEvents";
import { itemBytes } from "../runtime/limits";
import { Output } from "./output";

function makeOutput(limitBytes = 1_000_000) {
  const sent: OutputItem[][] = [];
  const time = { nowMs: 0 };
  const output = new Output(
    limitBytes,
    () => time.nowMs,
    (items) => sent.push(items),
  );
  const add = (text: string) => output.add({ type: "text", text });
  const texts = () => sent.map((items) => items.map((item) => (item.type === "text" ? item.text : "")));
  return { output, time, add, texts };
}

describe("what a script writes", () => {
  test("goes out at once", () => {
    const { add, texts } = makeOutput();
    add("a");
    add("b");
    expect(texts()).toEqual([["a"], ["b"]]);
  });

  test("is gathered when it is written without pause, and goes out with the next moment", () => {
    const { output, time, add, texts } = makeOutput();
    for (let count = 0; count < 100; count += 1) add(String(count));
    expect(texts()).toHaveLength(16);
    time.nowMs = 15;
    output.flushWhenDue();
    expect(texts()).toHaveLength(16);
    time.nowMs = 16;
    output.flushWhenDue();
    expect(texts()).toHaveLength(17);
    expect(texts().flat()).toEqual(Array.from({ length: 100 }, (_, index) => String(index)));
  });

  test("goes out whole when the script waits or ends", () => {
    const { output, add, texts } = makeOutput();
    for (let count = 0; count < 100; count += 1) add(String(count));
    output.flush();
    output.flush();
    expect(texts()).toHaveLength(17);
    expect(texts().flat()).toHaveLength(100);
  });

  test("is refused above the limit; what is smaller still fits", () => {
    const { add, texts } = makeOutput(2 * itemBytes + 10);
    expect(add("12345")).toBe(true);
    expect(add("123456")).toBe(false);
    expect(add("é123")).toBe(true);
    expect(add("")).toBe(false);
    expect(texts()).toEqual([["12345"], ["é123"]]);
  });
});
