// The colours of a terminal, out of the tokens of the theme that is on.

import type { ITheme } from "@xterm/xterm";

/** As they stand in the style sheets; what a program chooses itself is made readable by the emulator. */
const roles = {
  background: "--color-canvas",
  foreground: "--color-ink",
  cursor: "--color-accent",
  cursorAccent: "--color-canvas",
  selectionBackground: "--terminal-selection",
  selectionInactiveBackground: "--terminal-selection-inactive",
  scrollbarSliderBackground: "--terminal-thumb",
  scrollbarSliderHoverBackground: "--terminal-thumb-hover",
  scrollbarSliderActiveBackground: "--terminal-thumb-hover",
  black: "--ansi-0",
  red: "--ansi-1",
  green: "--ansi-2",
  yellow: "--ansi-3",
  blue: "--ansi-4",
  magenta: "--ansi-5",
  cyan: "--ansi-6",
  white: "--ansi-7",
  brightBlack: "--ansi-8",
  brightRed: "--ansi-9",
  brightGreen: "--ansi-10",
  brightYellow: "--ansi-11",
  brightBlue: "--ansi-12",
  brightMagenta: "--ansi-13",
  brightCyan: "--ansi-14",
  brightWhite: "--ansi-15",
} as const satisfies Partial<Record<keyof ITheme, string>>;

/** `within`: an element that the tokens reach. */
export function terminalTheme(within: HTMLElement): ITheme {
  const sample = document.createElement("span");
  within.append(sample);
  const pixel = document.createElement("canvas");
  pixel.width = 1;
  pixel.height = 1;
  const context = pixel.getContext("2d", { willReadFrequently: true });
  const theme: ITheme = {};
  for (const [role, token] of Object.entries(roles) as [keyof typeof roles, string][]) {
    sample.style.color = `var(${token})`;
    if (context) theme[role] = asHex(context, getComputedStyle(sample).color);
  }
  sample.remove();
  return theme;
}

/** An emulator knows fewer ways to write a colour than a style sheet does. */
function asHex(context: CanvasRenderingContext2D, colour: string): string {
  context.clearRect(0, 0, 1, 1);
  context.fillStyle = colour;
  context.fillRect(0, 0, 1, 1);
  const [red = 0, green = 0, blue = 0, alpha = 255] = context.getImageData(0, 0, 1, 1).data;
  const hex = [red, green, blue, ...(alpha < 255 ? [alpha] : [])].map((part) =>
    part.toString(16).padStart(2, "0"),
  );
  return `#${hex.join("")}`;
}

/** Calls `changed` when the theme does. Returns what stops that. */
export function followTerminalTheme(changed: () => void): () => void {
  const observer = new MutationObserver(changed);
  observer.observe(document.documentElement, { attributes: true, attributeFilter: ["data-theme"] });
  return () => observer.disconnect();
}
