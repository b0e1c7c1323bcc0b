// Characters that are not seen but change what is read: the direction of text, invisible joiners, controls. In something
// that a person is about to allow they are shown as what they are. Pure.

export interface SeenPart {
  text: string;
  hidden: boolean;
}

function isHidden(code: number): boolean {
  return (
    (code < 0x20 && code !== 0x09 && code !== 0x0a) ||
    (code >= 0x7f && code <= 0x9f) ||
    code === 0xad ||
    (code >= 0x200b && code <= 0x200f) ||
    (code >= 0x2028 && code <= 0x202e) ||
    (code >= 0x2060 && code <= 0x206f) ||
    code === 0xfeff ||
    (code >= 0xfff9 && code <= 0xfffb) ||
    (code >= 0xe0000 && code <= 0xe007f)
  );
}

export function revealHidden(text: string): SeenPart[] {
  const parts: SeenPart[] = [];
  for (const char of text) {
    const code = char.codePointAt(0) ?? 0;
    const hidden = isHidden(code);
    const shown = hidden ? `U+${code.toString(16).toUpperCase().padStart(4, "0")}` : char;
    const last = parts.at(-1);
    if (last && !hidden && !last.hidden) last.text += shown;
    else parts.push({ text: shown, hidden });
  }
  return parts;
}
