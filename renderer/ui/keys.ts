// Shortcuts, written as "mod+shift+n". `mod` is the platform's command key: Command on a Mac, Control elsewhere; `ctrl` is Control on
// every platform. Pure.

export interface KeyPress {
  key: string;
  code?: string;
  ctrlKey: boolean;
  metaKey: boolean;
  altKey: boolean;
  shiftKey: boolean;
}

export const onMac = typeof navigator !== "undefined" && /Mac/.test(navigator.userAgent);

interface Combination {
  key: string;
  mod: boolean;
  ctrl: boolean;
  shift: boolean;
  alt: boolean;
}

function parse(shortcut: string): Combination {
  const parts = shortcut.toLowerCase().split("+");
  const last = parts.pop() ?? "";
  // The plus sign stands between keys, so as a key it is a word.
  const key = last === "plus" ? "+" : last;
  const has = (part: string) => parts.includes(part);
  return { key, mod: has("mod"), ctrl: has("ctrl"), shift: has("shift"), alt: has("alt") };
}

/** True for keys whose character already depends on Shift ("?"): Shift is then part of the key, not of the shortcut. */
function isSymbol(key: string): boolean {
  return key.length === 1 && !/[a-z0-9]/.test(key);
}

export function pressMatches(press: KeyPress, shortcut: string, mac = onMac): boolean {
  const want = parse(shortcut);
  const ctrl = want.ctrl || (want.mod && !mac);
  const meta = want.mod && mac;
  if (press.ctrlKey !== ctrl || press.metaKey !== meta || press.altKey !== want.alt) return false;
  const key = press.key.toLowerCase();
  // In many layouts another character, or none of its own: its place counts, and Shift makes it another shortcut.
  if (want.key === "`") {
    return press.shiftKey === want.shift && (key === "`" || press.code === "Backquote");
  }
  if (isSymbol(want.key)) return key === want.key;
  if (press.shiftKey !== want.shift) return false;
  if (key === want.key) return true;
  // Where letters are not Latin, the place of the key counts, as in every other app. With Option some are accents.
  const isOtherLetter = key === "dead" || (key.length === 1 && !/[a-z0-9]/.test(key));
  return isOtherLetter && press.code === `Key${want.key.toUpperCase()}`;
}

const macNames: Record<string, string> = {
  mod: "⌘",
  ctrl: "⌃",
  shift: "⇧",
  alt: "⌥",
  enter: "↩",
  escape: "Esc",
  tab: "⇥",
  backspace: "⌫",
  delete: "⌦",
  pageup: "PgUp",
  pagedown: "PgDn",
  arrowup: "↑",
  arrowdown: "↓",
  arrowleft: "←",
  arrowright: "→",
  " ": "Space",
};

const otherNames: Record<string, string> = {
  ...macNames,
  mod: "Ctrl",
  ctrl: "Ctrl",
  shift: "Shift",
  alt: "Alt",
  enter: "Enter",
  escape: "Esc",
  tab: "Tab",
  backspace: "Backspace",
  delete: "Del",
};

/** The keys of a shortcut as they are printed on the keyboard, in the platform's order. */
export function keyNames(shortcut: string, mac = onMac): string[] {
  const names = mac ? macNames : otherNames;
  const { key, mod, ctrl, shift, alt } = parse(shortcut);
  const modifiers = [mod && "mod", ctrl && "ctrl", alt && "alt", shift && "shift"].filter(
    (each) => each !== false,
  );
  // Apple's order is Option, Shift, Command.
  if (mac && mod) modifiers.push(...modifiers.splice(0, 1));
  return [...modifiers, key].map((each) => names[each] ?? each.charAt(0).toUpperCase() + each.slice(1));
}

/** As one word: "⇧⌘N" on a Mac, "Ctrl+Shift+N" elsewhere. */
export function keyText(shortcut: string, mac = onMac): string {
  return keyNames(shortcut, mac).join(mac ? "" : "+");
}

/** For aria-keyshortcuts. */
export function ariaKeys(shortcut: string, mac = onMac): string {
  return shortcut
    .split("+")
    .map((each) => {
      if (each === "mod") return mac ? "Meta" : "Control";
      if (each === "ctrl") return "Control";
      return each.length === 1 ? each.toUpperCase() : each.charAt(0).toUpperCase() + each.slice(1);
    })
    .join("+");
}
