// The folders in which installers put `codex`, for when the login shell could not be asked or does not know them.

import { readdir } from "node:fs/promises";
import { posix, win32 } from "node:path";

export interface FolderContext {
  platform: NodeJS.Platform;
  homeFolder: string;
  env: Record<string, string | undefined>;
}

/** In the order in which they are searched: first what a person installs on purpose, then what version managers keep. */
export async function wellKnownFolders(context: FolderContext): Promise<string[]> {
  return context.platform === "win32" ? windowsFolders(context) : unixFolders(context);
}

async function unixFolders({ platform, homeFolder, env }: FolderContext): Promise<string[]> {
  const home = (...parts: string[]) => posix.join(homeFolder, ...parts);
  const pnpm = platform === "darwin" ? home("Library", "pnpm") : home(".local", "share", "pnpm");
  return unique([
    home(".local", "bin"),
    "/usr/local/bin",
    "/opt/homebrew/bin",
    "/home/linuxbrew/.linuxbrew/bin",
    home(".npm-global", "bin"),
    ...(await newestFirst(posix.join(env.NVM_DIR || home(".nvm"), "versions", "node"), "bin")),
    ...(await newestFirst(home(".local", "share", "fnm", "node-versions"), "installation/bin")),
    posix.join(env.VOLTA_HOME || home(".volta"), "bin"),
    posix.join(env.BUN_INSTALL || home(".bun"), "bin"),
    posix.join(env.CARGO_HOME || home(".cargo"), "bin"),
    env.PNPM_HOME || pnpm,
    home(".local", "share", "mise", "shims"),
    home(".asdf", "shims"),
    home("bin"),
    "/usr/bin",
    "/snap/bin",
  ]);
}

async function windowsFolders({ homeFolder, env }: FolderContext): Promise<string[]> {
  const home = (...parts: string[]) => win32.join(homeFolder, ...parts);
  const roaming = env.APPDATA || home("AppData", "Roaming");
  const local = env.LOCALAPPDATA || home("AppData", "Local");
  return unique([
    win32.join(roaming, "npm"),
    home(".local", "bin"),
    win32.join(local, "Programs", "codex"),
    win32.join(local, "Microsoft", "WinGet", "Links"),
    env.NVM_SYMLINK ?? "",
    win32.join(env.VOLTA_HOME || win32.join(local, "Volta"), "bin"),
    win32.join(env.BUN_INSTALL || home(".bun"), "bin"),
    win32.join(env.CARGO_HOME || home(".cargo"), "bin"),
    env.PNPM_HOME || win32.join(local, "pnpm"),
    home("scoop", "shims"),
    win32.join(env.ProgramFiles || "C:\\Program Files", "nodejs"),
  ]);
}

/** `<root>/<version>/<rest>` for each version that is there. */
async function newestFirst(root: string, rest: string): Promise<string[]> {
  let versions: string[];
  try {
    versions = await readdir(root);
  } catch {
    // The version manager is not installed.
    return [];
  }
  return versions
    .sort((a, b) => b.localeCompare(a, "en", { numeric: true }))
    .map((version) => posix.join(root, version, rest));
}

function unique(folders: string[]): string[] {
  return [...new Set(folders.filter((folder) => folder !== ""))];
}
