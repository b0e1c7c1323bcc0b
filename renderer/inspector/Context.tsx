import { tokenWords } from "../conversation/time/durations";
import { useHead } from "../state/threadStore";
import { cx } from "../ui/cx";
import { contextFill } from "./progressWords";
import { Fact, Facts, Section } from "./Section";

const fills = { calm: "bg-accent", high: "bg-dot-warn", full: "bg-dot-bad" };

/** How full the context is, and what the thread has used in all, which is never shown as a fill level. */
export function Context() {
  const usage = useHead((head) => head.usage);
  if (usage === null) return null;
  const fill = contextFill(usage);
  return (
    <Section title="Tokens">
      {fill.kind === "of window" ? (
        <div className="grid gap-1">
          <Facts>
            <Fact name="Context">
              {tokenWords(fill.tokens)} of {tokenWords(fill.window)} · {fill.percent} %
            </Fact>
          </Facts>
          <meter
            className="sr-only"
            aria-label="Context used"
            aria-valuetext={`${fill.percent} percent, ${tokenWords(fill.tokens)} of ${tokenWords(fill.window)} tokens`}
            min={0}
            max={100}
            value={fill.percent}
          />
          <div aria-hidden className="h-[5px] overflow-hidden rounded-full bg-line">
            <div
              className={cx("h-full rounded-full transition-[width]", fills[fill.level])}
              style={{ width: `${fill.percent}%` }}
            />
          </div>
          {fill.level !== "calm" && (
            <p className="text-s text-pretty text-ink-2">
              {fill.level === "full" ? "The context is almost full." : "The context is filling up."} codex
              compacts it by itself when it has to; "Compact the context" in the command palette does it now.
            </p>
          )}
        </div>
      ) : (
        <Facts>
          <Fact name="Last request">{tokenWords(fill.tokens)}</Fact>
        </Facts>
      )}
      <Facts>
        <Fact name="Spent in this thread">{tokenWords(usage.totalTokens)}</Fact>
      </Facts>
    </Section>
  );
}
