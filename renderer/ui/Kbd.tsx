import { cx } from "./cx";
import { keyText } from "./keys";

/** A shortcut as it is printed on the keyboard. Decoration: the control itself carries `aria-keyshortcuts`. */
export function Kbd({ keys, onAccent = false }: { keys: string; onAccent?: boolean }) {
  return (
    <kbd
      aria-hidden
      data-drawn={keyText(keys)}
      className={cx(
        "before:content-[attr(data-drawn)] inline-flex h-[18px] min-w-[18px] shrink-0 items-center justify-center rounded-xs px-1 text-xs leading-none whitespace-nowrap",
        onAccent ? "text-current opacity-90" : "border border-line bg-canvas text-ink-3",
      )}
    />
  );
}
