import { Dialog as Base } from "@base-ui/react/dialog";
import { Command as Cmd } from "cmdk";
import {
  CircleHelp,
  FileCode,
  FileText,
  Folder,
  FolderX,
  Search,
  SlidersHorizontal,
  Terminal,
} from "lucide-react";
import { type RefObject, useEffect, useMemo, useRef, useState } from "react";
import type { ThreadHit } from "../../preload/contract/thread";
import { FilePath } from "../composer/MentionList";
import { filePlace } from "../files/filePlace";
import { openFound } from "../search/openFound";
import { folderName } from "../search/resultRows";
import { appStore } from "../state/appStore";
import { currentWorkspaceId } from "../state/navigation";
import { shownCopy } from "../state/threadStore";
import { showDialog } from "../state/uiStore";
import { cx } from "../ui/cx";
import { backdropClass, popupClass } from "../ui/Dialog";
import { Kbd } from "../ui/Kbd";
import { keyboardAtOnce } from "../ui/keyboardAtOnce";
import { Spinner } from "../ui/Spinner";
import { StatusDot } from "../ui/StatusDot";
import { type AskedGroups, byFit, fileFit, inOrder } from "./askedGroups";
import { type Entry, type EntryGroup, type EntryLook, groupsOf, withRecent } from "./entries";
import { type Asked, askedOf, type PaletteMode } from "./prefixes";
import { searchEntry, searchEntryId, sourcesOf } from "./sources";
import { type Answers, type FoundFile, useAsked } from "./useAsked";

/** Everything by name: commands, threads, files, workspaces, settings, scripts and their runs, environments, terminals. */
export function Palette({ open, typed, onClose }: { open: boolean; typed: string; onClose: () => void }) {
  const field = useRef<HTMLInputElement>(null);
  return (
    <Base.Root open={open} onOpenChange={(next) => !next && onClose()}>
      <Base.Portal>
        <Base.Backdrop className={backdropClass} />
        <Base.Popup
          initialFocus={keyboardAtOnce(field)}
          className={cx(popupClass, "top-[12vh] max-h-[70vh] max-w-150")}
        >
          <Base.Title className="sr-only">Command palette</Base.Title>
          {open && <Choices key={typed} field={field} begin={typed} onClose={onClose} />}
        </Base.Popup>
      </Base.Portal>
    </Base.Root>
  );
}

/** Those that move the selection; with Control, as some terminals have it, too. */
const movingKeys = new Set(["ArrowDown", "ArrowUp", "Home", "End", "n", "p", "j", "k"]);

/** What was chosen last in this window. */
let recent: readonly string[] = [];

interface ChoicesProps {
  field: RefObject<HTMLInputElement | null>;
  begin: string;
  onClose: () => void;
}

function Choices({ field, begin, onClose }: ChoicesProps) {
  const [typed, setTyped] = useState(begin);
  const [selected, setSelected] = useState("");
  const asked = useMemo(() => askedOf(typed), [typed]);
  const app = appStore((store) => store.shown);
  const workspaceId = shownCopy()?.head.workspaceId ?? currentWorkspaceId();
  const answers = useAsked(asked, workspaceId);
  // biome-ignore lint/correctness/useExhaustiveDependencies: what is known of the app is read by the sources
  const known = useMemo(() => groupsOf(sourcesOf(asked.mode, recent), asked.query, recent), [asked, app]);
  const files = useMemo(() => byFit(answers.files, asked.query), [answers.files, asked.query]);
  const [best] = files;
  const fit = best && workspaceId !== null ? fileFit(best.path, asked.query) : null;
  const groups = inOrder(known, askedGroups(asked, answers, files, workspaceId), fit);
  const entries = groups.flatMap((group) => group.entries);
  // One that is gone gives way to the first; the others keep the selection wherever they are now.
  const value = entries.some(({ id }) => id === selected) ? selected : (entries[0]?.id ?? "");
  // The list tells of what it selects by itself when its entries change, too: that is no wish of the person's.
  const byHand = useRef(false);
  const moved = () => {
    byHand.current = true;
    setTimeout(() => {
      byHand.current = false;
    });
  };
  // Enter comes before the files do, of which one may be just what was typed: it is meant for that one.
  const [hasty, setHasty] = useState(false);
  const isOpen = answers.asking && selected === "" && value === searchEntryId;
  const choose = (entry: Entry) => {
    if (entry.typed !== undefined) {
      setTyped(entry.typed);
      return;
    }
    recent = withRecent(recent, entry.id);
    onClose();
    entry.run?.();
  };
  // biome-ignore lint/correctness/useExhaustiveDependencies: once, with what there is then
  useEffect(() => {
    if (!hasty || answers.asking) return;
    setHasty(false);
    const [first] = entries;
    if (first) choose(first);
  }, [hasty, answers.asking]);
  return (
    <Cmd
      label="Command palette"
      shouldFilter={false}
      loop
      value={value}
      onValueChange={(next) => {
        if (byHand.current) setSelected(next);
      }}
      onKeyDownCapture={(event) => {
        if (event.key === "Enter" && isOpen && !event.nativeEvent.isComposing) {
          event.preventDefault();
          event.stopPropagation();
          setHasty(true);
          return;
        }
        if (movingKeys.has(event.key) && (event.key.length > 1 || event.ctrlKey)) moved();
      }}
      onPointerMoveCapture={moved}
      className="flex min-h-0 flex-col"
    >
      <div className="flex h-11 shrink-0 items-center gap-2.5 border-b border-line px-4">
        <span className="grid w-4 place-items-center text-ink-3">
          {answers.asking ? <Spinner /> : <Search aria-hidden size={16} />}
        </span>
        <Cmd.Input
          ref={field}
          value={typed}
          onValueChange={(next) => {
            setTyped(next);
            setSelected("");
            setHasty(false);
          }}
          placeholder={placeholders[asked.mode]}
          className="flex-1 bg-transparent text-l outline-none focus-visible:outline-none"
        />
        {typed === "" && <span className="text-s whitespace-nowrap text-ink-3">? for help</span>}
      </div>
      <Cmd.List className="min-h-0 flex-1 overflow-y-auto p-1.5 [scroll-padding-block:8px]">
        {entries.length === 0 && (
          <p className="px-4 py-8 text-center text-ink-3">{nothingWords(asked, answers, workspaceId)}</p>
        )}
        {groups.map((group) => (
          <Group key={group.heading} group={group} onChoose={choose} />
        ))}
      </Cmd.List>
      <p role="status" className="sr-only">
        {answers.asking ? "Looking…" : `${entries.length} ${entries.length === 1 ? "entry" : "entries"}`}
      </p>
    </Cmd>
  );
}

