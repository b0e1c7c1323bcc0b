import { describe, expect, test } from "vitest";
import { defaultSettings } from "../../preload/contract/settings";
import { readSettings, writeSettings } from "./settings";

function store(initial: Record<string, unknown> = {}) {
  const values = new Map(Object.entries(initial));
  return {
    values,
    get: (key: string) => values.get(key),
    set: (key: string, value: unknown) => void values.set(key, value),
    remove: (key: string) => void values.delete(key),
  };
}

describe("settings", () => {
  test("are the defaults where nothing is stored", () => {
    expect(readSettings(store())).toEqual({ settings: defaultSettings, unusable: [] });
  });

  test("one that cannot be used falls back alone, and is named", () => {
    const { settings, unusable } = readSettings(store({ theme: "purple", enterSends: false }));
    expect(settings).toEqual({ ...defaultSettings, enterSends: false });
    expect(unusable).toEqual(["theme"]);
  });

  test("one field of a record that cannot be used falls back alone; one that is missing is its default", () => {
    const { settings, unusable } = readSettings(
      store({ cellLimits: { memoryMiB: 1, cells: 4 }, newThread: "?", textSize: 1_000 }),
    );
    expect(settings).toEqual({
      ...defaultSettings,
      cellLimits: { ...defaultSettings.cellLimits, cells: 4 },
    });
    expect(unusable.sort()).toEqual(["cellLimits.memoryMiB", "newThread", "textSize"]);
  });

  test("come back as they were written; null clears", () => {
    const stored = store();
    writeSettings(stored, { theme: "dark", codexPath: "/mine" });
    expect(readSettings(stored).settings).toEqual({ ...defaultSettings, theme: "dark", codexPath: "/mine" });
    writeSettings(stored, { codexPath: null });
    expect(stored.values.has("codexPath")).toBe(false);
    expect(readSettings(stored).settings.codexPath).toBeNull();
  });
});
