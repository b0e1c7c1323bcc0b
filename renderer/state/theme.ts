// How the page looks: theme, density and motion. Light or dark: what is set, or what the system says, as `data-theme` on <html>. The last one is kept in the page's own
// storage only so that the next start does not flash; main's setting is the truth and arrives a moment later.

import type { Settings } from "../../preload/contract/settings";
import { appStore } from "./appStore";

export type Theme = "light" | "dark";

const storageKey = "theme-hint";

export function themeOf(setting: Settings["theme"], systemIsDark: boolean): Theme {
  if (setting === "system") return systemIsDark ? "dark" : "light";
  return setting;
}

function isSetting(value: string | null): value is Settings["theme"] {
  return value === "system" || value === "light" || value === "dark";
}

export function followTheme(): void {
  const system = window.matchMedia("(prefers-color-scheme: dark)");
  const hint = localStorage.getItem(storageKey);
  let setting: Settings["theme"] = isSetting(hint) ? hint : "system";
  const put = () => {
    document.documentElement.dataset.theme = themeOf(setting, system.matches);
  };
  const { dataset } = document.documentElement;
  put();
  system.addEventListener("change", put);
  appStore.subscribe(({ shown }) => {
    if (shown.phase !== "shown") return;
    const { theme, density, motion } = shown.copy.app.settings;
    if (dataset.density !== density) dataset.density = density;
    if (dataset.motion !== motion) dataset.motion = motion;
    if (theme === setting) return;
    setting = theme;
    localStorage.setItem(storageKey, setting);
    put();
  });
}
