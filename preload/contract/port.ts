// How the port gets to the page, and the few things beside it that the preload gives to the page. No zod here: the preload
// imports this file alone, and so stays small.

/**
 * The preload posts `{ type: portOfferType }` to its own window, with the port attached, once the page's scripts have
 * run. A page gets one port; a page that is loaded again gets a new one, and the old one is closed.
 */
export const portOfferType = "holdfast:port";

/** Main to preload: here is the port. */
export const portChannel = "holdfast:port";

/** Preload to main: a page is being loaded and needs a port. */
export const portRequestChannel = "holdfast:port-request";

/** Preload to main: the page's first script runs. */
export const pageBeginsChannel = "holdfast:page-begins";

/** `window.holdfast` */
export interface HoldfastGlobal {
  /** Tells main that the page's script has arrived and runs: until then main keeps out of its way. */
  begins(): void;
  /** Where a dropped or picked `File` is on disk; an empty string when it is not on disk. */
  pathOfFile(file: object): string;
}
