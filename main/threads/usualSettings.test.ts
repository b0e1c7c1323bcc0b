// As measured on codex: what thread/start reports for the same configuration.

import { expect, it } from "vitest";
import { usualSettings } from "./usualSettings";

const folder = { paths: ["/home/ada/engine"], isWindows: false };
const nothing = { sandbox_mode: null, approval_policy: null, model: null, model_reasoning_effort: null };
const trust = (path: string, trust_level: string) => ({ ...nothing, projects: { [path]: { trust_level } } });
const access = (config: object, of = folder) => {
  const { sandbox, approvalPolicy } = usualSettings({ ...config }, of);
  return [sandbox, approvalPolicy];
};

it("is what the configuration says", () => {
  const config = {
    sandbox_mode: "danger-full-access",
    approval_policy: "never",
    model: "gpt-5",
    model_reasoning_effort: "high",
  };
  expect(usualSettings(config, folder)).toEqual({
    sandbox: "danger-full-access",
    approvalPolicy: "never",
    model: "gpt-5",
    effort: "high",
  });
});

it("follows from the trust in the folder where the configuration says nothing", () => {
  expect(access(nothing)).toEqual(["read-only", "on-request"]);
  expect(access(trust("/home/ada/engine", "trusted"))).toEqual(["workspace-write", "on-request"]);
  expect(access(trust("/home/ada/engine", "untrusted"))).toEqual(["workspace-write", "untrusted"]);
  const worktree = { ...folder, paths: ["/trees/fix", "/home/ada/engine"] };
  expect(access(trust("/home/ada/engine", "trusted"), worktree)).toEqual(["workspace-write", "on-request"]);
});

it("is not guessed", () => {
  expect(access(trust("/home/ada", "trusted")), "it depends on where the repository begins").toEqual([
    null,
    null,
  ]);
  expect(access({ ...nothing, default_permissions: "mine" })).toEqual([null, null]);
  expect(access(nothing, { ...folder, isWindows: true })).toEqual([null, null]);
  expect(access({ ...nothing, sandbox_mode: "read-only", approval_policy: { granular: {} } })).toEqual([
    "read-only",
    null,
  ]);
});
