// What an installed Holdfast consists of, for electron-builder. `scripts/package.mjs` runs it and makes the Debian package and
// the archive for Linux from its folder; the disk image and the installer for Windows are made by electron-builder itself, on
// those systems.

import { rm } from "node:fs/promises";
import path from "node:path";

/**
 * What starts an app from a folder, in an Electron for development, has no place in an app.
 * @param {import("electron-builder").AfterPackContext} context
 */
export async function withoutDefaultApp({ appOutDir, packager }) {
  await rm(path.join(packager.getResourcesDir(appOutDir), "default_app.asar"), { force: true });
}

/** @type {import("electron-builder").Configuration} */
export default {
  appId: "dev.holdfast.app",
  productName: "Holdfast",
  copyright: "The Holdfast developers, MIT licence",
  directories: { output: "dist", buildResources: "packaging" },
  files: [
    "out/**",
    "!out/**/*.map",
    "package.json",
    // Voice: nothing that an app-server uses here.
    "!node_modules/@openai/codex-*/vendor/*/codex-resources/voice/**",
    "!node_modules/@photostructure/sqlite/src/**",
    "!node_modules/@photostructure/sqlite/prebuilds/**",
    `node_modules/@photostructure/sqlite/prebuilds/${process.platform}-${process.arch}/**`,
    "!node_modules/node-addon-api/**",
    // Part of the window's bundle.
    "!node_modules/@xterm/**",
    "!**/*.{md,ts,mts,cts,map}",
  ],
  asar: true,
  // Programs and native code are run from files; nothing else needs to be one.
  asarUnpack: ["node_modules/@openai/**", "node_modules/@photostructure/sqlite/prebuilds/**"],
  npmRebuild: false,
  afterPack: withoutDefaultApp,
  electronFuses: {
    // The watchdog, which outlives the app, is Electron as plain Node.
    runAsNode: true,
    enableCookieEncryption: true,
    enableNodeOptionsEnvironmentVariable: false,
    enableNodeCliInspectArguments: false,
    enableEmbeddedAsarIntegrityValidation: true,
    onlyLoadAppFromAsar: true,
    loadBrowserProcessSpecificV8Snapshot: false,
    grantFileProtocolExtraPrivileges: false,
  },
  // Where updates come from is written into the app only when a feed is given.
  publish: process.env.HOLDFAST_UPDATE_FEED
    ? [{ provider: "generic", url: process.env.HOLDFAST_UPDATE_FEED }]
    : null,
  linux: {
    executableName: "holdfast",
    category: "Development",
    target: [{ target: "dir" }, { target: "AppImage" }],
    icon: "icons",
  },
  mac: {
    category: "public.app-category.developer-tools",
    target: [{ target: "dmg" }, { target: "zip" }],
    icon: "icons/1024x1024.png",
    hardenedRuntime: true,
    gatekeeperAssess: false,
  },
  win: { target: [{ target: "nsis" }], icon: "icons/512x512.png" },
  nsis: { oneClick: false, perMachine: false, allowToChangeInstallationDirectory: true },
};
