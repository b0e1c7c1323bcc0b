// Where one is: as crumbs to go up by, and as a field to type into.

import { ChevronRight, Copy, Pencil } from "lucide-react";
import { type KeyboardEvent, useEffect, useRef, useState } from "react";
import type { EnvironmentView } from "../../../preload/contract/environments";
import { copyText } from "../../state/threadActions";
import { IconButton } from "../../ui/IconButton";
import type { Listing } from "./browser";
import { openFolder } from "./filesStore";
import { crumbsOf, typedPath } from "./paths";

export interface PathBarProps {
  environment: EnvironmentView;
  listing: Listing | null;
}

export function PathBar({ environment: { environmentId, info }, listing }: PathBarProps) {
  const [typing, setTyping] = useState<string | null>(null);
  const edit = useRef<HTMLButtonElement>(null);
  const end = (path: string | null) => {
    setTyping(null);
    if (path !== null) void openFolder(environmentId, path);
  };
  return (
    <>
      {typing === null ? (
        <Crumbs environmentId={environmentId} path={listing?.path ?? null} />
      ) : (
        <PathField
          text={typing}
          onChange={setTyping}
          onEnd={(typed) => {
            end(typed === null ? null : typedPath(typed, listing?.path ?? null, info?.home ?? null));
            // The field goes; the keyboard stays where it was.
            requestAnimationFrame(() => edit.current?.focus());
          }}
          onLeave={() => setTyping(null)}
        />
      )}
      <IconButton
        ref={edit}
        label="Type a path"
        icon={<Pencil size={13} />}
        onClick={() => setTyping(listing?.path ?? "")}
      />
      <IconButton
        label="Copy path"
        icon={<Copy size={13} />}
        disabled={listing === null}
        onClick={() => listing && void copyText(listing.path, "Path")}
      />
    </>
  );
}

function Crumbs({ environmentId, path }: { environmentId: string; path: string | null }) {
  const box = useRef<HTMLElement>(null);
  // The end of a path is what says where one is.
  // biome-ignore lint/correctness/useExhaustiveDependencies: another path has another end
  useEffect(() => {
    if (box.current) box.current.scrollLeft = box.current.scrollWidth;
  }, [path]);
  const crumbs = path === null ? [] : crumbsOf(path);
  return (
    <nav
      ref={box}
      aria-label="Folder"
      className="flex min-w-0 flex-1 items-center overflow-x-auto font-mono text-s [scrollbar-width:none]"
    >
      {crumbs.map((crumb, index) => {
        const isLast = index === crumbs.length - 1;
        return (
          <span key={crumb.path} className="flex shrink-0 items-center">
            {index > 0 && <ChevronRight aria-hidden size={12} className="shrink-0 text-ink-3" />}
            <button
              type="button"
              aria-current={isLast ? "location" : undefined}
              onClick={() => void openFolder(environmentId, crumb.path, crumbs[index + 1]?.path ?? null)}
              className={`ring-inset min-w-6 rounded-xs px-1 leading-6 whitespace-nowrap transition-colors hover:bg-hover ${isLast ? "text-ink" : "text-ink-2"}`}
            >
              {crumb.name}
            </button>
          </span>
        );
      })}
    </nav>
  );
}

interface PathFieldProps {
  text: string;
  onChange: (text: string) => void;
  /** Null: left as it was. */
  onEnd: (typed: string | null) => void;
  onLeave: () => void;
}

function PathField({ text, onChange, onEnd, onLeave }: PathFieldProps) {
  const field = useRef<HTMLInputElement>(null);
  useEffect(() => {
    field.current?.focus();
    field.current?.select();
  }, []);
  const press = (event: KeyboardEvent) => {
    if (event.nativeEvent.isComposing) return;
    if (event.key === "Enter") {
      event.preventDefault();
      onEnd(text);
    } else if (event.key === "Escape") {
      event.preventDefault();
      onEnd(null);
    }
  };
  return (
    <input
      ref={field}
      aria-label="Path"
      spellCheck={false}
      autoComplete="off"
      maxLength={4096}
      value={text}
      onChange={(event) => onChange(event.target.value)}
      onKeyDown={press}
      onBlur={onLeave}
      className="h-6 min-w-0 flex-1 rounded-s border border-field-line bg-raised px-2 font-mono text-s text-ink outline-none focus-visible:outline-2 focus-visible:-outline-offset-1 focus-visible:outline-focus"
    />
  );
}
