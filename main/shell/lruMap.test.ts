import { describe, expect, it } from "vitest";
import { LruMap } from "./lruMap";

describe("a map with a bound", () => {
  it("forgets what has not been asked for longest", () => {
    const map = new LruMap<string>(6, (value) => value.length);
    map.set("a", "aa");
    map.set("b", "bb");
    map.set("c", "cc");
    map.get("a");
    map.set("d", "dd");
    expect(["a", "b", "c", "d"].map((key) => map.get(key))).toEqual(["aa", undefined, "cc", "dd"]);
  });

  it("does not take what is heavier than all it may hold, and forgets what was there under that name", () => {
    const map = new LruMap<string>(6, (value) => value.length);
    map.set("a", "aa");
    map.set("b", "bb");
    map.set("a", "a".repeat(7));
    expect([map.get("a"), map.get("b")]).toEqual([undefined, "bb"]);
  });

  it("counts a value that is replaced once", () => {
    const map = new LruMap<string>(6, (value) => value.length);
    for (let nth = 0; nth < 10; nth += 1) map.set("a", "aaa");
    map.set("b", "bbb");
    expect(map.get("a")).toBe("aaa");
  });
});
