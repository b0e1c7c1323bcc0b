import { expect, it } from "vitest";
import { shellArguments, typedCommand } from "./shellArguments";

it("what was typed is found again in the line that it was started with", () => {
  for (const shell of ["bash", "zsh", "powershell.exe", "pwsh", "cmd.exe"]) {
    for (const command of [null, "make", "", "-l", "a 'b'\nc"]) {
      const argv = [`/bin/${shell}`, ...shellArguments(shell, command)];
      expect(typedCommand(argv)).toEqual({ command });
    }
  }
  const wrapped = ["/bin/sh", "-c", "says its number", "/bin/bash", ...shellArguments("bash", null)];
  expect(typedCommand(wrapped)).toEqual({ command: null });
});

it("what is no terminal's is none", () => {
  for (const argv of [[], ["/bin/sh", "-c", "kill -HUP 12"], ["git", "status", "--short"]]) {
    expect(typedCommand(argv)).toBeNull();
  }
});
