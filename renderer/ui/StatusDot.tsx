import { cx } from "./cx";
import { Spinner } from "./Spinner";

export type DotTone = "idle" | "ok" | "warn" | "bad" | "busy" | "hollow";

const tones: Record<Exclude<DotTone, "busy">, string> = {
  idle: "bg-dot-idle",
  ok: "bg-dot-ok",
  warn: "bg-dot-warn",
  bad: "bg-dot-bad",
  hollow: "border-[1.5px] border-dot-idle",
};

/** Colour for a state. Never alone: the word for the state stands beside it or in the name of what it belongs to. */
export function StatusDot({ tone, className }: { tone: DotTone; className?: string }) {
  if (tone === "busy") return <Spinner className={className} />;
  return (
    <span aria-hidden className={cx("inline-block size-2 shrink-0 rounded-full", tones[tone], className)} />
  );
}

/** The dot with its word. */
export function Status({ tone, word, className }: { tone: DotTone; word: string; className?: string }) {
  return (
    <span className={cx("inline-flex items-center gap-1.5 whitespace-nowrap", className)}>
      <StatusDot tone={tone} />
      {word}
    </span>
  );
}
