import { describe, expect, it } from "vitest";
import { groupsOf, recentOnes, source, withRecent } from "./entries";

const words = (heading: string, values: string[], more: object = {}) =>
  source<string>({
    heading,
    values,
    titleOf: (value) => value,
    idOf: (value) => `${heading} ${value}`,
    entryOf: (value) => ({ id: `${heading} ${value}`, title: value, look: null }),
    most: 3,
    ...more,
  });
const titles = (groups: ReturnType<typeof groupsOf>) =>
  groups.map(({ heading, entries }) => `${heading}: ${entries.map(({ title }) => title).join(", ")}`);

describe("the groups of the palette", () => {
  it("stand in the order of what fits best", () => {
    const sources = [words("Commands", ["Copy the log"]), words("Threads", ["Log out of it"])];
    expect(titles(groupsOf(sources, "log", []))).toEqual([
      "Threads: Log out of it",
      "Commands: Copy the log",
    ]);
    expect(groupsOf(sources, "zzz", [])).toEqual([]);
  });

  it("keep their order while nothing is typed, with what is worth showing at first", () => {
    const sources = [
      words("Runs", ["a"]),
      words("Threads", ["b", "c"], { atFirst: ["c"], headingAtFirst: "Recent threads" }),
    ];
    expect(titles(groupsOf(sources, "", []))).toEqual(["Recent threads: c"]);
  });

  it("have what was used of late before what fits as well", () => {
    const sources = [words("Commands", ["Show one", "Show two", "Show six", "Show ten"])];
    expect(titles(groupsOf(sources, "show", ["Commands Show ten", "Commands Show two"]))).toEqual([
      "Commands: Show ten, Show two, Show one",
    ]);
  });

  it("have what has changed last before what fits as well", () => {
    const values = ["Fix the test one", "Fix the test two", "Fix the test six"];
    expect(titles(groupsOf([words("Threads", values, { recentFirst: true })], "fix", []))).toEqual([
      `Threads: ${values.join(", ")}`,
    ]);
  });
});

it("what was chosen last is remembered, each once and not for ever", () => {
  expect(withRecent(["a", "b"], "b")).toEqual(["b", "a"]);
  const many = Array.from({ length: 30 }, (_, at) => `${at}`).reduce<readonly string[]>(withRecent, []);
  expect(many).toHaveLength(20);
  expect(many[0]).toBe("29");
  expect(recentOnes(["a", "b", "c"], ["c", "x", "b"], (value) => value)).toEqual(["c", "b", "a"]);
});
