import { cx } from "./cx";

const sizes = { s: "size-3 border-2", m: "size-4 border-2", l: "size-6 border-[2.5px]" };

/** A ring that turns. It means "running" only beside a word that says so, and stands still in a hidden window. */
export function Spinner({ size = "s", className }: { size?: keyof typeof sizes; className?: string }) {
  return (
    <span
      aria-hidden
      className={cx(
        "inline-block shrink-0 animate-turn rounded-full border-line-strong border-t-accent",
        sizes[size],
        className,
      )}
    />
  );
}
