import { SearchCheck } from "lucide-react";
import type { Item } from "../../../preload/contract/items";
import { useWorkspace } from "../../state/appStore";
import { useHead, useTurn } from "../../state/threadStore";
import { Spinner } from "../../ui/Spinner";
import { Markdown } from "../markdown/Markdown";
import { reviewText } from "./reviewText";

type Review = Extract<Item, { kind: "review" }>;

export function ReviewItem({ item }: { item: Review }) {
  return item.phase === "entered" ? <Entered item={item} /> : <Found item={item} />;
}

function Entered({ item }: { item: Review }) {
  const running = useTurn(item.turnId)?.status === "running";
  const what = item.text.trim() || "the changes";
  return (
    <p className="flex min-h-6 min-w-0 items-start gap-2 py-0.5 text-s text-ink-2 selectable">
      <span className="mt-0.5 grid w-4 shrink-0 place-items-center text-ink-3">
        {running ? <Spinner /> : <SearchCheck aria-hidden size={14} />}
      </span>
      <span className="line-clamp-3 min-w-0 break-words">
        {running ? "Reviewing" : "Review of"} <span className="text-ink">{what}</span>
      </span>
    </p>
  );
}

function Found({ item }: { item: Review }) {
  const root = useWorkspace(useHead((head) => head.workspaceId))?.path ?? null;
  const status = useTurn(item.turnId)?.status;
  const text = reviewText(item.text, root, status ?? "completed");
  return (
    <section
      aria-label="What the review found"
      className="overflow-hidden rounded-m border border-line bg-raised"
    >
      <h3 className="flex h-8 items-center gap-2 border-b border-line px-2.5 text-s font-semibold text-ink-2">
        <SearchCheck aria-hidden size={14} className="text-accent" />
        What the review found
      </h3>
      <div className="px-3.5 py-2.5">
        {text === null ? (
          <p className="text-ink-2">Nothing: it ended before it had a result.</p>
        ) : (
          <Markdown text={text} open={item.status === "running"} />
        )}
      </div>
    </section>
  );
}
