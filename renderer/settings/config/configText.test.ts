import { expect, test } from "vitest";
import type { ConfigEntry } from "../../../preload/contract/settingsCalls";
import { asTyped, brief, grouped, readTyped, toml } from "./configText";
import { kindOf } from "./keyKinds";

const user = { kind: "user", words: "your config.toml", place: "/c" } as const;
const byDefault = { kind: "default", words: "codex's default", place: null } as const;

function entry(
  key: string,
  value: ConfigEntry["value"],
  source: ConfigEntry["source"] = byDefault,
): ConfigEntry {
  return { path: key.split("."), key, value, secret: false, source };
}

test("a value is written as TOML writes it", () => {
  expect(toml('a "b"')).toBe('"a \\"b\\""');
  expect(toml(["a", 1, true])).toBe('["a", 1, true]');
  expect(toml({ a: 1, "b c": { d: "e" } })).toBe('{ a = 1, "b c" = { d = "e" } }');
  expect(toml({})).toBe("{}");
  expect(brief({ ...entry("token", null), secret: true })).not.toContain("not set");
  expect(brief(entry("a", "x".repeat(500))).length).toBeLessThanOrEqual(80);
});

test("the kind of a key is what is known of it, else what its value is", () => {
  expect(kindOf({ key: "sandbox_mode", value: null }).kind).toBe("choice");
  expect(kindOf({ key: "features.apps", value: false }).kind).toBe("switch");
  expect(kindOf({ key: "anything", value: 3 }).kind).toBe("number");
  expect(kindOf({ key: "notify", value: null }).kind).toBe("json");
  // A table where usually one of a few words stands.
  expect(kindOf({ key: "approval_policy", value: { granular: { rules: true } } }).kind).toBe("json");
  // codex 0.171 does not start with "untrusted" in its file, so it is not offered; what is there is shown all the same.
  expect(kindOf({ key: "approval_policy", value: null })).toEqual({
    kind: "choice",
    choices: ["on-request", "never"],
  });
  expect(kindOf({ key: "approval_policy", value: "untrusted" }).kind).toBe("text");
});

test("what is typed is read back as the same value, and what is none is said", () => {
  for (const [key, value] of [
    ["model", "gpt-5"],
    ["features.apps", true],
    ["history.max_bytes", 12],
    ["notify", ["a", "b"]],
    ["sandbox_mode", "read-only"],
  ] as const) {
    const each = entry(key, value as ConfigEntry["value"]);
    const kind = kindOf(each);
    expect(readTyped(asTyped(each.value, kind), kind)).toEqual({ ok: true, value });
  }
  expect(readTyped("3x", { kind: "number" }).ok).toBe(false);
  expect(readTyped("9007199254740991", { kind: "number" })).toEqual({ ok: true, value: 9007199254740991 });
  expect(readTyped("9007199254740993", { kind: "number" }).ok).toBe(false);
  expect(readTyped("[1,", { kind: "json" }).ok).toBe(false);
  expect(readTyped("null", { kind: "json" }).ok).toBe(false);
  expect(readTyped("", { kind: "text" }).ok).toBe(false);
});

test("what matters most comes first, then what is set; every key is in one group; search looks at all of it", () => {
  const all = [
    entry("zeta", null),
    entry("features.apps", false, user),
    entry("model", "gpt-5", user),
    entry("alpha", 3, user),
    entry("audio.x", null),
  ];
  const groups = grouped(all, "");
  expect(groups.map(({ title }) => title)).toEqual([
    "What matters most",
    "Other keys that are set",
    "features",
    "audio",
    "Not set",
  ]);
  expect(groups.flatMap(({ entries }) => entries)).toHaveLength(all.length);
  const keys = (typed: string) => grouped(all, typed).flatMap(({ entries }) => entries.map(({ key }) => key));
  expect(keys("config.toml apps")).toEqual(["features.apps"]);
  expect(keys("gpt")).toEqual(["model"]);
});
