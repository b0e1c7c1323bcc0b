// The search over all settings: a field, and what it finds under it. The keyboard stays in the field; the arrows go through
// what was found, Enter goes to it.

import { Search } from "lucide-react";
import { type KeyboardEvent, type RefObject, useId, useState } from "react";
import { cx } from "../ui/cx";
import { Kbd } from "../ui/Kbd";
import { sectionLabel } from "./catalog";
import { findSettings } from "./find";
import type { Setting } from "./setting";

export interface SettingsSearchProps {
  field: RefObject<HTMLInputElement | null>;
  typed: string;
  onType: (typed: string) => void;
  onGo: (setting: Setting) => void;
}

export function SettingsSearch({ field, typed, onType, onGo }: SettingsSearchProps) {
  const id = useId();
  const [active, setActive] = useState(0);
  const found = findSettings(typed);
  const at = Math.min(active, found.length - 1);
  const isOpen = typed.trim() !== "";
  const press = (event: KeyboardEvent) => {
    if (event.nativeEvent.isComposing || !isOpen) return;
    if (event.key === "ArrowDown" || event.key === "ArrowUp") {
      const by = event.key === "ArrowDown" ? 1 : -1;
      if (found.length > 0) setActive((at + by + found.length) % found.length);
    } else if (event.key === "Enter") {
      const chosen = found[at];
      if (chosen) onGo(chosen);
    } else if (event.key === "Escape") {
      // Not for the dialog, which would close.
      event.stopPropagation();
      onType("");
    } else return;
    event.preventDefault();
  };
  return (
    <>
      <search className="flex h-11 shrink-0 items-center gap-2 border-b border-line px-5 text-ink-3">
        <Search aria-hidden size={15} />
        <input
          ref={field}
          type="search"
          role="combobox"
          aria-label="Search settings"
          aria-expanded={isOpen}
          aria-controls={isOpen ? `${id}-list` : undefined}
          aria-activedescendant={isOpen && at >= 0 ? `${id}-${at}` : undefined}
          aria-autocomplete="list"
          placeholder="Search settings"
          autoComplete="off"
          spellCheck={false}
          value={typed}
          onChange={(event) => {
            setActive(0);
            onType(event.target.value);
          }}
          onKeyDown={press}
          className="min-w-0 flex-1 bg-transparent text-ink outline-none focus-visible:outline-none [&::-webkit-search-cancel-button]:hidden"
        />
        <Kbd keys="mod+f" />
      </search>
      {isOpen && (
        <div className="min-h-0 flex-1 overflow-y-auto p-2">
          {found.length === 0 ? (
            <p role="status" className="py-8 text-center text-ink-3">
              No setting is about that.
            </p>
          ) : (
            <div id={`${id}-list`} role="listbox" aria-label="Settings that were found">
              {found.map((setting, index) => (
                // The keyboard is in the field, which says which option is active.
                <div
                  key={setting.id}
                  id={`${id}-${index}`}
                  role="option"
                  tabIndex={-1}
                  aria-selected={index === at}
                  ref={(element) => {
                    if (index === at) element?.scrollIntoView({ block: "nearest" });
                  }}
                  onPointerMove={() => setActive(index)}
                  onClick={() => onGo(setting)}
                  onKeyDown={press}
                  className={cx("grid rounded-s px-3 py-1.5", index === at && "bg-sel")}
                >
                  <span className="flex gap-2">
                    <span className="flex-1 font-medium">{setting.title}</span>
                    <span className="text-s text-ink-3">{sectionLabel(setting.section)}</span>
                  </span>
                  <span className="truncate text-s text-ink-3">{setting.text}</span>
                </div>
              ))}
            </div>
          )}
        </div>
      )}
    </>
  );
}
