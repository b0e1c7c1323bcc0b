// Every command is on the sheet, and no key means two things in one place.

import { beforeAll, describe, expect, it, vi } from "vitest";
import type { SheetSection } from "./sheet";

let sections: (wanted: string) => SheetSection[];
let all: SheetSection[];
let commands: readonly import("./command").Command[];
let groups: readonly string[];
let slashes: readonly import("../composer/slash").SlashCommand[];

beforeAll(async () => {
  // The commands reach stores that belong to a window.
  const page = {
    addEventListener() {},
    removeEventListener() {},
    matchMedia: () => ({ matches: false, addEventListener() {} }),
  };
  vi.stubGlobal("window", page);
  vi.stubGlobal("document", { addEventListener() {}, hidden: false, documentElement: { dataset: {} } });
  const sheet = await import("./sheet");
  sections = sheet.sheetSections;
  all = sheet.allSections();
  groups = sheet.sheetGroups;
  commands = (await import("./commands")).commands;
  slashes = (await import("../composer/slash")).slashCommands;
  // All that the commands reach is read first, which takes its time on a busy machine.
});

describe("the commands", () => {
  it("are all on the sheet, each in its group", () => {
    for (const { title, group, shortcuts = [] } of commands) {
      expect(
        groups.filter((each) => each === group),
        title,
      ).toHaveLength(1);
      const row = all.find((section) => section.title === group)?.rows.find(({ words }) => words === title);
      expect(row?.keys, title).toEqual(shortcuts);
    }
  });

  it("have names and titles of their own", () => {
    expect(new Set(commands.map(({ id }) => id)).size).toBe(commands.length);
    expect(new Set(commands.map(({ title }) => title)).size).toBe(commands.length);
  });

  it("share no key", () => {
    const keys = commands.flatMap(({ shortcuts = [] }) => shortcuts.map(canonical));
    expect(keys.filter((key, at) => keys.indexOf(key) !== at)).toEqual([]);
  });

  it("that can be typed exist, and share no name", () => {
    const known = new Set(commands.map(({ id }) => id));
    expect(slashes.filter(({ commandId }) => !known.has(commandId))).toEqual([]);
  });
});

it("no place has one key for two things", () => {
  for (const { title, rows } of all) {
    const keys = rows.flatMap((row) => row.keys.map(canonical));
    expect(
      keys.filter((key, at) => keys.indexOf(key) !== at),
      title,
    ).toEqual([]);
    expect(new Set(rows.map(({ words }) => words)).size, title).toBe(rows.length);
  }
});

it("the sheet can be searched by action, place and key", () => {
  const found = (wanted: string) => sections(wanted).flatMap(({ rows }) => rows.map(({ words }) => words));
  expect(found("go to file")).toContain("Go to file");
  expect(found("ctrl+shift+f")).toContain("Search in all threads");
  expect(found("terminal leave")).toContain("Leave it: to its tab, to the next pane");
  expect(found("/review")).toContain("Review changes…");
  expect(found("nothing has these words")).toEqual([]);
});

function canonical(shortcut: string): string {
  const parts = shortcut.toLowerCase().split("+");
  const key = parts.pop() ?? "";
  return [...parts.sort(), key].join("+");
}
