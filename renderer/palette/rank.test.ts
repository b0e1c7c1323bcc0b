import { describe, expect, it } from "vitest";
import { fitness, rank } from "./rank";

const words = (text: string) => text;

describe("what fits best", () => {
  it("is what starts with it", () => {
    expect(rank(["Show the log", "Log out", "Catalogue"], "log", words, 9)).toEqual([
      "Log out",
      "Show the log",
      "Catalogue",
    ]);
  });

  it("is found by the starts of its words", () => {
    expect(rank(["Next pane, in the list", "New thread", "Open the tunnel"], "nt", words, 1)).toEqual([
      "New thread",
    ]);
  });

  it("has all letters in order, whatever the case and the blanks", () => {
    expect(fitness("New thread", "NEW thr")).toBeGreaterThan(0);
    expect(fitness("New thread", "thn")).toBe(0);
    expect(fitness("New thread", "xyz")).toBe(0);
  });

  it("leaves the noise out", () => {
    expect(rank(["Rename thread", "Drag, then save where all end"], "rename", words, 9)).toEqual([
      "Rename thread",
    ]);
  });

  it("is everything, in its own order, when nothing was typed", () => {
    expect(rank(["b", "a", "c"], "", words, 2)).toEqual(["b", "a"]);
  });

  it("counts words beside it for less", () => {
    const values = [
      { title: "Settings", beside: "theme" },
      { title: "Theme: dark", beside: "" },
    ];
    const found = rank(
      values,
      "theme",
      (each) => each.title,
      9,
      (each) => each.beside,
    );
    expect(found.map((each) => each.title)).toEqual(["Theme: dark", "Settings"]);
  });
});
