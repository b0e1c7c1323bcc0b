import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  realpathSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { copyIgnored, dropPart } from "./copying";

let root: string;
let folders: { from: string; to: string };

beforeEach(() => {
  root = realpathSync(mkdtempSync(join(tmpdir(), "holdfast-copying-")));
  folders = { from: join(root, "main"), to: join(root, "worktrees", "x") };
  mkdirSync(join(folders.from, "modules", "deep"), { recursive: true });
  mkdirSync(folders.to, { recursive: true });
  for (let at = 0; at < 20; at += 1) writeFileSync(join(folders.from, "modules", "deep", `${at}`), "whole");
});
afterEach(() => rmSync(root, { recursive: true, force: true }));

const copy = (signal: AbortSignal) => copyIgnored("modules", folders, async () => true, signal);
const never = () => new AbortController().signal;
/** Aborted when it has been asked so often. */
function after(questions: number): AbortSignal {
  let asked = 0;
  return {
    get aborted() {
      asked += 1;
      return asked > questions;
    },
  } as AbortSignal;
}

describe("a copy of what git ignores", () => {
  it.each([0, 1, 2, 3, 10, 22])(
    "that is stopped after %i looks is none, and the next one is whole",
    async (looks) => {
      expect(await copy(after(looks))).toBe("stopped");
      expect([readdirSync(folders.to), readdirSync(join(root, "worktrees"))]).toEqual([[], ["x"]]);
      expect(await copy(never())).toBe("copied");
      expect(readdirSync(join(folders.to, "modules", "deep"))).toHaveLength(20);
      expect(readdirSync(join(root, "worktrees"))).toEqual(["x"]);
    },
  );

  it("that was cut off is not taken for whole", async () => {
    const part = join(root, "worktrees", ".x.copying");
    mkdirSync(join(part, "copy", "deep"), { recursive: true });
    writeFileSync(join(part, "copy", "deep", "0"), "who");
    expect(await copy(never())).toBe("copied");
    expect(readdirSync(join(folders.to, "modules", "deep"))).toHaveLength(20);
    expect(existsSync(part)).toBe(false);
    await dropPart(folders.to);
  });
});
