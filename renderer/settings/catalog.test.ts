import { expect, test } from "vitest";
import { defaultSettings, settingsSchema } from "../../preload/contract/settings";
import { settings } from "./catalog";
import { findSettings } from "./find";
import { changeTo, changeToDefaults, defaultOf, differs, settingValue } from "./values";

const rows = settings.filter(({ kind }) => kind.kind !== "form");

test("each is there once, explains itself, and has a value with a default", () => {
  expect(new Set(settings.map(({ id }) => id)).size).toBe(settings.length);
  for (const setting of settings) {
    expect(setting.title).not.toBe("");
    expect(setting.title, "has words of its own").not.toBe(setting.id);
    expect(setting.text).toMatch(/[.]$/);
    expect(setting.text, "names the keys of this platform").not.toMatch(/⌘|Ctrl or/);
  }
  for (const { id } of rows) expect(defaultOf(id), id).not.toBeUndefined();
});

test("every one of the settings that has a single value is in the list", () => {
  const inForms = ["codexPath", "localModel"];
  const paths = Object.entries(defaultSettings).flatMap(([name, value]) =>
    typeof value === "object" && value !== null
      ? Object.keys(value).map((field) => `${name}.${field}`)
      : [name],
  );
  const known = new Set(settings.map(({ id }) => id));
  expect(paths.filter((path) => !known.has(path) && !inForms.includes(path))).toEqual([]);
});

test("the bounds of a number are those of the contract", () => {
  for (const { id, kind } of rows) {
    if (kind.kind !== "number") continue;
    const isTaken = (value: number) =>
      settingsSchema.safeParse({ ...defaultSettings, ...changeTo(defaultSettings, id, value) }).success;
    const tick = 1 / 10 ** (kind.digits ?? 0);
    expect([kind.least, kind.most].map(isTaken), id).toEqual([true, true]);
    expect([kind.least - tick, kind.most + tick].map(isTaken), id).toEqual([false, false]);
  }
});

test("the choices are those of the contract", () => {
  for (const { id, kind } of rows) {
    if (kind.kind !== "choice") continue;
    for (const { value } of kind.choices) {
      const change = changeTo(defaultSettings, id, value === "" ? null : value);
      expect(settingsSchema.safeParse({ ...defaultSettings, ...change }).success, `${id} ${value}`).toBe(
        true,
      );
    }
  }
});

test("a change leaves what stands beside it, but for the effort of another model", () => {
  const changed = {
    ...defaultSettings,
    ...changeTo(defaultSettings, "cellLimits.cells", 3),
    newThread: { ...defaultSettings.newThread, model: "a", effort: "high" },
  };
  expect(settingValue(changed, "cellLimits.cells")).toBe(3);
  expect(changed.cellLimits.memoryMiB).toBe(defaultSettings.cellLimits.memoryMiB);
  expect(changeTo(changed, "newThread.model", "b").newThread).toMatchObject({ model: "b", effort: null });
  expect(differs(changed, "cellLimits.cells")).toBe(true);
  const back = changeToDefaults(
    changed,
    rows.map(({ id }) => id),
  );
  expect({ ...changed, ...back }).toEqual(defaultSettings);
});

test("search finds by title, by what is said of it and by other words, the best first", () => {
  expect(findSettings("text size")[0]?.id).toBe("textSize");
  expect(findSettings("zoom")[0]?.id).toBe("textSize");
  expect(findSettings("mcp").map(({ id }) => id)).toContain("codexConfig");
  expect(findSettings("nothing is called that")).toEqual([]);
});
