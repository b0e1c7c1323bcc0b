// The types of codex's protocol, written by the codex binary that is installed, so that they cannot differ from it.
// They are made beside and then renamed into place; the stamp is one of the files, so it is true whenever it is there.

import { existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import path from "node:path";
import { fileURLToPath } from "node:url";
import { runOrFail } from "./command.mjs";
import { inProject, packageVersion, textOf, workFolder } from "./project.mjs";
import { replaceFolder } from "./replace-folder.mjs";
import { runScript, SetupError, saying } from "./report.mjs";

const protocolFolder = inProject("main", "codex", "protocol");
const stampName = ".codex-version";

/** Rust's names for the platforms that codex is built for. @type {Record<string, string>} */
const triples = {
  "linux-x64": "x86_64-unknown-linux-musl",
  "linux-arm64": "aarch64-unknown-linux-musl",
  "darwin-x64": "x86_64-apple-darwin",
  "darwin-arm64": "aarch64-apple-darwin",
  "win32-x64": "x86_64-pc-windows-msvc",
  "win32-arm64": "aarch64-pc-windows-msvc",
};

/** @returns {{ version: string, binary: string } | undefined} */
function installedCodex() {
  const platform = `${process.platform}-${process.arch}`;
  const triple = triples[platform];
  if (!triple) return undefined;
  const folder = inProject("node_modules", "@openai", `codex-${platform}`);
  // Its version has the platform after it.
  const version = packageVersion(folder)?.replace(`-${platform}`, "");
  if (version === undefined) return undefined;
  const name = process.platform === "win32" ? "codex.exe" : "codex";
  return { version, binary: path.join(folder, "vendor", triple, "bin", name) };
}

export function protocolIsFresh() {
  const codex = installedCodex();
  return codex !== undefined && textOf(path.join(protocolFolder, stampName)) === codex.version;
}

export async function generateProtocol() {
  if (protocolIsFresh()) return;
  const codex = installedCodex();
  if (!codex || !existsSync(codex.binary)) {
    throw new SetupError(
      `@openai/codex has no binary for ${process.platform}-${process.arch} in node_modules.`,
      {
        remedy: "Run npm ci with optional dependencies included.",
      },
    );
  }
  await saying(`Generating the protocol types of codex ${codex.version}`, async () => {
    mkdirSync(workFolder, { recursive: true });
    const folder = mkdtempSync(path.join(workFolder, "protocol-"));
    const made = path.join(folder, "new");
    await runOrFail(codex.binary, ["app-server", "generate-ts", "--experimental", "--out", made], {
      failure: "codex could not write its protocol types",
      timeoutMs: 60_000,
    });
    writeFileSync(path.join(made, stampName), codex.version);
    replaceFolder(protocolFolder, made, path.join(folder, "old"));
    rmSync(folder, { recursive: true, force: true });
  });
}

// npm runs this file after an install by hand. An install without the binary is still an install.
if (process.argv[1] === fileURLToPath(import.meta.url)) {
  await runScript(async () => {
    if (installedCodex()) await generateProtocol();
    return 0;
  });
}
