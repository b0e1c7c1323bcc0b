import { expect, it } from "vitest";
import { loginShell } from "./loginShell";

it("is what the login environment names, then what the system has on record, then the usual one", () => {
  const zsh = () => "/usr/bin/zsh";
  expect(loginShell({ SHELL: "/usr/bin/fish" }, "linux", zsh)).toEqual({
    path: "/usr/bin/fish",
    name: "fish",
  });
  expect(loginShell({ SHELL: "fish" }, "linux", zsh).path).toBe("/usr/bin/zsh");
  expect(loginShell({}, "linux", () => null)).toEqual({ path: "/bin/sh", name: "sh" });
  expect(loginShell({}, "darwin", () => "").name).toBe("zsh");
  expect(loginShell({ SHELL: "/bin/bash" }, "win32", zsh).name).toBe("powershell");
});
