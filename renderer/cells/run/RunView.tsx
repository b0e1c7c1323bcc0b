// One run of a script as it is now: its state, what it has written, what it asks for, the threads it has started, and what it
// asks the person. Wide: the output beside the rest; narrow: one part at a time. Each part is drawn once, so that the place
// at which one reads the output is not lost to a second copy of it.

import { Activity as ActivityIcon, FileText, GitFork } from "lucide-react";
import { type ReactNode, type RefObject, useEffect, useId, useRef, useState } from "react";
import { useApp } from "../../state/appStore";
import { leaveRun } from "../../state/runActions";
import { retryRun, runStore, showRun, useRun } from "../../state/runStore";
import { Button } from "../../ui/Button";
import { cx } from "../../ui/cx";
import { ErrorBoundary } from "../../ui/ErrorBoundary";
import { Notice } from "../../ui/Notice";
import { Segmented } from "../../ui/Segmented";
import { Spinner } from "../../ui/Spinner";
import { Tabs } from "../../ui/Tabs";
import { Activity } from "./Activity";
import { CopyOutput, Output } from "./Output";
import { Questions } from "./Questions";
import { RunHeader } from "./RunHeader";
import { RunNotices } from "./RunNotices";
import { Threads } from "./Threads";

/** From here on there is room for the output beside the rest. */
const widePx = 680;
const columnsPx = 860;
/** Below this a list above another has no room for either. */
const lowPx = 300;

export interface RunViewProps {
  runId: string;
  /** Where it is drawn beside something else: goes on without it. */
  onClose?: () => void;
}

/** The run that is asked for; it follows main for as long as it is drawn. */
export function RunView({ runId, onClose }: RunViewProps) {
  useEffect(() => {
    showRun(runId);
    return () => showRun(null);
  }, [runId]);
  const phase = runStore(({ shown }) =>
    shown.phase !== "none" && shown.runId === runId ? shown.phase : "loading",
  );
  return (
    <section aria-label="Run" className="flex min-h-0 min-w-0 flex-1 flex-col">
      {phase === "loading" && <Loading />}
      {phase === "failed" && <Failed runId={runId} />}
      {phase === "shown" && (
        <ErrorBoundary what="The run" resetKey={runId}>
          <Kept key={runId} runId={runId} onClose={onClose} />
        </ErrorBoundary>
      )}
    </section>
  );
}

function Loading() {
  const fault = runStore(({ shown }) => (shown.phase === "loading" ? shown.fault : null));
  return (
    <div className="grid min-h-0 flex-1 content-center justify-items-center gap-3 p-6">
      <p role="status" className="flex animate-late items-center gap-2 text-ink-2">
        <Spinner />
        Opening the run…
      </p>
      {fault && <p className="max-w-100 text-center text-s text-pretty text-ink-3">{fault.message}</p>}
    </div>
  );
}

function Failed({ runId }: { runId: string }) {
  const fault = runStore(({ shown }) => (shown.phase === "failed" ? shown.fault : null));
  if (!fault) return null;
  if (fault.code === "run_unknown") return <Forgotten runId={runId} />;
  return (
    <div className="grid min-h-0 flex-1 content-center p-6">
      <Notice
        live
        tone="error"
        className="mx-auto w-full max-w-120"
        title={fault.message}
        hint={fault.hint}
        detail={fault.detail}
        actions={
          <>
            <Button onClick={retryRun}>Try again</Button>
            <Button tone="quiet" onClick={() => leaveRun(runId)}>
              Close
            </Button>
          </>
        }
      />
    </div>
  );
}

function Forgotten({ runId }: { runId: string }) {
  return (
    <div className="grid min-h-0 flex-1 content-center p-6">
      <Notice
        live
        tone="info"
        className="mx-auto w-full max-w-120"
        title="This run is not there any more."
        hint="It was forgotten, with its output. Threads that it started are still there."
        actions={<Button onClick={() => leaveRun(runId)}>Close</Button>}
      />
    </div>
  );
}

/** One that is forgotten in another window goes away here, too: nothing more would be heard of it. */
function Kept({ runId, onClose }: RunViewProps) {
  const listed = useApp((app) => app.runs.some((run) => run.runId === runId));
  // One that has just begun may be here before it is in the list.
  const wasListed = useRef(false);
  if (listed) wasListed.current = true;
  return wasListed.current && !listed ? (
    <Forgotten runId={runId} />
  ) : (
    <Shown runId={runId} onClose={onClose} />
  );
}

