import type { ReactNode } from "react";
import type { Item } from "../../../preload/contract/items";
import { useHighlight } from "../highlight/useHighlight";
import { CodeText } from "../markdown/CodeText";
import { between, durationWords } from "../time/durations";
import { useKeptFold } from "./Article";
import { Card } from "./Card";
import { Elapsed } from "./Elapsed";
import { indentedJson } from "./indentedJson";
import { OutputView } from "./OutputView";
import { StatusMark, useStatusWords } from "./StatusMark";

type ToolCallData = Extract<Item, { kind: "toolCall" }>;

export function ToolCallItem({ item }: { item: ToolCallData }) {
  const running = item.status === "running";
  const failed = item.status === "failed" || item.error !== null;
  const [open, setOpen] = useKeptFold("call", false);
  const hasArguments = !isEmpty(item.argumentsText.text);
  const hasResult = item.resultText.text !== "" || item.resultText.droppedUnits > 0;
  const took = item.durationMs ?? between(item.startedAtMs, item.completedAtMs);
  const name = item.server === null ? item.tool : `${item.server} ${item.tool}`;
  const words = useStatusWords(item);
  const outcome = running ? "running" : (words ?? (failed ? "failed" : "done"));
  return (
    <Card
      mark={<StatusMark item={failed && !running ? { ...item, status: "failed" } : item} />}
      title={
        <span className="flex min-w-0 items-baseline gap-2">
          <span className="min-w-0 shrink-0 truncate font-mono text-s">
            {item.server !== null && <span className="text-ink-3">{item.server} · </span>}
            <span className="text-ink">{item.tool}</span>
          </span>
          {running && item.progress !== null && (
            <span className="min-w-0 truncate text-ink-2">{item.progress}</span>
          )}
          {!running && !open && (
            <span className="min-w-0 truncate font-mono text-xs text-ink-3">{brief(item)}</span>
          )}
        </span>
      }
      facts={
        <span className={failed ? "text-bad" : item.status === "lost" ? "text-warn" : undefined}>
          {running ? (
            item.startedAtMs === null ? (
              "running"
            ) : (
              <Elapsed sinceMs={item.startedAtMs} />
            )
          ) : (
            [
              took !== null && item.status !== "lost" ? durationWords(took) : null,
              outcome === "done" ? null : outcome,
            ]
              .filter((each) => each !== null)
              .join(" · ")
          )}
        </span>
      }
      fold={hasArguments || hasResult ? { open, setOpen, label: `${name}, ${outcome}` } : undefined}
    >
      {item.error !== null && (
        <p className="border-t border-line px-3 py-1.5 text-s break-words whitespace-pre-wrap text-bad selectable">
          {item.error}
        </p>
      )}
      {open && hasArguments && (
        <Section title="Arguments">
          {item.argumentsText.droppedUnits > 0 ? (
            <OutputView
              itemId={item.id}
              part="arguments"
              text={item.argumentsText.text}
              droppedUnits={item.argumentsText.droppedUnits}
            />
          ) : (
            <Json text={item.argumentsText.text} />
          )}
        </Section>
      )}
      {open && hasResult && (
        <Section title="Result">
          <OutputView
            itemId={item.id}
            part="result"
            text={indentedJson(item.resultText.text)}
            droppedUnits={item.resultText.droppedUnits}
          />
        </Section>
      )}
    </Card>
  );
}

function Section({ title, children }: { title: string; children: ReactNode }) {
  return (
    <section>
      <h4 className="border-t border-line px-3 pt-1.5 pb-0.5 text-xs font-semibold text-ink-3">{title}</h4>
      {children}
    </section>
  );
}

function Json({ text }: { text: string }) {
  const code = indentedJson(text);
  const highlight = useHighlight(code, "json", false);
  return (
    <pre
      // biome-ignore lint/a11y/noNoninteractiveTabindex: it scrolls with the keyboard
      tabIndex={0}
      className="ring-inset max-h-70 overflow-auto px-3 pt-0.5 pb-2 text-s leading-[18px] break-words whitespace-pre-wrap selectable"
    >
      <CodeText code={code} highlight={highlight} mostLines={1_000} />
    </pre>
  );
}

function isEmpty(argumentsText: string): boolean {
  const text = argumentsText.trim();
  return text === "" || text === "{}" || text === "null";
}

/** The arguments in one line, as a reminder of what it was about. */
function brief(item: ToolCallData): string {
  if (isEmpty(item.argumentsText.text)) return "";
  return item.argumentsText.text.slice(0, 200).replace(/\s+/g, " ");
}
