// What the environment of Electron must and must not have.

import { statfsSync } from "node:fs";

/**
 * @param {NodeJS.ProcessEnv} env
 * @returns {NodeJS.ProcessEnv}
 */
export function environmentForElectron(env) {
  const forElectron = { ...env };
  // Set in terminals inside other Electron apps; it would make Electron run as plain Node.
  delete forElectron.ELECTRON_RUN_AS_NODE;
  return forElectron;
}

/**
 * The switches without which Chromium does not run on this machine. Empty on an ordinary desktop.
 * @param {NodeJS.ProcessEnv} env of the Electron to be started
 * @returns {{ switches: string[], isWithoutSandbox: boolean }}
 */
export function chromiumSwitches(env) {
  if (process.platform !== "linux") return { switches: [], isWithoutSandbox: false };
  const switches = [];
  const isWithoutSandbox = process.getuid?.() === 0;
  if (isWithoutSandbox) switches.push("--no-sandbox");
  if (!env.DISPLAY && env.WAYLAND_DISPLAY) switches.push("--ozone-platform=wayland");
  // Containers often have 64 MiB of it, and a renderer that needs more is killed.
  if (sharedMemoryBytes() < 256 * 1024 * 1024) switches.push("--disable-dev-shm-usage");
  return { switches, isWithoutSandbox };
}

function sharedMemoryBytes() {
  try {
    const { bsize, blocks } = statfsSync("/dev/shm");
    return bsize * blocks;
  } catch {
    // There is none, which Chromium has to be told in the same way.
    return 0;
  }
}
