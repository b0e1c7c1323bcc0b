import { useEffect, useRef } from "react";
import { commandById } from "../shell/commands";
import { cx } from "../ui/cx";
import { Kbd } from "../ui/Kbd";
import { optionId } from "./MentionList";
import type { Slash } from "./useSlash";

/** Above the message field while the name of a command is typed. */
export function SlashList({ slash, listId }: { slash: Slash; listId: string }) {
  const active = useRef<HTMLDivElement>(null);
  // biome-ignore lint/correctness/useExhaustiveDependencies: the option that is active is scrolled to when another one is
  useEffect(() => active.current?.scrollIntoView({ block: "nearest" }), [slash.active, slash.found.length]);
  if (slash.found.length === 0) return null;
  return (
    <div className="absolute inset-x-0 bottom-full z-20 mb-1.5 animate-fade overflow-hidden rounded-m border border-line-strong bg-raised shadow-pop">
      <div id={listId} role="listbox" aria-label="Commands" className="max-h-64 overflow-y-auto p-1">
        {slash.found.map(({ name, title, commandId }, index) => {
          const shortcut = commandById(commandId)?.shortcuts?.[0];
          return (
            <div
              key={name}
              ref={index === slash.active ? active : null}
              id={optionId(listId, index)}
              role="option"
              tabIndex={-1}
              aria-selected={index === slash.active}
              onPointerMove={() => index !== slash.active && slash.setActive(index)}
              // The field keeps the keyboard.
              onPointerDown={(event) => event.preventDefault()}
              onMouseDown={(event) => event.preventDefault()}
              onClick={() => slash.choose(index)}
              onKeyDown={undefined}
              className={cx(
                "flex h-7 items-center gap-3 rounded-s px-2",
                index === slash.active && "bg-hover",
              )}
            >
              <span className="w-28 shrink-0 font-mono text-s">/{name}</span>
              <span className="min-w-0 flex-1 truncate text-s text-ink-3">{title}</span>
              {shortcut !== undefined && <Kbd keys={shortcut} />}
            </div>
          );
        })}
      </div>
      <p role="status" className="sr-only">
        {slash.found.length} {slash.found.length === 1 ? "command" : "commands"}
      </p>
    </div>
  );
}
