// `npm run verify-package`: makes the Debian package, installs it on a Debian that has nothing but its base system, starts it
// there as an ordinary user with Chromium's sandbox on, and goes through the demo's turn. Then Holdfast is quit and the package
// removed, and nothing of either may be left. Needs root, debootstrap and a mirror of Debian; takes some minutes.
//
// The Debian is a folder that becomes the root of a mount namespace by pivot_root. In a mere chroot the kernel refuses user
// namespaces, and with them Chromium's sandbox and codex's.

import { spawn } from "node:child_process";
import {
  chmodSync,
  copyFileSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
} from "node:fs";
import path from "node:path";
import { chromium } from "@playwright/test";
import { run } from "./setup/command.mjs";
import { openDisplay } from "./setup/display.mjs";
import { inProject, packageVersion, projectRoot, workFolder } from "./setup/project.mjs";
import { runScript, SetupError, say, saying } from "./setup/report.mjs";

const suite = process.env.HOLDFAST_DEBIAN_SUITE ?? "bookworm";
const mirror = process.env.HOLDFAST_DEBIAN_MIRROR ?? "http://deb.debian.org/debian";
const user = "person";
const stepTimeoutMs = 15 * 60_000;
const turnTimeoutMs = 90_000;
const endTimeoutMs = 30_000;

/** Makes the folder $1 the root, with this machine's kernel file systems and X sockets, and runs the rest there. */
const enter = `
root=$1
shift
mount --bind "$root" "$root"
cd "$root"
mkdir -p old tmp/.X11-unix
for each in proc sys dev; do mount --rbind "/$each" "$each"; done
mount --bind /tmp/.X11-unix tmp/.X11-unix
pivot_root . old
cd /
umount -l /old
rmdir /old
exec "$@"
`;

await runScript(async () => {
  if (process.platform !== "linux" || process.getuid?.() !== 0) {
    throw new SetupError("A package can be verified on Linux only, and by root only.");
  }
  await must("debootstrap", ["--version"]).catch((cause) => {
    throw new SetupError("A bare Debian is made by debootstrap, which cannot be run here.", {
      remedy: "Install it with: apt-get install --yes debootstrap",
      cause,
    });
  });
  const version = packageVersion(projectRoot);
  const name = `holdfast_${version}_${process.arch === "x64" ? "amd64" : process.arch}.deb`;
  await must(process.execPath, [inProject("scripts", "package.mjs"), "deb", "--fast"]);
  mkdirSync(workFolder, { recursive: true });
  const root = mkdtempSync(path.join(workFolder, "debian-"));
  // It becomes everybody's root.
  chmodSync(root, 0o755);
  const within = (/** @type {string[]} */ ...command) => must("unshare", entering(root, command));
  try {
    await saying(`Getting the base system of Debian ${suite}`, () =>
      must("debootstrap", ["--variant=minbase", suite, root, mirror]),
    );
    copyFileSync(inProject("dist", name), path.join(root, "tmp", name));
    copyFileSync("/etc/resolv.conf", path.join(root, "etc", "resolv.conf"));
    await saying("Installing the package", async () => {
      await within("apt-get", "-qq", "update");
      await within("apt-get", "-qq", "install", "--yes", "--no-install-recommends", `/tmp/${name}`);
    });
    await within("useradd", "--create-home", user);
    const told = await within("su", "-", user, "-c", "holdfast --version; command -v node || true");
    if (told.stdout !== `holdfast ${version}\n`) {
      throw new SetupError(`"holdfast --version" on the PATH of a user says: ${told.stdout}`);
    }
    await saying("Going through the demo's turn as an ordinary user", () => demoTurn(root));
    await within("apt-get", "-qq", "remove", "--yes", "--purge", "holdfast");
    const left = ["usr/lib/holdfast", "usr/bin/holdfast", "etc/apparmor.d/holdfast"].filter(
      (each) => lstatSync(path.join(root, each), { throwIfNoEntry: false }) !== undefined,
    );
    if (left.length > 0) throw new SetupError(`Removing the package has left ${left.join(", ")}.`);
  } finally {
    endAll(root);
    // Never into what is mounted there.
    await run("umount", ["--recursive", "--lazy", path.join(root, "proc")]);
    await must("rm", ["-r", "--force", "--one-file-system", root]);
  }
  say("The package installs, runs and goes without a trace");
  return 0;
});