function Shown({ runId, onClose }: RunViewProps) {
  const box = useRef<HTMLDivElement>(null);
  const shape = useShape(box);
  // A long question scrolls, and leaves the output some room.
  const asks = useApp((app) => app.cellQuestions.some((question) => question.runId === runId));
  return (
    <>
      <RunHeader copies={shape === "tabs"} onClose={onClose} />
      <RunNotices />
      <div ref={box} className={cx("flex flex-1", asks ? "min-h-[min(8.25rem,35%)]" : "min-h-0")}>
        {shape === "tabs" && <InTabs />}
        {shape !== null && shape !== "tabs" && <Beside shape={shape} />}
      </div>
      <Questions runId={runId} />
    </>
  );
}

/**
 * `beside`: the output, and beside it the threads above the activity. Where it is too low for that, `columns` has three of
 * them, and `paired`, with less room, two: what is beside the output is one of the two.
 */
type Shape = "beside" | "columns" | "paired" | "tabs";

function shapeOf({ clientWidth, clientHeight }: HTMLElement): Shape {
  if (clientWidth < widePx) return "tabs";
  if (clientHeight >= lowPx) return "beside";
  return clientWidth < columnsPx ? "paired" : "columns";
}

/** Null until it has been measured. */
function useShape(box: RefObject<HTMLElement | null>): Shape | null {
  const [shape, setShape] = useState<Shape | null>(null);
  useEffect(() => {
    const element = box.current;
    if (!element) return;
    const look = () => setShape(shapeOf(element));
    look();
    const sizes = new ResizeObserver(look);
    sizes.observe(element);
    return () => sizes.disconnect();
  }, [box]);
  return shape;
}

function Beside({ shape }: { shape: Exclude<Shape, "tabs"> }) {
  const threads = useRun((copy) => copy.head.threads.length);
  const columns = shape === "columns";
  return (
    <>
      <Part title="Output" aside={<CopyOutput />} className="flex-[3]">
        <Output />
      </Part>
      <div
        className={cx(
          "flex min-h-0 min-w-0 border-l border-line",
          columns && threads > 0 ? "flex-[4]" : "flex-[2] flex-col",
        )}
      >
        {shape === "paired" && threads > 0 ? (
          <ThreadsOrActivity />
        ) : (
          <>
            {threads > 0 && (
              <Part
                title="Threads"
                aside={<Amount>{threads}</Amount>}
                className={
                  columns ? "flex-1 border-r border-line" : "max-h-[40%] shrink-0 border-b border-line"
                }
              >
                <Threads />
              </Part>
            )}
            <Part title="Activity" aside={<CallAmount />} className="flex-1">
              <Activity />
            </Part>
          </>
        )}
      </div>
    </>
  );
}

const pair = [
  { value: "activity", label: "Activity" },
  { value: "threads", label: "Threads" },
] as const;

function ThreadsOrActivity() {
  const [shown, setShown] = useState<"activity" | "threads">("activity");
  return (
    <section aria-label="Beside the output" className="flex min-h-0 min-w-0 flex-1 flex-col">
      <div className="flex h-9 shrink-0 items-center pl-2.5">
        <Segmented label="Beside the output" value={shown} options={pair} onChange={setShown} />
      </div>
      {shown === "activity" ? <Activity /> : <Threads />}
    </section>
  );
}

interface PartProps {
  title: string;
  aside: ReactNode;
  className: string;
  children: ReactNode;
}

function Part({ title, aside, className, children }: PartProps) {
  const id = useId();
  return (
    <section aria-labelledby={id} className={`flex min-h-0 min-w-0 flex-col ${className}`}>
      <div className="flex h-8 shrink-0 items-center gap-2 pr-2.5 pl-4">
        <h3 id={id} className="text-xs font-semibold text-ink-3">
          {title}
        </h3>
        <span className="flex-1" />
        {aside}
      </div>
      {children}
    </section>
  );
}

function Amount({ children }: { children: number }) {
  return <span className="pr-1.5 text-xs text-ink-3 tabular">{children.toLocaleString("en")}</span>;
}

function CallAmount() {
  const amount = useRun((copy) => copy.calls.length + copy.earlierCalls);
  return amount === 0 ? null : <Amount>{amount}</Amount>;
}

function InTabs() {
  const [tab, setTab] = useState("output");
  const threads = useRun((copy) => copy.head.threads.length);
  const pending = useRun((copy) => copy.calls.filter(({ state }) => state === "pending").length);
  return (
    <Tabs
      label="Parts of the run"
      value={tab}
      onChange={setTab}
      panelClassName="flex flex-col"
      tabs={[
        { id: "output", label: "Output", icon: <FileText size={14} />, panel: <Output /> },
        {
          id: "activity",
          label: "Activity",
          icon: <ActivityIcon size={14} />,
          count: pending,
          panel: (
            <div className="flex min-h-0 flex-1 flex-col pt-2">
              <Activity />
            </div>
          ),
        },
        {
          id: "threads",
          label: "Threads",
          icon: <GitFork size={14} />,
          count: threads,
          panel: <Threads />,
        },
      ]}
    />
  );
}
