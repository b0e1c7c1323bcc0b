// Finds settings by what was typed: every word must be somewhere, and the title counts most. Pure.

import { sectionLabel, settings } from "./catalog";
import type { Setting } from "./setting";

function weight(setting: Setting, word: string): number {
  const title = setting.title.toLowerCase();
  if (title.startsWith(word)) return 8;
  if (title.includes(` ${word}`)) return 6;
  if (title.includes(word)) return 4;
  if (setting.keywords.toLowerCase().includes(word)) return 3;
  if (sectionLabel(setting.section).toLowerCase().includes(word)) return 2;
  return setting.text.toLowerCase().includes(word) ? 1 : 0;
}

export function findSettings(typed: string, among: readonly Setting[] = settings): Setting[] {
  const words = typed.toLowerCase().split(/\s+/).filter(Boolean);
  const found = among.flatMap((setting) => {
    const weights = words.map((word) => weight(setting, word));
    const isFound = words.length > 0 && weights.every((each) => each > 0);
    return isFound ? [{ setting, weight: weights.reduce((sum, each) => sum + each, 0) }] : [];
  });
  return found.sort((a, b) => b.weight - a.weight).map(({ setting }) => setting);
}