const placeholders: Record<PaletteMode, string> = {
  all: "A command, a thread, a file, a setting…",
  commands: "A command or a setting…",
  threads: "A thread, by its title…",
  files: "A file of the workspace…",
  text: "Words that were said in a thread…",
  help: "What can be typed here",
};

function askedGroups(
  { mode, query }: Asked,
  { hits }: Answers,
  files: readonly FoundFile[],
  workspaceId: string | null,
): AskedGroups {
  const searches = query !== "" && (mode === "all" || mode === "text" || mode === "threads");
  const { line } = filePlace(query);
  return {
    search: searches ? { heading: "In all threads", entries: [searchEntry(query)] } : null,
    hits:
      hits.length > 0
        ? { heading: "Said in threads", entries: hits.map((hit) => hitEntry(hit, query)) }
        : null,
    files:
      files.length > 0 && workspaceId !== null
        ? { heading: "Files", entries: files.map((file) => fileEntry(file, workspaceId, line)) }
        : null,
  };
}

function hitEntry(hit: ThreadHit, query: string): Entry {
  return {
    id: `hit ${hit.threadId}`,
    title: hit.title,
    look: null,
    beside: `${folderName(hit.cwd)} · ${hit.snippet}`,
    run: () => void openFound(hit, query),
  };
}

function fileEntry(file: FoundFile, workspaceId: string, line: number | null): Entry & { file: FoundFile } {
  return {
    id: `file ${file.path}`,
    title: file.path,
    look: { icon: "file" },
    file,
    ...(line !== null && { beside: `line ${line}` }),
    run: () => showDialog({ kind: "file", workspaceId, path: file.path, line }),
  };
}

function nothingWords({ mode, query }: Asked, answers: Answers, workspaceId: string | null): string {
  if (answers.asking) return "Looking…";
  if (answers.failed !== null) return answers.failed;
  if (mode === "files" && workspaceId === null) return "Open a workspace first: files are looked for in it.";
  if (mode === "files" && query === "") return "Write a part of the file’s name.";
  if (mode === "text") return "Write at least two letters.";
  return mode === "files" ? "No file is called that." : "Nothing is called that.";
}

function Group({ group, onChoose }: { group: EntryGroup; onChoose: (entry: Entry) => void }) {
  return (
    <Cmd.Group
      heading={group.heading}
      className="[&_[cmdk-group-heading]]:px-2.5 [&_[cmdk-group-heading]]:pt-2 [&_[cmdk-group-heading]]:pb-1 [&_[cmdk-group-heading]]:text-xs [&_[cmdk-group-heading]]:font-semibold [&_[cmdk-group-heading]]:text-ink-3"
    >
      {group.entries.map((entry) => (
        <Cmd.Item
          key={entry.id}
          value={entry.id}
          onSelect={() => onChoose(entry)}
          className="flex h-8 items-center gap-2 rounded-s px-2.5 data-[selected=true]:bg-sel"
        >
          <EntryView entry={entry} />
        </Cmd.Item>
      ))}
    </Cmd.Group>
  );
}

function EntryView({ entry }: { entry: Entry & { file?: FoundFile } }) {
  const { title, look, beside, mono, shortcut, file } = entry;
  return (
    <>
      {look !== null && (
        <span aria-hidden={!("dot" in look)} className="grid w-4 shrink-0 place-items-center text-ink-3">
          <Look look={look} />
        </span>
      )}
      {file ? (
        <span className="min-w-0 flex-1">
          <FilePath file={file} />
        </span>
      ) : (
        <span className={cx("truncate", beside ? "max-w-[70%] shrink-0" : "min-w-0 flex-1")}>{title}</span>
      )}
      {beside !== undefined && beside !== "" && (
        <span
          className={cx(
            "min-w-0 truncate text-right text-ink-3",
            !file && "flex-1",
            mono ? "font-mono text-xs" : "text-s",
          )}
        >
          {beside}
        </span>
      )}
      {shortcut !== undefined && <Kbd keys={shortcut} />}
    </>
  );
}

const icons = {
  folder: Folder,
  gone: FolderX,
  file: FileText,
  script: FileCode,
  setting: SlidersHorizontal,
  search: Search,
  terminal: Terminal,
  help: CircleHelp,
};

function Look({ look }: { look: Exclude<EntryLook, null> }) {
  if ("dot" in look) return <StatusDot tone={look.dot} />;
  const Icon = icons[look.icon];
  return <Icon size={14} />;
}
