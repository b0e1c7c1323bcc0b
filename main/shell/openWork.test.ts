import { describe, expect, it } from "vitest";
import { describeWork, questionAbout } from "./openWork";

describe("open work in words", () => {
  it("names the threads of each kind that there is", () => {
    expect(
      describeWork({
        running: ["Fix the build"],
        waiting: [],
        queued: ["A", "B"],
        scripts: [],
        terminals: [],
        endsWithApp: [],
        canKeep: true,
      }),
    ).toBe("Running: “Fix the build”.\nWith queued messages: “A”, “B”.");
    expect(
      describeWork({
        running: [],
        waiting: ["A"],
        queued: [],
        scripts: [],
        terminals: [],
        endsWithApp: [],
        canKeep: true,
      }),
    ).toBe("Waiting for you: “A”.");
  });

  it("stays short with many threads and long titles", () => {
    const running = Array.from({ length: 100 }, (_, nth) => `${nth} ${"x".repeat(500)}`);
    const words = describeWork({
      running,
      waiting: [],
      queued: [],
      scripts: [],
      terminals: [],
      endsWithApp: [],
      canKeep: false,
    });
    expect(words.length).toBeLessThan(350);
    expect(words).toContain("and 96 more");
    expect(words).toContain("None of it can go on without Holdfast.");
  });

  it("names what runs in terminals, which ends with Holdfast in any case", () => {
    const nothing = { running: [], waiting: [], queued: [], scripts: [], endsWithApp: [], canKeep: false };
    const one = { ...nothing, terminals: ["make\n  all"] };
    expect(describeWork(one)).toBe("In terminals, which end with Holdfast: “make all”.");
    expect(questionAbout(one)).toBe("A terminal is still running. Stop it and quit?");
    const two = { ...nothing, terminals: ["make all", "a shell"] };
    expect(questionAbout(two)).toBe("Terminals are still running. Stop them and quit?");
    expect(questionAbout({ ...two, scripts: ["Review"] })).toBe(
      "Scripts and terminals are still running. Stop them and quit?",
    );
    expect(describeWork({ ...two, running: ["Fix the build"], canKeep: true })).toContain(
      "In terminals, which end with Holdfast: “make all”, “a shell”.",
    );
  });

  it("names the scripts, which end with Holdfast in any case", () => {
    const nothing = { running: [], waiting: [], queued: [], scripts: [], terminals: [], endsWithApp: [] };
    const script = { ...nothing, scripts: ["Review"], canKeep: false };
    expect(describeWork(script)).toBe("Scripts, which end with Holdfast: “Review”.");
    expect(questionAbout(script)).toBe("A script is still running. Stop it and quit?");
    expect(questionAbout({ ...script, scripts: ["A", "B"] })).toBe(
      "Scripts are still running. Stop them and quit?",
    );
    const both = { ...script, running: ["Fix the build"], canKeep: true };
    expect(describeWork(both)).toBe("Running: “Fix the build”.\nScripts, which end with Holdfast: “Review”.");
    expect(questionAbout(both)).toContain("Keep them running without Holdfast?");
  });
});
