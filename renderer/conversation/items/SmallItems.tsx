// Items that are one line, or little more.

import { FileQuestion, Globe, Hourglass, ImageIcon, Webhook } from "lucide-react";
import type { ReactNode } from "react";
import type { Item } from "../../../preload/contract/items";
import { call } from "../../state/connection";
import { reveal } from "../../state/threadActions";
import { attempt } from "../../state/toasts";
import { Notice } from "../../ui/Notice";
import { Spinner } from "../../ui/Spinner";
import { durationWords } from "../time/durations";
import { useKeptFold } from "./Article";
import { Card } from "./Card";
import { OutputView } from "./OutputView";
import { StatusMark, useStatusWords } from "./StatusMark";
import { Thumbnail } from "./Thumbnail";

type Of<Kind extends Item["kind"]> = Extract<Item, { kind: Kind }>;

function OneLine({ icon, children }: { icon: ReactNode; children: ReactNode }) {
  return (
    <p className="flex min-h-6 min-w-0 items-center gap-2 text-s text-ink-2 selectable">
      <span className="grid w-4 shrink-0 place-items-center text-ink-3">{icon}</span>
      {children}
    </p>
  );
}

export function WebSearchItem({ item }: { item: Of<"webSearch"> }) {
  const ended = useStatusWords(item);
  const { url } = item;
  const running = item.status === "running";
  const opensPage = item.action !== null && /open|find/i.test(item.action);
  const did = opensPage
    ? running
      ? "Reading"
      : "Read"
    : running
      ? "Searching the web for"
      : "Searched the web for";
  return (
    <OneLine icon={running ? <Spinner /> : <Globe aria-hidden size={14} />}>
      <span className="shrink-0">{did}</span>
      {item.query !== "" && (
        <span className="min-w-0 truncate text-ink">{opensPage ? item.query : `“${item.query}”`}</span>
      )}
      {url !== null && (
        <button
          type="button"
          onClick={() => void attempt(call("shell.openLink", { url }))}
          className="min-w-0 truncate rounded-xs text-accent hover:underline"
        >
          {url}
        </button>
      )}
      {ended && <span className="shrink-0 text-ink-3">{ended}</span>}
    </OneLine>
  );
}

export function ImageItem({ item }: { item: Of<"image"> }) {
  const ended = useStatusWords(item);
  const { path } = item;
  const running = item.status === "running";
  const words = item.caption ?? (path === null ? "Picture" : (path.split(/[\\/]/).at(-1) ?? path));
  return (
    <Card
      mark={running ? <Spinner /> : <ImageIcon aria-hidden size={14} className="text-ink-3" />}
      title={
        <span className="block truncate text-ink-2">
          {running && path === null ? "Making a picture" : words}
        </span>
      }
      facts={ended ?? undefined}
    >
      {path !== null && (
        <button
          type="button"
          aria-label={`${words}, show in its folder`}
          onClick={() => void reveal(path)}
          className="ring-inset block w-full border-t border-line bg-canvas p-2"
        >
          <Thumbnail
            path={path}
            name={words}
            className="mx-auto max-h-60 min-h-16 min-w-24 rounded-s object-contain!"
          />
        </button>
      )}
    </Card>
  );
}

const compactionWords: Record<Item["status"], string> = {
  running: "Compacting the context",
  completed: "The context was compacted: codex goes on from a summary of what is above",
  failed: "The context could not be compacted, and is as it was",
  declined: "The context was not compacted, and is as it was",
  lost: "Compacting ended before it was done: the context is as it was",
};

export function CompactionItem({ item }: { item: Of<"compaction"> }) {
  const running = item.status === "running";
  return (
    <div className="flex items-center gap-3 py-1 text-center text-s text-ink-3">
      <span className="h-px flex-1 bg-line" />
      {running && <Spinner />}
      {compactionWords[item.status]}
      <span className="h-px flex-1 bg-line" />
    </div>
  );
}

export function SleepItem({ item }: { item: Of<"sleep"> }) {
  const ended = useStatusWords(item);
  const running = item.status === "running";
  return (
    <OneLine icon={running ? <Spinner /> : <Hourglass aria-hidden size={13} />}>
      {running ? "Waiting for" : "Waited for"} {durationWords(item.durationMs)}
      {ended && <span className="text-ink-3">{ended}</span>}
    </OneLine>
  );
}

export function HookItem({ item }: { item: Of<"hook"> }) {
  const ended = useStatusWords(item);
  return (
    <OneLine icon={item.status === "running" ? <Spinner /> : <Webhook aria-hidden size={13} />}>
      <span className="shrink-0">Hook</span>
      <span className="min-w-0 truncate font-mono text-ink">{item.text}</span>
      {ended && (
        <span className={item.status === "failed" ? "shrink-0 text-bad" : "shrink-0 text-ink-3"}>
          {ended}
        </span>
      )}
    </OneLine>
  );
}

export function NoticeItem({ item }: { item: Of<"notice"> }) {
  return (
    <Notice tone={item.tone} title={<span className="font-normal">{item.text}</span>} detail={item.detail} />
  );
}

/** Honest about what this version does not know: the name that codex gave it, and all of its content. */
export function UnknownItem({ item }: { item: Of<"unknown"> }) {
  const ended = useStatusWords(item);
  const [open, setOpen] = useKeptFold("json", false);
  return (
    <Card
      mark={
        item.status === "completed" ? (
          <FileQuestion aria-hidden size={14} className="text-ink-3" />
        ) : (
          <StatusMark item={item} />
        )
      }
      title={
        <span className="flex min-w-0 items-baseline gap-2">
          <span className="shrink-0 font-mono text-ink">{item.type}</span>
          <span className="min-w-0 truncate text-ink-3">
            This version of Holdfast does not know this kind of item.
          </span>
        </span>
      }
      facts={ended ?? undefined}
      fold={{ open, setOpen, label: `${item.type}, its content` }}
    >
      {open && (
        <OutputView
          itemId={item.id}
          part="json"
          text={item.json.text}
          droppedUnits={item.json.droppedUnits}
        />
      )}
    </Card>
  );
}
