// What counts as used: whatever these entries reach, and what tests reach.

/** @type {import("knip").KnipConfig} */
export default {
  entry: [
    "main/index.ts",
    // A process of its own.
    "main/supervisor/watchdog/main.ts",
    // A thread for each cell.
    "main/cells/runtime/worker.ts",
    "preload/index.ts",
    "renderer/index.html",
    "scripts/*.mjs",
    "scripts/check/imports.mjs",
    "scripts/setup/default-app/main.js",
    // Run by Electron.
    "scripts/setup/code-cache/make.mjs",
    "bench/*.bench.ts",
    // Started by path: the fake codex and what else tests start, and the reader that is measured against.
    "e2e/support/blockedMcpServer.mjs",
    "e2e/support/cuttableCodex.mjs",
    "e2e/support/fakeCodex/codex.mjs",
    "e2e/support/stagedCodex.mjs",
    "bench/bareReader.mjs",
  ],
  project: [
    "main/**/*.ts",
    "preload/**/*.ts",
    "renderer/**/*.{ts,tsx,css,html}",
    "e2e/**/*.{ts,mjs}",
    "bench/**/*.{ts,mjs}",
    "scripts/**/*.{mjs,js}",
  ],
  // A schema is exported with the type that is inferred from it, whichever of the two is used elsewhere.
  ignoreExportsUsedInFile: true,
  // The programs that scripts and tests run are the system's.
  exclude: ["binaries"],
  ignoreDependencies: [
    // Found by path: the codex binary.
    "@openai/codex",
  ],
  compilers: {
    // The page's scripts are what it imports.
    html: (text) =>
      [...text.matchAll(/<script[^>]*\ssrc="([^"]+)"/g)].map(([, src]) => `import "${src}";`).join("\n"),
  },
};
