// What the preload gives to the page beside the port.

import type { HoldfastGlobal } from "../../preload/contract/port";

declare global {
  interface Window {
    holdfast?: HoldfastGlobal;
  }
}

/** Where a dropped or picked file is on disk; null when it is not on disk. */
export function pathOfFile(file: File): string | null {
  return window.holdfast?.pathOfFile(file) || null;
}
