import { describe, expect, test } from "vitest";
import type { CodexView } from "../../preload/contract/app";
import { ManualClock } from "../clock";
import type { CodexSearch, CodexSearchRequest } from "../codex/findCodex";
import { Fault } from "../fault";
import { CodexLocator } from "./codexLocator";

const missing = new Fault("codex_not_found", "codex was not found.");
const none: CodexSearch = {
  found: false,
  fault: missing,
  tried: [{ origin: "bundled", place: "here", outcome: "is not there" }],
};
const found = (path: string): CodexSearch => ({
  found: true,
  binary: { path, argsPrefix: [], origin: "bundled", version: "1.2.3" },
  tried: [],
});

function stage() {
  const clock = new ManualClock();
  const searches: { request: CodexSearchRequest; answer: (result: CodexSearch) => void }[] = [];
  const views: CodexView[] = [];
  let setting: string | null = null;
  const locator = new CodexLocator({
    clock,
    finder: {
      find: (request) =>
        new Promise((answer) => {
          searches.push({ request, answer });
        }),
      check: async () => ({ usable: false, outcome: "is not asked about here", version: null }),
    },
    environment: { read: async () => ({ kind: "own", variables: { PATH: "/bin" }, why: "terminal" }) },
    setting: () => setting,
    changed: (view) => views.push(view),
  });
  const begun = async (index: number) => {
    for (let turn = 0; turn < 10 && searches.length <= index; turn += 1) await Promise.resolve();
    const search = searches[index];
    if (!search) throw new Error(`search ${index} was not begun`);
    return search;
  };
  return { clock, locator, searches, views, begun, set: (path: string) => (setting = path) };
}

describe("codex", () => {
  test("is searched once for all who ask", async () => {
    const at = stage();
    const both = Promise.all([at.locator.binary(), at.locator.binary()]);
    (await at.begun(0)).answer(found("/codex"));
    const [first, second] = await both;
    expect(first).toBe(second);
    expect(at.searches).toHaveLength(1);
    expect(at.views.at(-1)).toMatchObject({ state: "found", path: "/codex", version: "1.2.3" });
  });

  test("that is missing is not looked for again at once, and then quietly", async () => {
    const at = stage();
    const first = at.locator.binary();
    (await at.begun(0)).answer(none);
    await expect(first).rejects.toBe(missing);
    await expect(at.locator.binary()).rejects.toBe(missing);
    expect(at.searches).toHaveLength(1);
    at.clock.advance(10_000);
    const later = at.locator.binary();
    (await at.begun(1)).answer(found("/codex"));
    await expect(later).resolves.toMatchObject({ path: "/codex" });
    expect(at.views.map((view) => view.state)).toEqual(["searching", "missing", "found"]);
  });

  test("chosen anew while a search is under way: the older result reaches nobody", async () => {
    const at = stage();
    const waiting = at.locator.binary();
    const older = await at.begun(0);
    at.set("/mine");
    const recheck = at.locator.recheck();
    const newer = await at.begun(1);
    expect(newer.request.setting).toBe("/mine");
    older.answer(found("/old"));
    newer.answer(found("/mine"));
    await recheck;
    await expect(waiting).resolves.toMatchObject({ path: "/mine" });
    expect(at.views.filter((view) => view.state === "found")).toHaveLength(1);
  });

  test("that stays missing: a recheck says what was tried, and does not throw", async () => {
    const at = stage();
    const recheck = at.locator.recheck();
    (await at.begun(0)).answer(none);
    expect(await recheck).toEqual([
      { origin: "comes with Holdfast", place: "here", outcome: "is not there" },
    ]);
    expect(at.views.at(-1)?.state).toBe("missing");
  });
});
