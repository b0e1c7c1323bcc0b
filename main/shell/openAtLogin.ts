// Starts Holdfast when the person logs in, where they have asked for that: through the platform, and on Linux through a file
// in the folder that desktops look into. The file goes in whole or not at all, and goes away when it is switched off.

import { createHash } from "node:crypto";
import { existsSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { Fault } from "../fault";

export interface LoginItem {
  /** The program and its arguments. */
  command: readonly string[];
  /** Given to it besides what the desktop gives. */
  variables: Readonly<Record<string, string>>;
}

export interface LinuxLoginOptions {
  environment: Readonly<Record<string, string | undefined>>;
  /** The home of this Holdfast, if it is not the usual one: each is started by a file of its own. */
  ownHome: string | null;
  item: LoginItem;
}

/** Throws Fault `login_item_failed`. */
export function setLinuxLoginItem(options: LinuxLoginOptions, isOn: boolean): void {
  const path = autostartPath(options);
  try {
    if (isOn) writeWhole(path, desktopEntry(options.item));
    else rmSync(path, { force: true });
  } catch (error) {
    throw new Fault("login_item_failed", `The file that starts Holdfast at login could not be changed.`, {
      hint: `Look at ${path}, then try again.`,
      detail: error instanceof Error ? error.message : String(error),
      cause: error,
    });
  }
}

/**
 * Holdfast may lie elsewhere than when it was switched on. What the person has deleted stays deleted, and what their desktop has
 * written beside, that it is not to be started after all for one, stays as it is.
 */
export function refreshLinuxLoginItem(options: LinuxLoginOptions): void {
  const path = autostartPath(options);
  if (!existsSync(path)) return;
  const written = readFileSync(path, "utf8");
  const entry = written.replace(/^Exec *=.*$/m, () => execLine(options.item));
  if (written !== entry) writeWhole(path, entry);
}

export function autostartPath({ environment, ownHome }: Omit<LinuxLoginOptions, "item">): string {
  const configured = environment.XDG_CONFIG_HOME;
  const folder = configured?.startsWith("/") ? configured : join(environment.HOME ?? "/", ".config");
  const apart = ownHome === null ? "" : `-${createHash("sha256").update(ownHome).digest("hex").slice(0, 8)}`;
  return join(folder, "autostart", `holdfast${apart}.desktop`);
}

export function desktopEntry(item: LoginItem): string {
  return [
    "[Desktop Entry]",
    "Type=Application",
    "Name=Holdfast",
    "Comment=Supervises coding agents",
    execLine(item),
    "Terminal=false",
    "X-GNOME-Autostart-enabled=true",
    "",
  ].join("\n");
}

function execLine({ command, variables }: LoginItem): string {
  const set = Object.entries(variables).map(([name, value]) => `${name}=${value}`);
  const words = set.length === 0 ? command : ["env", ...set, ...command];
  return `Exec=${words.map(quoted).join(" ")}`;
}

/** First as an argument of the command, then as a value of the file: both know the backslash. */
function quoted(word: string): string {
  const argument = word.replaceAll("%", "%%");
  if (/^[A-Za-z0-9_@%+=:,./-]+$/.test(argument)) return argument;
  const escaped = argument.replace(/["`$\\]/g, "\\$&");
  return `"${escaped}"`.replaceAll("\\", "\\\\").replaceAll("\n", "\\n").replaceAll("\t", "\\t");
}

function writeWhole(path: string, text: string): void {
  mkdirSync(dirname(path), { recursive: true });
  const beside = `${path}.${process.pid}.new`;
  try {
    writeFileSync(beside, text, { mode: 0o644 });
    renameSync(beside, path);
  } finally {
    rmSync(beside, { force: true });
  }
}
