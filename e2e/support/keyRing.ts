// A key store of a test's own: GNOME's, on a message bus that only this test's Holdfast knows. The bus starts it when it is asked
// for the first time, so nobody comes too early.

import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync } from "node:fs";
import { chmod, mkdir, readFile, writeFile } from "node:fs/promises";
import path from "node:path";
import { expect } from "@playwright/test";
import { isAlive } from "./processes";

const installed = path.resolve(import.meta.dirname, "..", "..", ".setup", "key-ring");
const libraries = ["lib", "usr/lib"]
  .flatMap((folder) =>
    ["", "x86_64-linux-gnu", "aarch64-linux-gnu"].map((triple) => path.join(installed, folder, triple)),
  )
  .filter(existsSync);

/** To be loaded into a Holdfast that is to use one. */
export const usesKeyRing = [path.join(import.meta.dirname, "platformKeyStore.cjs")];

/** `npm test` fetches it, where that can be done. */
export const hasKeyRing = process.platform === "linux" && existsSync(installed);

export interface KeyRing {
  /** For a Holdfast that is to use it. */
  environment: Record<string, string>;
  end(): Promise<void>;
}

/** In a folder, which is made: with another one it is another key store. */
export async function startKeyRing(folder: string): Promise<KeyRing> {
  await mkdir(path.join(folder, "services"), { recursive: true });
  await mkdir(path.join(folder, "run"), { mode: 0o700 });
  const password = path.join(folder, "password");
  const pidFile = path.join(folder, "pid");
  const script = path.join(folder, "start.sh");
  await writeFile(password, "a password of the test's");
  await writeFile(
    script,
    `#!/bin/sh
echo $$ > '${pidFile}'
exec '${installed}/usr/bin/gnome-keyring-daemon' --unlock --foreground --components=secrets < '${password}'
`,
  );
  await chmod(script, 0o700);
  await writeFile(
    path.join(folder, "services", "org.freedesktop.secrets.service"),
    `[D-BUS Service]\nName=org.freedesktop.secrets\nExec=${script}\n`,
  );
  const configuration = path.join(folder, "bus.conf");
  await writeFile(configuration, busConfiguration(folder));
  const libraryPath = { LD_LIBRARY_PATH: libraries.join(":") };
  const bus = spawn(
    path.join(installed, "usr", "bin", "dbus-daemon"),
    [`--config-file=${configuration}`, "--nofork", "--print-address=1"],
    {
      env: {
        PATH: process.env.PATH,
        HOME: folder,
        XDG_RUNTIME_DIR: path.join(folder, "run"),
        // By this a run of tests finds what it has left.
        HOLDFAST_TEST_RUN: process.env.HOLDFAST_TEST_RUN,
        ...libraryPath,
      },
      stdio: ["ignore", "pipe", "pipe"],
    },
  );
  const address = await printedAddress(bus);
  return {
    environment: {
      DBUS_SESSION_BUS_ADDRESS: address,
      // By this Chromium chooses its key store.
      XDG_CURRENT_DESKTOP: "GNOME",
      ...libraryPath,
    },
    async end() {
      const pid = existsSync(pidFile) ? Number(await readFile(pidFile, "utf8")) : null;
      if (pid !== null && isAlive(pid)) process.kill(pid, "SIGTERM");
      // The bus is its parent, and takes notice of its end.
      if (pid !== null)
        await expect.poll(() => isAlive(pid), { message: "the key store is gone" }).toBe(false);
      bus.kill("SIGTERM");
      if (bus.exitCode === null && bus.signalCode === null) await once(bus, "exit");
    },
  };
}

function busConfiguration(folder: string): string {
  return `<busconfig>
  <type>session</type>
  <listen>unix:path=${folder}/run/bus</listen>
  <servicedir>${folder}/services</servicedir>
  <policy context="default">
    <allow send_destination="*"/>
    <allow receive_sender="*"/>
    <allow own="*"/>
  </policy>
</busconfig>
`;
}

function printedAddress(bus: ChildProcess): Promise<string> {
  return new Promise((resolve, reject) => {
    let said = "";
    bus.stderr?.on("data", (text) => {
      said += text;
    });
    bus.stdout?.on("data", (text) => resolve(String(text).trim()));
    bus.once("error", reject);
    bus.once("exit", () => reject(new Error(`The message bus ended: ${said}`)));
  });
}
