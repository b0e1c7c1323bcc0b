// The menu of the icon in the tray.

import type { MenuItemConstructorOptions } from "electron";
import type { Place } from "../attention/attention";
import type { Outlook, OutlookEntry } from "../attention/outlook";

export interface TrayMenuOptions {
  outlook: Outlook;
  open(place: Place): void;
  newThread(): void;
  showHoldfast(): void;
  quit(): void;
}

/** More are found in the sidebar. */
const mostListed = 8;

/** What `Menu.buildFromTemplate` takes. */
export function trayMenuTemplate(options: TrayMenuOptions): MenuItemConstructorOptions[] {
  const { outlook } = options;
  const entries = (heading: string, listed: readonly OutlookEntry[]): MenuItemConstructorOptions[] => {
    if (listed.length === 0) return [];
    const more = listed.length - mostListed;
    return [
      { label: `${heading} (${listed.length})`, enabled: false },
      ...listed.slice(0, mostListed).map(({ label, place }) => ({
        // A single & marks the letter that stands for the entry.
        label: label.replaceAll("&", "&&"),
        click: () => options.open(place),
      })),
      ...(more > 0 ? [{ label: `${more} more…`, click: () => options.showHoldfast() }] : []),
      { type: "separator" },
    ];
  };
  return [
    ...entries("Needs you", outlook.needsYou),
    ...entries("Running", outlook.running),
    { id: "tray-new-thread", label: "New Thread", click: () => options.newThread() },
    { id: "tray-show", label: "Show Holdfast", click: () => options.showHoldfast() },
    { type: "separator" },
    { id: "tray-quit", label: "Quit Holdfast", click: () => options.quit() },
  ];
}

/** What is said where the pointer rests on the icon. */
export function trayWords({ needsYou, running }: Outlook): string {
  const parts = [
    ...(needsYou.length > 0 ? [needsYou.length === 1 ? "1 needs you" : `${needsYou.length} need you`] : []),
    ...(running.length > 0 ? [`${running.length} running`] : []),
  ];
  return parts.length === 0 ? "Holdfast" : `Holdfast: ${parts.join(", ")}`;
}
