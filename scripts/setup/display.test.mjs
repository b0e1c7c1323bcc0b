// With an Xvfb of our own on the PATH, so that the test says when it starts, tells its number, and fails.

import { spawn } from "node:child_process";
import { once } from "node:events";
import { chmodSync, existsSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { openDisplay } from "./display.mjs";
import { readProcess } from "./processes.mjs";

const displayModule = new URL("./display.mjs", import.meta.url).href;

let folder = "";
beforeEach(() => {
  folder = mkdtempSync(path.join(tmpdir(), "holdfast-xvfb-"));
});
afterEach(() => rmSync(folder, { recursive: true }));

/** @param {string} script of a program that stands in for Xvfb */
function environmentWith(script) {
  const file = path.join(folder, "Xvfb");
  writeFileSync(file, `#!/bin/sh\n${script}\n`);
  chmodSync(file, 0o755);
  return { ...process.env, PATH: `${folder}${path.delimiter}${process.env.PATH}` };
}

const server = () => `echo $$ > ${folder}/pid; echo "$@" > ${folder}/arguments; echo 42 >&3; exec sleep 600`;
const serverPid = () => Number(readFileSync(path.join(folder, "pid"), "utf8"));

if (process.platform === "linux") {
  test("takes the number that the server tells, and ends the server and its files when closed", async () => {
    const display = await openDisplay(environmentWith(server()));
    const authority = display.env.XAUTHORITY ?? "";
    expect(display.env.DISPLAY).toBe(":42");
    expect(readFileSync(path.join(folder, "arguments"), "utf8")).toContain(
      `-nolisten tcp -noreset -auth ${authority}`,
    );
    expect(statSync(authority).mode & 0o777).toBe(0o600);
    expect(readProcess(serverPid())).toBeDefined();
    await display.close();
    expect(readProcess(serverPid())).toBeUndefined();
    expect(existsSync(path.dirname(authority))).toBe(false);
  });

  test("says what the server said when it does not start", async () => {
    const opening = openDisplay(environmentWith("echo no screens found >&2; exit 1"));
    await expect(opening).rejects.toMatchObject({ detail: "no screens found\n" });
  });

  test("the server ends when the process that wanted it is killed", async () => {
    const program = `import { openDisplay } from ${JSON.stringify(displayModule)};
      const display = await openDisplay();
      console.log(display.env.XAUTHORITY);
      setInterval(() => {}, 1000);`;
    const child = spawn(process.execPath, ["--input-type=module", "--eval", program], {
      stdio: ["ignore", "pipe", "ignore"],
      env: environmentWith(server()),
    });
    const [authority] = await once(child.stdout, "data");
    const pid = serverPid();
    expect(readProcess(pid)).toBeDefined();
    child.kill("SIGKILL");
    await expect.poll(() => existsSync(path.dirname(String(authority).trim()))).toBe(false);
    expect(readProcess(pid)).toBeUndefined();
  });
} else {
  test("is for Linux only", async () => {
    const { hasDisplay } = await import("./display.mjs");
    expect(hasDisplay()).toBe(true);
  });
}
