// The pane at the right: what a thread has done and is doing, derived from the same copy as the conversation, and what is
// owed in the whole app. Only the panel that is on screen is loaded, derives and draws anything; the tabs know three small
// numbers.

import { Bot, Brush, FileDiff, ListChecks, ListEnd, MessageSquareDashed, SquareTerminal } from "lucide-react";
import { useEffect, useRef } from "react";
import { isInWorkspace, isTerminalOpen } from "../../preload/contract/terminals";
import { useApp, useRows } from "../state/appStore";
import { onSignal } from "../state/signals";
import { threadStore, useHead } from "../state/threadStore";
import { changeLayout, uiStore, useLayout } from "../state/uiStore";
import { useTerminalsWorkspace } from "../terminals/inFront";
import { EmptyState } from "../ui/EmptyState";
import { ErrorBoundary } from "../ui/ErrorBoundary";
import { Later, LaterPart, loadInIdleTime } from "../ui/later";
import { type TabSpec, Tabs } from "../ui/Tabs";
import { agentTree } from "./agentTree";
import { useChangesCount } from "./changesCount";

const progress = new LaterPart(async () => (await import("./Progress")).Progress);
const changes = new LaterPart(async () => (await import("./Changes")).Changes);
const agents = new LaterPart(async () => (await import("./Agents")).Agents);
const followUps = new LaterPart(async () => (await import("../followUps/FollowUps")).FollowUps);
const cleanup = new LaterPart(async () => (await import("./Cleanup")).Cleanup);
const terminal = new LaterPart(async () => (await import("./Terminal")).Terminal);

type TabId = "progress" | "changes" | "agents" | "follow-ups" | "cleanup" | "terminal";

/** `ofThread`: there is nothing to show in it without a thread. */
const tabs = [
  { id: "progress", label: "Progress", icon: ListChecks, part: progress, ofThread: true },
  { id: "changes", label: "Changes", icon: FileDiff, part: changes, ofThread: true },
  { id: "agents", label: "Agents", icon: Bot, part: agents, ofThread: true },
  { id: "follow-ups", label: "Follow-ups", icon: ListEnd, part: followUps, ofThread: true },
  { id: "cleanup", label: "Cleanup", icon: Brush, part: cleanup, ofThread: false },
  { id: "terminal", label: "Terminal", icon: SquareTerminal, part: terminal, ofThread: false },
] as const satisfies readonly { id: TabId; [more: string]: unknown }[];

export function preloadPanels(): Promise<void> {
  return loadInIdleTime(tabs.map(({ part }) => part));
}

/** A tab that a newer version remembered is none of this one's. */
function knownTab(chosen: string): string {
  return tabs.some(({ id }) => id === chosen) ? chosen : "progress";
}

type Counts = Partial<Record<TabId, number>>;

export function Inspector() {
  const key = threadStore((store) => (store.shown.phase === "shown" ? store.shown.key : null));
  const loading = threadStore((store) => store.shown.phase === "loading");
  if (key === null) return <InspectorTabs counts={{}} thread={loading ? "loading" : "none"} />;
  return <ShownInspector key={key} />;
}

function ShownInspector() {
  const changes = useChangesCount();
  const followUps = useHead(
    ({ followUps: { entries }, submissions }) =>
      entries.length + submissions.filter(({ mode }) => mode === "queue").length,
  );
  const threadId = useHead((head) => head.threadId);
  const agents = useRows((rows) => agentTree(rows, threadId).length);
  const counts = { changes: changes.count, agents, "follow-ups": followUps };
  return <InspectorTabs counts={counts} changesWords={changes.words} thread="shown" />;
}

interface InspectorTabsProps {
  counts: Counts;
  /** Whose changes those are. */
  changesWords?: string;
  thread: "none" | "loading" | "shown";
}

function InspectorTabs({ counts, changesWords, thread }: InspectorTabsProps) {
  const chosen = useLayout((layout) => layout.inspectorTab);
  const owed = useApp((app) => app.cleanups.length);
  const workspaceId = useTerminalsWorkspace();
  const terminals = useApp(
    (app) =>
      app.terminals.filter((row) => isInWorkspace(row, workspaceId ?? "") && isTerminalOpen(row)).length,
  );
  const box = useRef<HTMLDivElement>(null);
  useEffect(
    () =>
      onSignal("focus-inspector", () => {
        // The tab that was asked for just now is not drawn as the selected one yet; a tab that gets the keyboard is shown.
        const asked = knownTab(uiStore.getState().layout.inspectorTab);
        box.current?.querySelector<HTMLElement>(`[role="tab"][data-tab="${asked}"]`)?.focus();
      }),
    [],
  );
  const value = knownTab(chosen);
  const specs = tabs.map(
    ({ id, label, icon: Icon, part, ofThread }): TabSpec => ({
      id,
      label,
      icon: <Icon size={15} />,
      count: id === "cleanup" ? owed : id === "terminal" ? terminals : counts[id],
      ...(id === "changes" && changesWords !== undefined && { countWords: changesWords }),
      tone: id === "cleanup" ? "warn" : "plain",
      panel:
        !ofThread || thread === "shown" ? (
          <ErrorBoundary what={label}>
            <Later part={part} props={{}} />
          </ErrorBoundary>
        ) : thread === "none" ? (
          <NoThread />
        ) : null,
    }),
  );
  return (
    <div ref={box} className="flex min-h-0 flex-1 flex-col">
      <Tabs
        label="Inspector"
        tabs={specs}
        value={value}
        onChange={(inspectorTab) => changeLayout({ inspectorTab })}
      />
    </div>
  );
}

function NoThread() {
  return (
    <EmptyState compact icon={<MessageSquareDashed aria-hidden size={20} />} title="No thread is shown">
      What a thread does shows here once it is opened.
    </EmptyState>
  );
}
