// For tests: the watchdog's script in one file, as the build makes it, but for its name.

import { join, resolve } from "node:path";
import { build } from "vite";

/** Bundles it into `outFolder` and returns the file. */
export async function bundleWatchdog(outFolder: string): Promise<string> {
  await build({
    configFile: false,
    logLevel: "error",
    root: resolve(import.meta.dirname, "../../.."),
    // Nothing is left to be found where the script happens to be.
    ssr: { noExternal: true },
    build: {
      ssr: join(import.meta.dirname, "main.ts"),
      outDir: outFolder,
      emptyOutDir: false,
      target: "node20.18",
      rolldownOptions: { output: { format: "esm", entryFileNames: "watchdog.mjs" } },
    },
  });
  return join(outFolder, "watchdog.mjs");
}
