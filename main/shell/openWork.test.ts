import { describe, expect, it } from "vitest";
import { describeWork } from "./openWork";

describe("open work in words", () => {
  it("names the threads of each kind that there is", () => {
    expect(
      describeWork({
        running: ["Fix the build"],
        waiting: [],
        queued: ["A", "B"],
        endsWithApp: [],
        canKeep: true,
      }),
    ).toBe("Running: “Fix the build”.\nWith queued messages: “A”, “B”.");
    expect(describeWork({ running: [], waiting: ["A"], queued: [], endsWithApp: [], canKeep: true })).toBe(
      "Waiting for you: “A”.",
    );
  });

  it("stays short with many threads and long titles", () => {
    const running = Array.from({ length: 100 }, (_, nth) => `${nth} ${"x".repeat(500)}`);
    const words = describeWork({ running, waiting: [], queued: [], endsWithApp: [], canKeep: false });
    expect(words.length).toBeLessThan(350);
    expect(words).toContain("and 96 more");
    expect(words).toContain("None of it can go on without Holdfast.");
  });
});
