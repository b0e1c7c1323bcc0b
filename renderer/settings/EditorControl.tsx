import { type KeyboardEvent, useEffect, useState } from "react";
import type { CallResult } from "../../preload/contract";
import { commandWords } from "../../preload/contract/editor";
import { call } from "../state/connection";
import { attempt } from "../state/toasts";
import { Button } from "../ui/Button";
import { TextField } from "../ui/TextField";

export interface EditorControlProps {
  /** The accessible name of the field. */
  label: string;
  /** null: none is chosen. */
  value: string | null;
  onChange: (value: string | null) => void;
}

type Found = CallResult<"editor.find">["editors"];

/**
 * The command of the person's editor: typed, or one of those that are on this machine. It takes effect with Enter and when
 * the field is left. What cannot be set stays in it, to be corrected, while the old one stays in force; Escape brings that back.
 */
export function EditorControl({ label, value, onChange }: EditorControlProps) {
  const [typed, setTyped] = useState<string | null>(null);
  const [error, setError] = useState<string | null>(null);
  const [found, setFound] = useState<Found | null>(null);
  useEffect(() => {
    let isWanted = true;
    void attempt(call("editor.find", {})).then((answer) => isWanted && answer && setFound(answer.editors));
    return () => {
      isWanted = false;
    };
  }, []);
  const take = (next: string | null) => {
    setTyped(null);
    setError(null);
    if (next !== value) onChange(next);
  };
  const commit = () => {
    if (typed === null) return;
    const command = typed.trim();
    const words = commandWords(command);
    if (command === "") take(null);
    else if (words.ok) take(command);
    else setError(words.said);
  };
  const press = (event: KeyboardEvent<HTMLInputElement>) => {
    if (event.key === "Enter") commit();
    else if (event.key === "Escape" && typed !== null) {
      // Not for the dialog, which would close.
      event.stopPropagation();
      take(value);
    } else return;
    event.preventDefault();
  };
  return (
    <div className="grid w-72 max-w-full gap-1.5">
      <TextField
        label={label}
        hideLabel
        mono
        placeholder="code --reuse-window"
        value={typed ?? value ?? ""}
        onChange={(next) => {
          setTyped(next);
          setError(null);
        }}
        onKeyDown={press}
        onBlur={commit}
        error={error}
      />
      {found !== null && (
        <div className="flex flex-wrap items-center gap-1.5 text-s text-ink-3">
          {found.length === 0 ? "None that Holdfast knows is on your PATH." : "Found here:"}
          {found.map(({ name, command, path }) => (
            <Button
              key={command}
              size="s"
              title={path}
              aria-pressed={value === command}
              onClick={() => take(command)}
            >
              {name}
            </Button>
          ))}
        </div>
      )}
    </div>
  );
}
