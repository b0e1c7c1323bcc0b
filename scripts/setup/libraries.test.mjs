// With an ldd, an apt-get and an apt-cache of our own on the PATH.

import { chmodSync, existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { installLibraries, missingLibraries } from "./libraries.mjs";

let folder = "";
beforeEach(() => {
  folder = mkdtempSync(path.join(tmpdir(), "holdfast-libraries-"));
  vi.stubEnv("PATH", folder);
  vi.spyOn(process.stderr, "write").mockReturnValue(true);
  program("ldd", 'echo "libnss3.so => /lib/libnss3.so (0x1)"');
  program("Xvfb", "exit 1");
});
afterEach(() => rmSync(folder, { recursive: true }));

/**
 * @param {string} name
 * @param {string} script
 */
function program(name, script) {
  const file = path.join(folder, name);
  writeFileSync(file, `#!/bin/sh\n${script}\n`);
  chmodSync(file, 0o755);
}

function lddFindsMissing() {
  const lines =
    "\tlibnss3.so => not found\n\tlibc.so.6 => /lib/libc.so.6 (0x1)\n\tlibgtk-3.so.0 => not found\n";
  program(
    "ldd",
    `if [ -e ${folder}/installed ]; then echo "libnss3.so => /lib/libnss3.so (0x1)"; else printf '%s' '${lines}'; fi`,
  );
}

function debian() {
  program(
    "apt-get",
    `echo "$@" >> ${folder}/apt-get.log\nif [ "$1" = install ]; then : > ${folder}/installed; fi`,
  );
  program("apt-cache", 'case "$3" in libasound2t64 | libgtk-3-0t64) echo "Package: $3";; *) exit 100;; esac');
}

const packages = "xvfb xauth libgtk-3-0t64 libnss3 libasound2t64 libgbm1";
const here = { needsDisplay: true };

if (process.platform !== "linux") {
  test("elsewhere Electron brings what it needs", async () => {
    expect(await missingLibraries("/electron", here)).toEqual([]);
  });
} else {
  test("names what the executable lacks, and Xvfb where a display is needed", async () => {
    lddFindsMissing();
    expect(await missingLibraries("/electron", here)).toEqual(["libnss3.so", "libgtk-3.so.0"]);
    rmSync(path.join(folder, "Xvfb"));
    expect(await missingLibraries("/electron", here)).toEqual(["libnss3.so", "libgtk-3.so.0", "Xvfb"]);
    expect(await missingLibraries("/electron", { needsDisplay: false })).not.toContain("Xvfb");
  });

  test("as root on Debian installs them, under the names that this Debian has", async () => {
    lddFindsMissing();
    debian();
    vi.spyOn(process, "getuid").mockReturnValue(0);
    await installLibraries("/electron", here);
    expect(readFileSync(path.join(folder, "apt-get.log"), "utf8").split("\n").slice(0, 2)).toEqual([
      "update -q",
      `install -y -q --no-install-recommends ${packages}`,
    ]);
  });

  test("installs nothing when nothing is missing", async () => {
    debian();
    vi.spyOn(process, "getuid").mockReturnValue(0);
    await installLibraries("/electron", here);
    expect(existsSync(path.join(folder, "apt-get.log"))).toBe(false);
  });

  test("fails when they are still missing afterwards", async () => {
    lddFindsMissing();
    debian();
    program("apt-get", "exit 0");
    vi.spyOn(process, "getuid").mockReturnValue(0);
    await expect(installLibraries("/electron", here)).rejects.toThrow(
      "still has no libnss3.so, libgtk-3.so.0",
    );
  });

  test("as another user prints the exact command, and runs none", async () => {
    lddFindsMissing();
    debian();
    vi.spyOn(process, "getuid").mockReturnValue(1000);
    await expect(installLibraries("/electron", here)).rejects.toMatchObject({
      message: "Electron cannot run yet: this system has no libnss3.so, libgtk-3.so.0.",
      remedy: `Install it with: sudo apt-get update && sudo apt-get install -y --no-install-recommends ${packages}`,
    });
    expect(existsSync(path.join(folder, "apt-get.log"))).toBe(false);
  });
}
