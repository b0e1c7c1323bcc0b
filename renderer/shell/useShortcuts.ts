// The one listener for shortcuts of the whole window. A key that a control has used itself (`preventDefault`) is its own.

import { useLayoutEffect } from "react";
import { confirmStore } from "../state/confirm";
import { type DialogShown, uiStore } from "../state/uiStore";
import { pressMatches } from "../ui/keys";
import { commands } from "./commands";

/** While someone writes, a key without the command key is a letter. */
export function isWriting(target: EventTarget | null): boolean {
  return (
    target instanceof HTMLElement &&
    (target.isContentEditable || target.tagName === "INPUT" || target.tagName === "TEXTAREA")
  );
}

function isBare(shortcut: string): boolean {
  return !/(mod|ctrl)\+/.test(shortcut) && !/^(shift\+)?f\d+$/.test(shortcut);
}

const paletteKeys: ReadonlySet<string> = new Set(["palette", "palette-commands", "go-to-file"]);

function leadsOn(dialog: DialogShown | null): boolean {
  return confirmStore.getState().open === null && (dialog?.kind === "palette" || dialog?.kind === "file");
}

export function useShortcuts(): void {
  // Before the window is painted: what can be seen can be used.
  useLayoutEffect(() => {
    const press = (event: KeyboardEvent) => {
      if (event.defaultPrevented || event.isComposing || event.repeat) return;
      const writing = isWriting(event.target);
      const { dialog } = uiStore.getState();
      const covered = dialog !== null || confirmStore.getState().open !== null;
      for (const command of commands) {
        const hit = command.shortcuts?.some(
          (shortcut) => pressMatches(event, shortcut) && !(writing && isBare(shortcut)),
        );
        if (!hit) continue;
        // A dialog is answered or closed first; only the palette's own keys lead on, from it and from a file.
        if (covered && !command.overDialogs && !(paletteKeys.has(command.id) && leadsOn(dialog))) return;
        event.preventDefault();
        if (command.usable?.() ?? true) command.run();
        return;
      }
    };
    window.addEventListener("keydown", press);
    return () => window.removeEventListener("keydown", press);
  }, []);
}
