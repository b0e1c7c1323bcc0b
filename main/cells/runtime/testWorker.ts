// For tests: the worker's script in one file, as the build makes it, but for its name and for what it finds in node_modules.

import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { build } from "vite";

export interface BundledWorker {
  path: string;
  remove(): void;
}

export async function bundleWorker(): Promise<BundledWorker> {
  const folder = mkdtempSync(join(tmpdir(), "holdfast-cells-"));
  await build({
    configFile: false,
    logLevel: "error",
    root: resolve(import.meta.dirname, "../../.."),
    // Nothing is left to be found where the script happens to be.
    ssr: { noExternal: true },
    build: {
      ssr: join(import.meta.dirname, "worker.ts"),
      outDir: folder,
      emptyOutDir: false,
      target: "node20.18",
      rolldownOptions: {
        output: { format: "esm", entryFileNames: "worker.mjs", chunkFileNames: "[name]-[hash].mjs" },
      },
    },
  });
  return { path: join(folder, "worker.mjs"), remove: () => rmSync(folder, { recursive: true }) };
}
