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

export interface StatusProps {
  tone: DotTone;
  word: string;
  /** Whole sentences, on more than one line where there is no room. */
  wraps?: boolean;
  className?: string;
}

/** The dot with its word. */
export function Status({ tone, word, wraps = false, className }: StatusProps) {
  if (wraps) {
    return (
      <span className={cx("inline-flex max-w-full items-baseline gap-1.5", className)}>
        <StatusDot tone={tone} />
        <span className="min-w-0 text-pretty break-words">{word}</span>
      </span>
    );
  }
  return (
    <span className={cx("inline-flex items-center gap-1.5 whitespace-nowrap", className)}>
      <StatusDot tone={tone} />
      {word}
    </span>
  );
}
