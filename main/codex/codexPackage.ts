// Where the native codex binary is, given what a package manager has put on the PATH.
//
// `npm install -g @openai/codex` puts a Node script (or a .cmd that starts it) on the PATH. Spawning that would leave a Node
// process between us and codex, which a signal to the leader does not end; so the native binary in the package is looked up.
// Only codex's own script is resolved this way: any other script is somebody's wrapper and is started as it is.

import { constants } from "node:fs";
import { access, open, readFile, realpath, stat } from "node:fs/promises";
import { dirname, join, resolve } from "node:path";

export interface Platform {
  platform: NodeJS.Platform;
  arch: string;
}

/** What a file is, as far as starting it is concerned. */
export type CommandFile =
  | { kind: "native" }
  /** codex's Node script or something that a package manager made to start it; `script` is the real path of the script. */
  | { kind: "npmShim"; script: string }
  /** Another Node script. */
  | { kind: "nodeScript"; script: string }
  /** A shell script or anything else that the system may know how to start. */
  | { kind: "other" };

const packagesByPlatform: Record<string, { packageName: string; triple: string }> = {
  "linux-x64": { packageName: "codex-linux-x64", triple: "x86_64-unknown-linux-musl" },
  "linux-arm64": { packageName: "codex-linux-arm64", triple: "aarch64-unknown-linux-musl" },
  "darwin-x64": { packageName: "codex-darwin-x64", triple: "x86_64-apple-darwin" },
  "darwin-arm64": { packageName: "codex-darwin-arm64", triple: "aarch64-apple-darwin" },
  "win32-x64": { packageName: "codex-win32-x64", triple: "x86_64-pc-windows-msvc" },
  "win32-arm64": { packageName: "codex-win32-arm64", triple: "aarch64-pc-windows-msvc" },
};

/** The native binary that codex's npm script would start, or null: in the package that Node would find, or in its own. */
export async function nativeBinaryOfShim(script: string, platform: Platform): Promise<string | null> {
  const packageRoot = dirname(dirname(script));
  const roots: string[] = [];
  for (let folder = packageRoot; ; folder = dirname(folder)) {
    roots.push(join(folder, "node_modules"));
    if (dirname(folder) === folder) break;
  }
  return firstNativeBinary(roots, [packageRoot], platform);
}

/** The native binary that the app ships. `root` holds `node_modules`; inside an archive its unpacked twin is meant. */
export async function bundledBinary(root: string, platform: Platform): Promise<string | null> {
  const unpacked = root.replace(/app\.asar(?=$|[\\/])/, "app.asar.unpacked");
  const modules = join(unpacked, "node_modules");
  const codex = join(modules, "@openai", "codex");
  return firstNativeBinary([modules, join(codex, "node_modules")], [codex], platform);
}

async function firstNativeBinary(
  moduleFolders: string[],
  packageRoots: string[],
  { platform, arch }: Platform,
): Promise<string | null> {
  const target = packagesByPlatform[`${platform}-${arch}`];
  if (target === undefined) return null;
  const name = platform === "win32" ? "codex.exe" : "codex";
  const platformRoots = moduleFolders.map((folder) => join(folder, "@openai", target.packageName));
  for (const root of [...platformRoots, ...packageRoots]) {
    // Older versions had the binary in `codex/` instead of `bin/`.
    for (const folder of ["bin", "codex"]) {
      const candidate = join(root, "vendor", target.triple, folder, name);
      if (await isFile(candidate)) return candidate;
    }
  }
  return null;
}

/** Rejects when the file cannot be read. */
export async function inspectCommand(path: string): Promise<CommandFile> {
  const real = await realpath(path);
  const head = await readHead(real);
  if (isNative(head)) {
    // Volta's shims are one native program under many names. It would start codex's script as a child of its own.
    const script = /volta-shim(\.exe)?$/.test(real) ? await voltaScript(path) : null;
    return script === null ? { kind: "native" } : { kind: "npmShim", script };
  }
  const text = head.toString("utf8");
  if (/\.[cm]?js$/.test(real) || /^#!.*\b(node|bun|deno)\b/.test(text)) {
    return { kind: (await isCodexPackage(dirname(dirname(real)))) ? "npmShim" : "nodeScript", script: real };
  }
  const script = await scriptNamedIn(text, dirname(real));
  return script === null ? { kind: "other" } : { kind: "npmShim", script };
}

/** npm's .cmd and pnpm's shell script name codex's script relative to their own folder. */
async function scriptNamedIn(text: string, folder: string): Promise<string | null> {
  const named = /["'](?:%~?dp0%?|\$basedir)[\\/]([^"'\n]*@openai[\\/]codex[\\/]bin[\\/]codex\.js)["']/.exec(
    text,
  );
  const relative = named?.[1];
  if (relative === undefined) return null;
  try {
    return await realpath(resolve(folder, relative.replaceAll("\\", "/")));
  } catch {
    // The package was removed and its shim stayed. Starting the shim will say so in words.
    return null;
  }
}

async function voltaScript(shim: string): Promise<string | null> {
  const image = join(dirname(dirname(shim)), "tools", "image", "packages", "@openai", "codex");
  for (const modules of [join(image, "lib", "node_modules"), join(image, "node_modules")]) {
    const script = join(modules, "@openai", "codex", "bin", "codex.js");
    if (await isFile(script)) return script;
  }
  return null;
}

async function isCodexPackage(folder: string): Promise<boolean> {
  try {
    const manifest: unknown = JSON.parse(await readFile(join(folder, "package.json"), "utf8"));
    return (
      typeof manifest === "object" &&
      manifest !== null &&
      "name" in manifest &&
      manifest.name === "@openai/codex"
    );
  } catch {
    // No manifest, or none that can be read: then it is not codex's package.
    return false;
  }
}

/** ELF, Mach-O (both byte orders, and universal), PE. */
function isNative(head: Buffer): boolean {
  if (head.length < 4) return false;
  if (head.subarray(0, 2).toString("latin1") === "MZ") return true;
  return [0x7f454c46, 0xfeedface, 0xfeedfacf, 0xcefaedfe, 0xcffaedfe, 0xcafebabe].includes(
    head.readUInt32BE(0),
  );
}

async function readHead(path: string): Promise<Buffer> {
  const file = await open(path, "r");
  try {
    const buffer = Buffer.alloc(4_096);
    const { bytesRead } = await file.read(buffer, 0, buffer.length, 0);
    return buffer.subarray(0, bytesRead);
  } finally {
    await file.close();
  }
}

export async function isFile(path: string): Promise<boolean> {
  try {
    return (await stat(path)).isFile();
  } catch {
    // Not there, or hidden from us: either way it cannot be started.
    return false;
  }
}

export async function isExecutable(path: string): Promise<boolean> {
  try {
    await access(path, constants.X_OK);
    return true;
  } catch {
    // That is the answer, not an error.
    return false;
  }
}
