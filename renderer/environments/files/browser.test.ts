import { describe, expect, it } from "vitest";
import type { EnvironmentEntry } from "../../../preload/contract/environments";
import { unreachable } from "../testEnvironments";
import {
  answeredBy,
  type Browser,
  fileNotRead,
  fileRead,
  folderElsewhere,
  type Listing,
  listed,
  needsReread,
  newBrowser,
  notListed,
  reading,
  readingFile,
} from "./browser";

const entry = (name: string, kind: EnvironmentEntry["kind"] = "file"): EnvironmentEntry => ({
  name,
  path: `/work/${name}`,
  kind,
});
const listing = (path: string, ...entries: EnvironmentEntry[]): Listing => ({
  path,
  parent: "/",
  entries,
  more: 0,
  named: null,
});
const content = (text: string) => ({ text, left: null, bytes: text.length, modifiedAtMs: 0 });
const read = (browser: Browser, folder: Listing, focus: string | null = null) =>
  listed(reading(browser, 1, folder.path, focus), 1, folder, 7);

describe("a folder", () => {
  it("has its folders first, and numbers in their order", () => {
    const { listing: shown } = read(
      newBrowser,
      listing("/work", entry("file-10"), entry("file-9"), entry("zeta", "folder"), entry("Alpha", "folder")),
    );
    expect(shown?.entries.map(({ name }) => name)).toEqual(["Alpha", "zeta", "file-9", "file-10"]);
  });

  it("is the one that was asked for last, whichever answer comes first", () => {
    const asked = reading(reading(newBrowser, 1, "/a", null), 2, "/b", null);
    const late = listed(asked, 1, listing("/a"), 7);
    expect(late).toBe(asked);
    expect(notListed(asked, 1, unreachable)).toBe(asked);
    const shown = listed(late, 2, listing("/b"), 7);
    expect(shown.listing?.path).toBe("/b");
    // And once it is there, an answer to what was asked before changes nothing.
    expect(listed(shown, 1, listing("/a"), 7)).toBe(shown);
  });

  it("stays in view while another is read, and when that fails", () => {
    const shown = read(newBrowser, listing("/work", entry("a")));
    const failed = notListed(reading(shown, 2, "/secret", null), 2, unreachable);
    expect(failed.listing).toBe(shown.listing);
    expect(failed.folder).toEqual({ phase: "failed", path: "/secret", fault: unreachable });
  });

  it("has the keyboard on the folder that one came up from, or else on its first entry", () => {
    const folder = listing("/work", entry("a", "folder"), entry("b", "folder"));
    expect(read(newBrowser, folder, "/work/b").active).toBe("/work/b");
    expect(read(newBrowser, folder, "/work/gone").active).toBe("/work/a");
    expect(read(newBrowser, listing("/work")).active).toBeNull();
  });

  it("has the keyboard on the file that was named instead of it", () => {
    const folder = { ...listing("/work", entry("a"), entry("b")), named: entry("b") };
    expect(read(newBrowser, folder, "/work/a").active).toBe("/work/b");
  });

  it("that could not be read is not spoken of any more once a file could", () => {
    const failed = notListed(reading(newBrowser, 1, "/secret", null), 1, unreachable);
    const opened = readingFile(failed, 2, entry("a"));
    expect(fileNotRead(opened, 2, unreachable).folder.phase).toBe("failed");
    expect(fileRead(opened, 2, content("A")).folder.phase).toBe("settled");
  });

  it("keeps the keyboard where it was when it is read again", () => {
    const folder = listing("/work", entry("a"), entry("b"));
    const shown = { ...read(newBrowser, folder), active: "/work/b" };
    expect(read(shown, folder).active).toBe("/work/b");
  });
});

describe("a file", () => {
  it("is the one that was opened last, whichever answer comes first", () => {
    const asked = readingFile(readingFile(newBrowser, 1, entry("a")), 2, entry("b"));
    expect(fileRead(asked, 1, content("A"))).toBe(asked);
    expect(fileNotRead(asked, 1, unreachable)).toBe(asked);
    expect(fileRead(asked, 2, content("B")).file).toMatchObject({ name: "b", phase: "read" });
  });

  it.each([
    ["/work/a", "/work", null],
    ["/work/a", "/", "/work"],
    ["/a", "/", null],
    ["/a", "/work", "/"],
    ["C:\\a", "C:\\", null],
    ["C:\\work\\a", "C:\\work", null],
    ["C:\\work\\a", "C:\\", "C:\\work"],
  ])("%s beside the folder %s says that it is in %s", (path, shown, folder) => {
    const { file } = readingFile(newBrowser, 1, { path, name: "a" });
    expect(file && folderElsewhere(file, shown)).toBe(folder);
  });

  it("that was closed meanwhile stays closed", () => {
    const closed = { ...readingFile(newBrowser, 1, entry("a")), file: null };
    expect(fileRead(closed, 1, content("A"))).toBe(closed);
  });

  it("stays in view while it is read again, and no other", () => {
    const shown = fileRead(readingFile(newBrowser, 1, entry("a")), 1, content("A"));
    expect(readingFile(shown, 2, entry("a")).file).toMatchObject({ before: content("A") });
    expect(readingFile(shown, 2, entry("b")).file).toMatchObject({ before: null });
  });
});

describe("what is shown is read again", () => {
  const shown = read(newBrowser, listing("/work", entry("a")));
  const here = { session: 7, replaced: false };

  it("once its executor was restarted or replaced, also under the same name, and not over the same session", () => {
    expect(needsReread(shown, here)).toBe(false);
    expect(needsReread(shown, { session: null, replaced: false })).toBe(false);
    expect(needsReread(shown, { session: null, replaced: true })).toBe(true);
    expect(needsReread(shown, { session: 8, replaced: false })).toBe(true);
  });

  it("also where it could not be read, and not while it is being read", () => {
    const asked = reading(newBrowser, 1, "/work", null);
    expect(needsReread(asked, { session: null, replaced: true })).toBe(false);
    expect(needsReread(notListed(asked, 1, unreachable), { session: null, replaced: true })).toBe(true);
    expect(needsReread(newBrowser, { session: null, replaced: true })).toBe(false);
  });

  it("of a session that was told of after the answer", () => {
    const early = listed(reading(newBrowser, 1, "/work", null), 1, listing("/work"), null);
    expect(needsReread(early, here)).toBe(false);
    const told = answeredBy(early, 7);
    expect(needsReread(told, here)).toBe(false);
    expect(needsReread(told, { session: 8, replaced: false })).toBe(true);
    expect(answeredBy(told, 8)).toBe(told);
  });
});
