// Finds words in what a terminal has printed, the newest first.

import { ChevronDown, ChevronUp, X } from "lucide-react";
import { type KeyboardEvent, useEffect, useRef, useState } from "react";
import { IconButton } from "../ui/IconButton";
import { TextField } from "../ui/TextField";
import type { Found, Screen } from "./screen";

export interface FindBarProps {
  screen: Screen;
  /** Counts how often it was asked for: the field takes the keyboard each time. */
  asked: number;
  onClose: () => void;
}

export function FindBar({ screen, asked, onClose }: FindBarProps) {
  const [words, setWords] = useState("");
  const [found, setFound] = useState<Found | null>(null);
  const box = useRef<HTMLDivElement>(null);
  useEffect(() => {
    if (asked === 0) return;
    const field = box.current?.querySelector("input");
    field?.focus();
    field?.select();
  }, [asked]);
  const change = (next: string) => {
    setWords(next);
    setFound(next === "" ? null : screen.find(next, -1, true));
  };
  const go = (by: 1 | -1) => {
    if (words !== "") setFound(screen.find(words, by, false));
  };
  const press = (event: KeyboardEvent) => {
    if (event.key === "Enter") {
      event.preventDefault();
      go(event.shiftKey ? 1 : -1);
    } else if (event.key === "Escape") {
      // It closes this and no pane around it.
      event.preventDefault();
      event.stopPropagation();
      onClose();
    }
  };
  return (
    <search
      ref={box}
      aria-label="Find in the terminal"
      className="absolute top-1.5 right-4 left-4 z-20 ml-auto flex max-w-100 items-center gap-1 rounded-m border border-line bg-raised px-2 py-1.5 shadow-pop"
    >
      <TextField
        label="Find in the terminal"
        hideLabel
        mono
        value={words}
        onChange={change}
        onKeyDown={press}
        placeholder="Find…"
        className="min-w-0 flex-1 grid-cols-[minmax(0,1fr)]"
      />
      <span role="status" className="min-w-16 px-1 text-right text-xs text-ink-3 tabular">
        {found === null ? "" : found.count === 0 ? "None" : `${found.index} of ${found.count}`}
      </span>
      <IconButton
        size="s"
        label="Find the one before"
        icon={<ChevronUp size={15} />}
        onClick={() => go(-1)}
      />
      <IconButton size="s" label="Find the next one" icon={<ChevronDown size={15} />} onClick={() => go(1)} />
      <IconButton size="s" label="Close finding" icon={<X size={15} />} onClick={onClose} />
    </search>
  );
}
