import {
  chmodSync,
  mkdirSync,
  mkdtempSync,
  realpathSync,
  renameSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { ManualClock } from "../clock";
import { folderState, openFolder } from "./folder";

let root: string;

beforeEach(() => {
  root = realpathSync(mkdtempSync(join(tmpdir(), "holdfast-folder-")));
});

afterEach(() => {
  rmSync(root, { recursive: true });
});

const isRoot = process.getuid?.() === 0;

describe("opening a folder", () => {
  it("gives its real path, links resolved", async () => {
    mkdirSync(join(root, "real é"));
    symlinkSync(join(root, "real é"), join(root, "link"));
    expect(await openFolder(join(root, "real é"))).toBe(join(root, "real é"));
    expect(await openFolder(join(root, "link"))).toBe(join(root, "real é"));
    expect(await openFolder(join(root, "link", "..", "link", "."))).toBe(join(root, "real é"));
  });

  it("works at the top of the file system", async () => {
    expect(await openFolder("/")).toBe("/");
  });

  it.each([
    ["nothing there", () => join(root, "none"), "folder_missing"],
    ["a file", () => join(root, "file"), "folder_not_a_folder"],
    ["something below a file", () => join(root, "file", "x"), "folder_not_a_folder"],
    ["a link to nothing", () => join(root, "dangling"), "folder_missing"],
    ["links in a circle", () => join(root, "circle"), "folder_missing"],
    ["a path that is too long", () => join(root, "x".repeat(5_000)), "folder_missing"],
    ["a NUL in the path", () => `${root}\0`, "folder_missing"],
    ["an empty path", () => "", "folder_not_absolute"],
    ["a path within another", () => "src", "folder_not_absolute"],
  ])("is refused with a reason: %s", async (_name, path, code) => {
    writeFileSync(join(root, "file"), "");
    symlinkSync(join(root, "none"), join(root, "dangling"));
    symlinkSync(join(root, "circle"), join(root, "circle"));
    await expect(openFolder(path())).rejects.toMatchObject({ name: "Fault", code });
  });

  // Root may read everything.

  if (!isRoot)
    it("is refused when it may not be read", async () => {
      const closed = join(root, "closed");
      mkdirSync(closed);
      for (const mode of [0o000, 0o300, 0o600]) {
        chmodSync(closed, mode);
        await expect(openFolder(closed)).rejects.toMatchObject({
          code: "folder_unreadable",
          retryable: true,
        });
        expect(await folderState(closed)).toBe("unreadable");
      }
      chmodSync(closed, 0o700);
    });

  it("does not wait for a folder that does not answer", async () => {
    const clock = new ManualClock();
    // Time passes before the file system has been asked at all.
    const opening = openFolder(root, clock);
    const state = folderState(root, clock);
    clock.advance(5_000);
    await expect(opening).rejects.toMatchObject({ code: "folder_no_answer", retryable: true });
    expect(await state).toBe("no answer");
    expect(clock.pendingCount).toBe(0);
  });

  it("leaves no timer behind", async () => {
    const clock = new ManualClock();
    await openFolder(root, clock);
    await folderState(join(root, "none"), clock);
    expect(clock.pendingCount).toBe(0);
  });
});

describe("the state of a folder", () => {
  it("follows it when it goes, is replaced, and comes back", async () => {
    const path = join(root, "project");
    mkdirSync(path);
    expect(await folderState(path)).toBe("present");
    renameSync(path, join(root, "renamed"));
    expect(await folderState(path)).toBe("missing");
    writeFileSync(path, "");
    expect(await folderState(path)).toBe("not a folder");
    rmSync(path);
    renameSync(join(root, "renamed"), path);
    expect(await folderState(path)).toBe("present");
  });
});
