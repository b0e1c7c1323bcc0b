// The list of commands that opens while "/" and a name are typed.

import { type KeyboardEvent, type RefObject, useState } from "react";
import { commandById, runCommand } from "../shell/commands";
import { type SlashCommand, slashAt, slashMatches } from "./slash";

export interface Slash {
  found: readonly (SlashCommand & { title: string })[];
  active: number;
  setActive(index: number): void;
  choose(index: number): void;
  close(): void;
  /** Something was typed. */
  typed(): void;
  /** True: the key was the list's. */
  press(event: KeyboardEvent): boolean;
}

/** `enabled`: the field is for messages to the thread on screen. */
export function useSlash(field: RefObject<HTMLTextAreaElement | null>, enabled: boolean): Slash {
  const [query, setQuery] = useState<string | null>(null);
  const [active, setActive] = useState(0);
  const found =
    query === null
      ? []
      : slashMatches(query, isUsable).map((each) => ({
          ...each,
          title: commandById(each.commandId)?.title ?? each.name,
        }));
  const close = () => setQuery(null);
  const choose = (index: number) => {
    const element = field.current;
    const chosen = found[index];
    if (!element || !chosen) return;
    close();
    // As if it were deleted by hand: the field's own undo brings it back.
    element.focus();
    element.setSelectionRange(0, element.value.length);
    document.execCommand("delete");
    runCommand(chosen.commandId);
  };
  return {
    found,
    active: Math.min(active, Math.max(0, found.length - 1)),
    setActive,
    choose,
    close,
    typed() {
      const element = field.current;
      setActive(0);
      setQuery(enabled && element ? slashAt(element.value, element.selectionStart) : null);
    },
    press(event) {
      const count = found.length;
      if (count === 0) return false;
      if (event.key === "Escape") close();
      else if (event.key === "ArrowDown") setActive((active + 1) % count);
      else if (event.key === "ArrowUp") setActive((active - 1 + count) % count);
      else if ((event.key === "Enter" && !event.shiftKey) || event.key === "Tab") choose(active);
      else return false;
      return true;
    },
  };
}

function isUsable(commandId: string): boolean {
  const command = commandById(commandId);
  return command !== undefined && (command.usable?.() ?? true);
}
