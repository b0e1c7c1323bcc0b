import {
  cpSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  renameSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { ManualClock } from "../clock";
import { silentLog } from "../log";
import { type HomeMark, isHomeGone, markHome } from "./homeMark";
import { HomeWatch, lookEveryMs } from "./homeWatch";

let root: string;
let home: string;

beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), "holdfast-home-"));
  home = make("home");
});

afterEach(() => rmSync(root, { recursive: true }));

function make(name: string): string {
  const folder = join(root, name);
  mkdirSync(folder);
  writeFileSync(join(folder, "holdfast.db"), "");
  return folder;
}

const mark = (folder = home) => markHome(folder, join(folder, "holdfast.db"), silentLog);

describe("a home", () => {
  test("is marked once, for every start", () => {
    const first = mark();
    expect(first.words).toMatch(/^[0-9a-f-]{36}$/);
    expect(mark()).toEqual(first);
    expect(readdirSync(home).sort()).toEqual(["holdfast.db", "home-id"]);
  });

  test("whose mark was cut off gets a new one", () => {
    writeFileSync(join(home, "home-id"), "4f");
    const { words } = mark();
    expect(words).toMatch(/^[0-9a-f-]{36}$/);
    expect(mark().words).toBe(words);
  });

  test("that cannot be marked is known by its ledger", async () => {
    mkdirSync(join(home, "home-id"));
    const one = mark();
    expect(one.words).toBeNull();
    expect(await isHomeGone(one)).toBe(false);
    rmSync(one.ledger);
    expect(await isHomeGone(one)).toBe(true);
  });

  const ways: [string, () => void][] = [
    ["was removed", () => rmSync(home, { recursive: true })],
    ["was moved", () => renameSync(home, `${home}-moved`)],
    ["has lost its ledger", () => rmSync(join(home, "holdfast.db"))],
    [
      "is a file now",
      () => {
        rmSync(home, { recursive: true });
        writeFileSync(home, "");
      },
    ],
    [
      "is a link to nowhere, round in a circle",
      () => {
        rmSync(home, { recursive: true });
        symlinkSync(home, home);
      },
    ],
    [
      "is a link to another one",
      () => {
        const other = make("other");
        mark(other);
        renameSync(home, `${home}-moved`);
        symlinkSync(other, home);
      },
    ],
    [
      "was made anew",
      () => {
        rmSync(home, { recursive: true });
        mark(make("home"));
      },
    ],
  ];
  test.each(ways)("that %s is gone", async (_, happens) => {
    const one = mark();
    expect(await isHomeGone(one)).toBe(false);
    happens();
    expect(await isHomeGone(one)).toBe(true);
  });

  test("is there wherever it lies, and without its mark", async () => {
    const one = mark();
    renameSync(home, `${home}-moved`);
    symlinkSync(`${home}-moved`, home);
    expect(await isHomeGone(one)).toBe(false);
    rmSync(home);
    cpSync(`${home}-moved`, home, { recursive: true });
    expect(await isHomeGone(one)).toBe(false);
    rmSync(one.file);
    expect(await isHomeGone(one)).toBe(false);
  });
});

describe("the watch over it", () => {
  test("tells once, when it was gone in three looks in a row", async () => {
    const clock = new ManualClock();
    const looks = [false, true, true, false, true, true, true];
    let told = 0;
    const watch = new HomeWatch({
      home: mark(),
      clock,
      onGone: () => {
        told += 1;
      },
      isGone: async (_home: HomeMark) => looks.shift() ?? true,
    });
    while (looks.length > 0) {
      expect(told).toBe(0);
      clock.advance(lookEveryMs);
      await new Promise((resolve) => setImmediate(resolve));
    }
    expect([told, clock.pendingCount]).toEqual([1, 0]);
    watch.close();
  });

  test("tells nothing once it is over, also of a look that is under way", async () => {
    const clock = new ManualClock();
    let told = 0;
    let answer: (isGone: boolean) => void = () => {};
    const watch = new HomeWatch({
      home: mark(),
      clock,
      onGone: () => {
        told += 1;
      },
      isGone: () =>
        new Promise((resolve) => {
          answer = resolve;
        }),
    });
    for (let look = 0; look < 3; look++) {
      clock.advance(lookEveryMs);
      if (look === 2) watch.close();
      answer(true);
      await new Promise((resolve) => setImmediate(resolve));
    }
    expect([told, clock.pendingCount]).toEqual([0, 0]);
  });
});
