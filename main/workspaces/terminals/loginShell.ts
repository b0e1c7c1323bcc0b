// The shell that a person has chosen for themselves.

import { userInfo } from "node:os";
import { basename } from "node:path";

export interface LoginShell {
  path: string;
  name: string;
}

/** `variables`: the login environment. */
export function loginShell(
  variables: Record<string, string | undefined>,
  platform: NodeJS.Platform = process.platform,
  recorded: () => string | null = recordedShell,
): LoginShell {
  if (platform === "win32") return { path: "powershell.exe", name: "powershell" };
  const named = [variables.SHELL, recorded()].find((path) => path?.startsWith("/") === true);
  const path = named ?? (platform === "darwin" ? "/bin/zsh" : "/bin/sh");
  return { path, name: basename(path) };
}

/** As the system has it; null: it does not say. */
function recordedShell(): string | null {
  try {
    return userInfo().shell;
  } catch {
    // A user that the system has no record of, in a container for instance.
    return null;
  }
}
