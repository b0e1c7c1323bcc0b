// codex's own home. In listening mode codex ends at once when it does not exist, on stdio it makes it; so for somebody who
// has never run codex, the default one is made here. One that was named by hand is not: a wrong path is for the person.

import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { Fault } from "../fault";

/** Throws Fault `codex_home_unusable`. */
export function makeDefaultCodexHome(variables: Record<string, string>): void {
  const home = variables.HOME ?? variables.USERPROFILE;
  if (!home) return;
  const folder = join(home, ".codex");
  try {
    mkdirSync(folder, { recursive: true, mode: 0o700 });
  } catch (error) {
    throw new Fault("codex_home_unusable", `codex's own folder ${folder} cannot be made.`, {
      hint: "Check the permissions of your home folder, or name another folder in CODEX_HOME.",
      detail: error instanceof Error ? error.message : String(error),
      retryable: true,
      cause: error,
    });
  }
}
