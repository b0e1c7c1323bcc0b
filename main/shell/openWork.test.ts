import { describe, expect, it } from "vitest";
import type { OpenWork } from "./lifecycle";
import { answerOnRecord, describeWork, questionAbout } from "./openWork";

const nothing: OpenWork = {
  running: [],
  waiting: [],
  queued: [],
  scripts: [],
  terminals: [],
  commands: [],
  commandsToKeep: [],
  keptMinutes: 10,
  endsWithApp: [],
  canKeep: false,
};

describe("open work in words", () => {
  it("names the threads of each kind that there is", () => {
    expect(
      describeWork({
        running: ["Fix the build"],
        waiting: [],
        queued: ["A", "B"],
        scripts: [],
        commands: [],
        commandsToKeep: [],
        keptMinutes: 10,
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
        commands: [],
        commandsToKeep: [],
        keptMinutes: 10,
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
      commands: [],
      commandsToKeep: [],
      keptMinutes: 10,
      terminals: [],
      endsWithApp: [],
      canKeep: false,
    });
    expect(words.length).toBeLessThan(350);
    expect(words).toContain("and 96 more");
    expect(words).toContain("None of it can go on without Holdfast.");
  });

  it("names what runs in terminals, which ends with Holdfast in any case", () => {
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
    const script = { ...nothing, scripts: ["Review"] };
    expect(describeWork(script)).toBe("Scripts, which end with Holdfast: “Review”.");
    expect(questionAbout(script)).toBe("A script is still running. Stop it and quit?");
    expect(questionAbout({ ...script, scripts: ["A", "B"] })).toBe(
      "Scripts are still running. Stop them and quit?",
    );
    const both = { ...script, running: ["Fix the build"], canKeep: true };
    expect(describeWork(both)).toBe("Running: “Fix the build”.\nScripts, which end with Holdfast: “Review”.");
    expect(questionAbout(both)).toContain("Keep them running without Holdfast?");
  });

  it("names the commands that agents have left running, and says which of them can go on", () => {
    const left = { ...nothing, commands: ["npm run dev"] };
    expect(describeWork(left)).toBe("Commands left running, which end with Holdfast: “npm run dev”.");
    expect(questionAbout(left)).toBe("A command is still running. Stop it and quit?");
    expect(questionAbout({ ...left, commands: ["a", "b"], scripts: ["A"], terminals: ["c"] })).toBe(
      "Scripts, terminals and commands are still running. Stop them and quit?",
    );
    const kept = { ...nothing, commandsToKeep: ["make watch"], canKeep: true };
    expect(describeWork(kept)).toBe(
      "Commands left running, which can go on until no agent has been at work for 10 minutes: “make watch”.",
    );
    expect(describeWork({ ...kept, keptMinutes: 1 })).toContain("at work for a minute:");
    expect(describeWork({ ...kept, keptMinutes: 0.05 })).toContain("at work for 3 seconds:");
    expect(describeWork({ ...kept, keptMinutes: 0 })).toContain(
      "as long as an agent is at work beside them:",
    );
    expect(questionAbout(kept)).toBe("A command is still running. Keep it running without Holdfast?");
    expect(questionAbout({ ...kept, commandsToKeep: ["a", "b"] })).toBe(
      "Commands are still running. Keep them running without Holdfast?",
    );
    expect(questionAbout({ ...kept, terminals: ["c"] })).toBe(
      "Terminals and commands are still running. Keep the commands running without Holdfast?",
    );
    const beside = { ...kept, running: ["Fix the build"] };
    expect(questionAbout(beside)).toBe("Agents are still at work. Keep them running without Holdfast?");
    for (const work of [kept, beside]) {
      expect(answerOnRecord("keep", work)).toBe("keep");
      expect(answerOnRecord("stop", work), "it would be cut off").toBeNull();
    }
    expect(answerOnRecord("stop", left), "it would be cut off").toBeNull();
    expect(answerOnRecord("stop", { ...nothing, running: ["Fix the build"], canKeep: true })).toBe("stop");
  });
});