/** @param {string} root */
async function demoTurn(root) {
  const display = await openDisplay();
  const authority = path.join(root, "home", user, ".Xauthority");
  copyFileSync(/** @type {string} */ (display.env.XAUTHORITY), authority);
  await must("unshare", entering(root, ["chown", `${user}:`, `/home/${user}/.Xauthority`]));
  const command = `DISPLAY=${display.env.DISPLAY} exec holdfast --remote-debugging-port=0`;
  const child = spawn("unshare", entering(root, ["su", "-", user, "-c", command]), {
    stdio: ["ignore", "ignore", "pipe"],
  });
  try {
    const browser = await chromium.connectOverCDP(await addressFrom(child));
    const page = browser.contexts()[0]?.pages()[0];
    if (!page) throw new SetupError("It has opened no window.");
    await page.getByRole("button", { name: "Open the demo" }).click();
    await page.getByRole("button", { name: "Run a demo turn" }).click();
    const approval = page.getByRole("group", { name: "Approval request" });
    await approval
      .getByRole("button", { name: /^Approve/ })
      .first()
      .click({ timeout: turnTimeoutMs });
    await page.getByRole("treeitem", { name: /, idle/ }).waitFor({ timeout: turnTimeoutMs });
    await page.getByRole("article", { name: "File change" }).first().waitFor();
    await page.screenshot({ path: inProject("dist", "demo-on-debian.png") });
    const isUnsandboxed = processesIn(root).some(({ words }) => words.includes("--no-sandbox"));
    if (isUnsandboxed) throw new SetupError("It runs without Chromium's sandbox.");
    await browser.close();
    const main = processesIn(root).find(
      ({ words }) => words[0]?.endsWith("holdfast") && !words.some((word) => word.startsWith("--type=")),
    );
    if (!main) throw new SetupError("Its main process is not there.");
    process.kill(main.pid, "SIGTERM");
    await untilNone(root);
  } finally {
    endAll(root);
    await display.close();
  }
}

/**
 * Chromium tells where its debugging port is.
 * @param {import("node:child_process").ChildProcess} child
 * @returns {Promise<string>}
 */
function addressFrom(child) {
  return new Promise((resolve, reject) => {
    let said = "";
    const fail = (/** @type {string} */ message) => reject(new SetupError(message, { detail: said }));
    const timer = setTimeout(() => fail("It has not started in time."), turnTimeoutMs);
    child.stderr?.setEncoding("utf8").on("data", (text) => {
      said += text;
      const address = /DevTools listening on ws:\/\/(127\.0\.0\.1:\d+)\//.exec(said)?.[1];
      if (address === undefined) return;
      clearTimeout(timer);
      resolve(`http://${address}`);
    });
    child.once("exit", (code, signal) => {
      clearTimeout(timer);
      fail(`It has ended with ${signal ?? code}.`);
    });
  });
}

/**
 * @param {string} root
 * @param {readonly string[]} command
 */
function entering(root, command) {
  return ["--mount", "--propagation", "private", "sh", "-ec", enter, "sh", root, ...command];
}

/**
 * @param {string} program
 * @param {readonly string[]} args
 */
async function must(program, args) {
  const env = { ...process.env, DEBIAN_FRONTEND: "noninteractive" };
  const result = await run(program, args, { timeoutMs: stepTimeoutMs, env });
  if (result.code !== 0) {
    throw new SetupError(`${program} has failed: ${args.slice(-4).join(" ")}`, { detail: result.output });
  }
  return result;
}

/**
 * What runs out of that root: its mount namespace has the folder as its root.
 * @param {string} root
 */
function processesIn(root) {
  const found = [];
  for (const entry of readdirSync("/proc")) {
    const pid = Number(entry);
    if (!Number.isInteger(pid)) continue;
    try {
      const mounts = readFileSync(`/proc/${pid}/mountinfo`, "utf8");
      const rootMount = mounts.split("\n").find((line) => line.split(" ")[4] === "/");
      if (rootMount?.split(" ")[3] !== root) continue;
      found.push({ pid, words: readFileSync(`/proc/${pid}/cmdline`, "utf8").split("\0") });
    } catch {
      // It has just ended, or is the kernel's.
    }
  }
  return found;
}

/** @param {string} root */
async function untilNone(root) {
  const untilMs = performance.now() + endTimeoutMs;
  for (let left = processesIn(root); left.length > 0; left = processesIn(root)) {
    if (performance.now() > untilMs) {
      throw new SetupError("Holdfast was quit and has left processes.", {
        detail: left.map(({ pid, words }) => `${pid} ${words.join(" ")}`).join("\n"),
      });
    }
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
}

/** @param {string} root */
function endAll(root) {
  for (const { pid } of processesIn(root)) {
    try {
      process.kill(pid, "SIGKILL");
    } catch {
      // It has just ended.
    }
  }
}
