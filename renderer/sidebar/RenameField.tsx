import { useEffect, useRef } from "react";
import { cx } from "../ui/cx";

export interface RenameFieldProps {
  label: string;
  name: string;
  onRename: (name: string) => void;
  /** Always called at the end, renamed or not. `hasLeft`: the keyboard has gone to something else, and stays there. */
  onDone: (hasLeft: boolean) => void;
  className?: string;
}

/** A name that is edited where it stands. Enter and leaving keep it, Escape does not. */
export function RenameField({ label, name, onRename, onDone, className }: RenameFieldProps) {
  const field = useRef<HTMLInputElement>(null);
  const ended = useRef(false);
  useEffect(() => {
    field.current?.focus();
    field.current?.select();
  }, []);
  const end = (keep: boolean, hasLeft = false) => {
    if (ended.current) return;
    ended.current = true;
    const wanted = field.current?.value.trim() ?? "";
    if (keep && wanted !== "" && wanted !== name) onRename(wanted);
    onDone(hasLeft);
  };
  return (
    <input
      ref={field}
      aria-label={label}
      defaultValue={name}
      maxLength={200}
      spellCheck={false}
      onBlur={({ relatedTarget }) => end(true, relatedTarget !== null)}
      onClick={(event) => event.stopPropagation()}
      onKeyDown={(event) => {
        if (event.nativeEvent.isComposing || (event.key !== "Enter" && event.key !== "Escape")) return;
        // It ends this, and closes nothing around it. Other keys are the window's, too.
        event.stopPropagation();
        // The keyboard may be elsewhere before the key has done its work: it is no line break there.
        event.preventDefault();
        end(event.key === "Enter");
      }}
      className={cx(
        "min-w-0 flex-1 rounded-xs bg-raised px-1 text-ink outline-2 outline-focus focus-visible:outline-offset-0",
        className,
      )}
    />
  );
}
