import { expect, test } from "vitest";
import { slashAt, slashCommands, slashMatches } from "./slash";

test("a slash and a name, and nothing else, ask for a command", () => {
  expect(slashAt("/", 1)).toBe("");
  expect(slashAt("/re", 3)).toBe("re");
  expect(slashAt("/Export-J", 9)).toBe("export-j");
});

test("a path, a sentence and a caret elsewhere ask for none", () => {
  for (const text of ["/usr/bin", "/re view", " /re", "a /re", "/re\nmore", "//", "/2"])
    expect(slashAt(text, text.length), text).toBe(null);
  expect(slashAt("/re", 0)).toBe(null);
});

test("what begins so comes first; what cannot be done now is left out", () => {
  const all = () => true;
  expect(slashMatches("", all)).toEqual(slashCommands);
  expect(slashMatches("re", all).map(({ name }) => name)).toEqual([
    "review",
    "rename",
    "edit",
    "search",
    "worktree",
  ]);
  expect(slashMatches("new", (id) => id !== "new-thread")).toEqual([]);
  expect(new Set(slashCommands.map(({ name }) => name)).size).toBe(slashCommands.length);
});

test("the names that the codex CLI has lead to what does the same here", () => {
  const first = (query: string) => slashMatches(query, () => true)[0]?.name;
  const known = {
    clear: "new",
    diff: "changes",
    status: "usage",
    mcp: "mcp",
    resume: "search",
    exit: "quit",
    logout: "login",
    permissions: "approvals",
    yolo: "sandbox",
  };
  for (const [theirs, ours] of Object.entries(known)) expect(first(theirs), theirs).toBe(ours);
});

test("no name is another's, too", () => {
  const all = slashCommands.flatMap(({ name, also = [] }) => [name, ...also]);
  expect(new Set(all).size).toBe(all.length);
});
