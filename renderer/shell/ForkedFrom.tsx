import { useThreadRow } from "../state/appStore";
import { goToThread } from "../state/navigation";
import { useHead } from "../state/threadStore";
import { TitleText } from "../ui/TitleText";

/** In the head of a fork: the thread that it is a copy of. Nothing for any other thread. */
export function ForkedFrom() {
  const threadId = useHead((head) => head.threadId);
  const originId = useThreadRow(threadId)?.forkedFromId;
  const origin = useThreadRow(originId ?? null);
  if (originId === undefined) return null;
  // It may be archived and not listed, deleted, or one of another folder.
  if (!origin) return <span className="shrink-0 text-s text-ink-3">fork</span>;
  return (
    <span className="flex min-w-16 shrink-[5] items-center gap-1 text-s text-ink-3">
      <span className="shrink-0">fork of</span>
      <button
        type="button"
        aria-label={`Fork of ${origin.title}. Show that thread`}
        title={origin.title}
        onClick={() => goToThread(origin.workspaceId, origin.threadId)}
        className="flex min-w-0 max-w-60 rounded-xs text-ink-2 hover:text-ink hover:underline"
      >
        <TitleText title={origin.title} />
      </button>
    </span>
  );
}
