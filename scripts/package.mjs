// `npm run package [-- folder | deb | tar | appimage | dmg | nsis]...`: what people install, into dist/. Without a name: what
// this system's people expect (deb and tar on Linux, dmg on macOS, nsis on Windows). `--fast` compresses less.
//
// The folder of the app is made by electron-builder out of packaging/electron-builder.mjs. The Debian package and the archive
// are made of that folder with the system's own tools: electron-builder's targets for them download programs first.

import { rmSync } from "node:fs";
import path from "node:path";
import { packDeb } from "./package/deb.mjs";
import { makeAppFolder, packWithBuilder } from "./package/folder.mjs";
import { packTar } from "./package/tar.mjs";
import { inProject, packageVersion, projectRoot } from "./setup/project.mjs";
import { runScript, SetupError, say, saying } from "./setup/report.mjs";
import { setUp } from "./setup/setup.mjs";

const usual = { linux: ["deb", "tar"], darwin: ["dmg"], win32: ["nsis"] };
const byBuilder = ["appimage", "dmg", "nsis"];
const known = ["folder", "deb", "tar", ...byBuilder];

await runScript(async () => {
  const isFast = process.argv.includes("--fast");
  const named = process.argv.slice(2).filter((each) => each !== "--fast");
  const unknown = named.filter((each) => !known.includes(each));
  if (unknown.length > 0) {
    throw new SetupError(`There is no package "${unknown.join('", "')}".`, {
      remedy: `Use: npm run package [-- ${known.join(" | ")}] [--fast]`,
    });
  }
  const wanted = named.length > 0 ? named : usual[/** @type {keyof typeof usual} */ (process.platform)];
  if (wanted === undefined) {
    throw new SetupError(`No package is known for ${process.platform}.`, {
      remedy: "Name one: npm run package -- folder",
    });
  }
  await setUp("app");
  const version = packageVersion(projectRoot) ?? "0.0.0";
  const folder = await saying("Making the folder of the app", makeAppFolder);
  for (const kind of wanted) {
    if (kind === "folder") say(`The app is in ${path.relative(projectRoot, folder)}`);
    else if (byBuilder.includes(kind)) await saying(`Making ${kind}`, () => packWithBuilder(kind));
    else {
      const target = inProject("dist", nameOf(kind, version));
      rmSync(target, { force: true });
      const pack = kind === "deb" ? packDeb : packTar;
      await saying(`Making ${path.basename(target)}`, () => pack({ folder, target, version, isFast }));
    }
  }
  return 0;
});

/**
 * @param {string} kind
 * @param {string} version
 */
function nameOf(kind, version) {
  if (kind === "deb") return `holdfast_${version}_${process.arch === "x64" ? "amd64" : process.arch}.deb`;
  return `holdfast-${version}-${process.platform}-${process.arch}.tar.gz`;
}
