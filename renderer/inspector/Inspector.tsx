// The pane at the right: what a thread has done and is doing, derived from the same copy as the conversation. Only the
// panel that is on screen derives and draws anything; the tabs know two small numbers.

import { type ReactNode, useMemo } from "react";
import { threadStore, useHead, useThread } from "../state/threadStore";
import { changeLayout, useLayout } from "../state/uiStore";
import { ErrorBoundary } from "../ui/ErrorBoundary";
import { type TabSpec, Tabs } from "../ui/Tabs";
import { Agents } from "./Agents";
import { Changes } from "./Changes";
import { Cleanup } from "./Cleanup";
import { changedFiles } from "./changedFiles";
import { FollowUps } from "./FollowUps";
import { fileChangeItems } from "./kindSelect";
import { Progress } from "./Progress";
import { Terminal } from "./Terminal";

const tabs = [
  { id: "progress", label: "Progress", Panel: Progress },
  { id: "changes", label: "Changes", Panel: Changes },
  { id: "agents", label: "Agents", Panel: Agents },
  { id: "follow-ups", label: "Follow-ups", Panel: FollowUps },
  { id: "cleanup", label: "Cleanup", Panel: Cleanup },
  { id: "terminal", label: "Terminal", Panel: Terminal },
] as const;

interface Counts {
  changes: number;
  followUps: number;
}

export function Inspector() {
  const key = threadStore((store) => (store.shown.phase === "shown" ? store.shown.key : null));
  if (key === null) return <InspectorTabs counts={{ changes: 0, followUps: 0 }} panel={() => null} />;
  return <ShownInspector key={key} />;
}

function ShownInspector() {
  const items = useThread(fileChangeItems);
  const changes = useMemo(() => changedFiles(items).files.length, [items]);
  const followUps = useHead((head) => head.submissions.filter(({ mode }) => mode === "queue").length);
  return (
    <InspectorTabs
      counts={{ changes, followUps }}
      panel={(Panel, label) => (
        <ErrorBoundary what={label}>
          <Panel />
        </ErrorBoundary>
      )}
    />
  );
}

interface InspectorTabsProps {
  counts: Counts;
  panel: (Panel: (typeof tabs)[number]["Panel"], label: string) => ReactNode;
}

function InspectorTabs({ counts, panel }: InspectorTabsProps) {
  const chosen = useLayout((layout) => layout.inspectorTab);
  // A tab that a newer version remembered is none of this one's.
  const value = tabs.some(({ id }) => id === chosen) ? chosen : "progress";
  const specs = tabs.map(({ id, label, Panel }): TabSpec => {
    const count = id === "changes" ? counts.changes : id === "follow-ups" ? counts.followUps : 0;
    return { id, label, count, panel: panel(Panel, label) };
  });
  return (
    <Tabs
      label="Inspector"
      tabs={specs}
      value={value}
      onChange={(inspectorTab) => changeLayout({ inspectorTab })}
    />
  );
}
