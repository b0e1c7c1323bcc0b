import { describe, expect, it } from "vitest";
import { parseVersion } from "./codexVersion";

describe("the version in what codex prints", () => {
  it.each([
    ["codex-cli 0.171.0\n", "0.171.0"],
    ["codex 0.90.0-alpha.3\n", "0.90.0-alpha.3"],
    ["Update available: 0.180.0\ncodex-cli 0.171.0", "0.171.0"],
    ["\u001b[1mmise 2025.1.1\u001b[0m\r\ncodex-cli v0.171.0\r\n", "0.171.0"],
    ["node 20.1.0 is old\n0.171.0\n", "0.171.0"],
    ["Codex CLI, version 0.171.0", "0.171.0"],
    ["listening on 127.0.0.1:80", null],
    ["", null],
    ["hello", null],
  ])("%j is %j", (output, version) => {
    expect(parseVersion(output)).toBe(version);
  });
});
