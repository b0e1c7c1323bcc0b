// The Debian package: the app in /usr/lib/holdfast, `holdfast` on the PATH, an entry in the menu, icons, and a rule for
// AppArmor where unprivileged user namespaces need one. Made by dpkg-deb alone.

import {
  chmodSync,
  cpSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import path from "node:path";
import { run } from "../setup/command.mjs";
import { inProject, workFolder } from "../setup/project.mjs";
import { SetupError } from "../setup/report.mjs";

const packTimeoutMs = 20 * 60_000;
const iconSizes = [16, 24, 32, 48, 64, 128, 256, 512];
const architectures = { x64: "amd64", arm64: "arm64" };

/**
 * What Electron is linked against, and libx11-xcb1, which it loads by itself and does not start without. Names with t64 are the same in releases
 * whose time is counted in 64 bits.
 */
const depends = [
  "libgtk-3-0t64 | libgtk-3-0",
  "libnss3",
  "libnspr4",
  "libasound2t64 | libasound2",
  "libgbm1",
  "libdrm2",
  "libcups2t64 | libcups2",
  "libatspi2.0-0t64 | libatspi2.0-0",
  "libatk-bridge2.0-0t64 | libatk-bridge2.0-0",
  "libx11-xcb1",
  "libxkbcommon0",
  "libxcomposite1",
  "libxdamage1",
  "libxfixes3",
  "libxrandr2",
  "libudev1",
  "libc6 (>= 2.28)",
];
/** For reviews, links, notifications and tokens; Holdfast says what it misses. */
const recommends = ["git", "bubblewrap", "xdg-utils", "libnotify4", "libsecret-1-0", "ca-certificates"];

/** @param {import("./folder.mjs").PackOptions} options */
export async function packDeb({ folder, target, version, isFast }) {
  const architecture = architectures[/** @type {keyof typeof architectures} */ (process.arch)];
  if (architecture === undefined) throw new SetupError(`Debian has no name here for ${process.arch}.`);
  mkdirSync(workFolder, { recursive: true });
  const root = mkdtempSync(path.join(workFolder, "deb-"));
  try {
    lay(root, folder);
    const installedKib = await sizeKib(root);
    writeControl(path.join(root, "DEBIAN"), { version, architecture, installedKib });
    await must(
      "dpkg-deb",
      [...(isFast ? ["-Zgzip", "-z1"] : ["-Zxz", "-z6"]), "--root-owner-group", "--build", root, target],
      "The Debian package could not be made.",
    );
  } finally {
    rmSync(root, { recursive: true, force: true });
  }
}

/**
 * @param {string} root
 * @param {string} folder
 */
function lay(root, folder) {
  const to = (/** @type {string[]} */ ...segments) => {
    const place = path.join(root, ...segments);
    mkdirSync(path.dirname(place), { recursive: true });
    return place;
  };
  const linux = (/** @type {string} */ name) => inProject("packaging", "linux", name);
  cpSync(folder, to("usr", "lib", "holdfast"), { recursive: true, verbatimSymlinks: true });
  // Where user namespaces are closed to ordinary users, this one starts Chromium's sandbox. It must be root's.
  chmodSync(path.join(root, "usr", "lib", "holdfast", "chrome-sandbox"), 0o4755);
  symlinkSync("../lib/holdfast/holdfast", to("usr", "bin", "holdfast"));
  cpSync(linux("holdfast.desktop"), to("usr", "share", "applications", "holdfast.desktop"));
  cpSync(linux("holdfast.apparmor"), to("etc", "apparmor.d", "holdfast"));
  cpSync(inProject("LICENSE"), to("usr", "share", "doc", "holdfast", "copyright"));
  for (const size of iconSizes) {
    const name = `${size}x${size}`;
    cpSync(
      inProject("packaging", "icons", `${name}.png`),
      to("usr", "share", "icons", "hicolor", name, "apps", "holdfast.png"),
    );
  }
  cpSync(
    inProject("packaging", "icon.svg"),
    to("usr", "share", "icons", "hicolor", "scalable", "apps", "holdfast.svg"),
  );
  const control = to("DEBIAN", "control");
  for (const name of ["postinst", "postrm"]) {
    cpSync(linux(name), path.join(path.dirname(control), name));
    chmodSync(path.join(path.dirname(control), name), 0o755);
  }
}

/**
 * @param {string} folder
 * @param {{ version: string, architecture: string, installedKib: number }} facts
 */
function writeControl(folder, { version, architecture, installedKib }) {
  const { description } = JSON.parse(readFileSync(inProject("package.json"), "utf8"));
  const fields = {
    Package: "holdfast",
    Version: version,
    Architecture: architecture,
    Maintainer: "The Holdfast developers <holdfast@localhost>",
    "Installed-Size": String(installedKib),
    Depends: depends.join(", "),
    Recommends: recommends.join(", "),
    Section: "devel",
    Priority: "optional",
    Description: `${description}\n It starts codex app-servers, shows their threads, and keeps what they do over every restart.`,
  };
  const text = Object.entries(fields)
    .map(([name, value]) => `${name}: ${value}\n`)
    .join("");
  writeFileSync(path.join(folder, "control"), text);
  writeFileSync(path.join(folder, "conffiles"), "/etc/apparmor.d/holdfast\n");
}

/** @param {string} root */
async function sizeKib(root) {
  const { stdout } = await must("du", ["-sk", "--apparent-size", root], "The size could not be found.");
  return Number.parseInt(stdout, 10);
}

/**
 * @param {string} program
 * @param {string[]} args
 * @param {string} complaint
 */
async function must(program, args, complaint) {
  const result = await run(program, args, { timeoutMs: packTimeoutMs });
  if (result.code !== 0) {
    throw new SetupError(complaint, {
      detail: result.output,
      remedy: program === "dpkg-deb" ? "It needs dpkg-deb, from the package dpkg." : undefined,
    });
  }
  return result;
}
