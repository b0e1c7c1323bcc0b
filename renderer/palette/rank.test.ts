import { describe, expect, it } from "vitest";
import { fitness, rank, ranked } from "./rank";

const words = (text: string) => text;
const best = (values: string[], typed: string, most: number) => rank(values, typed, words, most);

describe("what fits best", () => {
  it("is what starts with it", () => {
    expect(best(["Show the log", "Log out", "Catalogue"], "log", 9)).toEqual([
      "Log out",
      "Show the log",
      "Catalogue",
    ]);
  });

  it("is found by the starts of its words", () => {
    expect(best(["Next pane, in the list", "New thread", "Open the tunnel"], "nt", 1)).toEqual([
      "New thread",
    ]);
  });

  it("has every word that was typed, whatever the case and the order", () => {
    expect(fitness("New thread", "NEW thr")).toBeGreaterThan(0);
    expect(fitness("New thread", "thread new")).toBeGreaterThan(0);
    expect(fitness("New thread", "old thread")).toBe(0);
    expect(fitness("Theme: dark", "dark mode", "appearance mode")).toBeGreaterThan(0);
  });

  it("is no letters that only happen to come in order", () => {
    for (const [words, typed] of [
      ["New thread", "thn"],
      ["Show or hide the inspector", "sit"],
      ["Search in all threads: settings again", "sign"],
      ["Run the script", "rip x"],
    ] as const)
      expect(fitness(words, typed), `${typed} in ${words}`).toBe(0);
    // Two letters within a word are everywhere.
    expect(fitness("Show the log", "og")).toBe(0);
    expect(fitness("Workflow", "flow")).toBeGreaterThan(0);
  });

  it("is a whole word before the start of one, that before the middle of one, and all of them before initials", () => {
    const values = ["Set in lead", "Resilient", "Silence it", "It is sil"];
    expect(best(values, "sil", 9)).toEqual(["It is sil", "Silence it", "Resilient", "Set in lead"]);
  });

  it("leaves the noise out", () => {
    expect(best(["Rename thread", "Drag, then save where all end"], "rename", 9)).toEqual(["Rename thread"]);
  });

  it("is everything, in its own order, when nothing was typed", () => {
    expect(best(["b", "a", "c"], "", 2)).toEqual(["b", "a"]);
  });

  it("counts words beside it for less", () => {
    const values = [
      { title: "Settings", beside: "theme" },
      { title: "Theme: dark", beside: "" },
    ];
    const found = ranked(values, "theme", (each) => each.title, { most: 9, besideOf: (each) => each.beside });
    expect(found.map(({ value }) => value.title)).toEqual(["Theme: dark", "Settings"]);
  });

  it("is what was used of late, among what fits as well", () => {
    const found = ranked(["Go to a", "Go to b", "Nothing"], "go", words, {
      most: 9,
      bonusOf: (text) => (text === "Nothing" ? 50 : text.endsWith("b") ? 2 : 0),
    });
    expect(found.map(({ value }) => value)).toEqual(["Go to b", "Go to a"]);
  });

  it("is found with one mistake in a word, where that is allowed", () => {
    const found = (typed: string, loosely = true) =>
      ranked(["Settings of the terminal", "New thread"], typed, words, { most: 9, loosely }).map(
        ({ value }) => value,
      );
    for (const typed of [
      "setings",
      "settigns",
      "treminal",
      "terminl",
      "terminaal",
      "tetminal",
      "settngs temrinal",
    ]) {
      expect(found(typed), typed).toEqual(["Settings of the terminal"]);
      expect(found(typed, false), typed).toEqual([]);
    }
    for (const typed of ["sretings", "teminaal", "nwe", "sting"]) expect(found(typed), typed).toEqual([]);
  });

  it("is found among ten thousand", () => {
    const titles = Array.from(
      { length: 10_000 },
      (_, at) => `Look into the failing test number ${at} of the limiter`,
    );
    expect(best(titles, "number 7777", 1)).toEqual(["Look into the failing test number 7777 of the limiter"]);
  });
});
