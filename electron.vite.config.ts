// Three bundles for three worlds. Everything is bundled except electron and what package.json has under `dependencies`:
// native code, and the codex package that is found by path. The targets are the oldest runtime that runs the bundles,
// which is Electron 33 (Node 20.18, Chromium 130), whatever version the types are from.

import { resolve } from "node:path";
import tailwindcss from "@tailwindcss/vite";
import react from "@vitejs/plugin-react";
import { defineConfig } from "electron-vite";

const root = import.meta.dirname;

export default defineConfig({
  main: {
    build: {
      target: "node20.18",
      sourcemap: true,
      rolldownOptions: {
        input: {
          index: resolve(root, "main/index.ts"),
          watchdog: resolve(root, "main/supervisor/watchdog/main.ts"),
          "cells/worker": resolve(root, "main/cells/runtime/worker.ts"),
        },
        output: {
          // Modules of their own kind are loaded in more steps, and nothing of theirs can be kept compiled: see codeCache.ts.
          format: "cjs",
          entryFileNames: "[name].cjs",
          chunkFileNames: "chunks/[name]-[hash].cjs",
          // What is only for readers would be read at each start. Names of functions and classes stay, for stacks in logs.
          minify: {
            compress: true,
            mangle: { toplevel: true, keepNames: { function: true, class: true } },
            codegen: { removeWhitespace: true },
          },
        },
      },
    },
  },
  preload: {
    build: {
      target: "node20.18",
      sourcemap: true,
      // A sandboxed preload can require nothing but electron, and no second file: one CommonJS bundle.
      externalizeDeps: false,
      rolldownOptions: {
        input: { index: resolve(root, "preload/index.ts") },
        output: { format: "cjs", entryFileNames: "[name].cjs", codeSplitting: false },
      },
    },
  },
  renderer: {
    root: resolve(root, "renderer"),
    plugins: [react(), tailwindcss()],
    worker: { format: "es" },
    build: {
      target: "chrome130",
      minify: true,
      sourcemap: true,
      rolldownOptions: {
        input: { index: resolve(root, "renderer/index.html") },
        // What the first window is drawn with is one file: each file more is a way to main and back, while main starts too.
        output: { codeSplitting: { groups: [{ name: "first", tags: ["$initial"] }] } },
      },
    },
  },
});
