// The commands for how everything looks, in the list of all commands.

import { defaultSettings, textSizes } from "../../preload/contract/settings";
import { appCopy } from "../state/appStore";
import { call } from "../state/connection";
import { attempt } from "../state/toasts";
import type { Command } from "./command";

const textSize = () => appCopy()?.app.settings.textSize ?? defaultSettings.textSize;

function setTextSize(percent: number): void {
  const within = Math.min(Math.max(percent, textSizes.least), textSizes.most);
  if (within !== textSize()) void attempt(call("settings.set", { textSize: within }));
}

export const looksCommands: readonly Command[] = [
  ...(["light", "dark", "system"] as const).map(
    (theme): Command => ({
      id: `theme-${theme}`,
      title: theme === "system" ? "Theme: as the system" : `Theme: ${theme}`,
      group: "Holdfast",
      keywords: "appearance colours colors mode switch",
      usable: () => appCopy()?.app.settings.theme !== theme,
      run: () => void attempt(call("settings.set", { theme })),
    }),
  ),
  {
    id: "text-larger",
    title: "Larger text",
    group: "Holdfast",
    shortcuts: ["mod+plus", "mod+="],
    keywords: "zoom in font size bigger",
    overDialogs: true,
    run: () => setTextSize(textSize() + textSizes.step),
  },
  {
    id: "text-smaller",
    title: "Smaller text",
    group: "Holdfast",
    shortcuts: ["mod+-"],
    keywords: "zoom out font size",
    overDialogs: true,
    run: () => setTextSize(textSize() - textSizes.step),
  },
  {
    id: "text-usual",
    title: "Usual text size",
    group: "Holdfast",
    shortcuts: ["mod+0"],
    keywords: "zoom reset font size 100",
    overDialogs: true,
    run: () => setTextSize(defaultSettings.textSize),
  },
];
