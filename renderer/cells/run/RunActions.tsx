// What can be done with a run. Nothing comes to lie where Stop was: what goes on from a press on that, or a second press, is
// no wish to run it again. A press on what has just appeared means what clickGuard.ts says.

import { ChevronDown, Ellipsis, RotateCw, Square, Trash2 } from "lucide-react";
import { type MouseEvent, useRef, useState } from "react";
import { aimedAtMs } from "../../approvals/aim";
import { judgeClick, mayTakeKey } from "../../approvals/clickGuard";
import { useMovedAt } from "../../approvals/useMovedAt";
import { useRows } from "../../state/appStore";
import { forgetRun, runAgain, stopRun } from "../../state/runActions";
import { shownRun, useRun } from "../../state/runStore";
import { isUnderWay } from "../../state/words";
import { Button } from "../../ui/Button";
import { IconButton } from "../../ui/IconButton";
import { MenuButton, MenuItem } from "../../ui/Menu";
import { threadsAtWork } from "./threadNeeds";

/** Keeps its width, so that nothing beside it slides under a press on Stop either. */
export function RunActions() {
  const underWay = useRun((copy) => isUnderWay(copy.head.state));
  return (
    <span className="flex min-w-24 shrink-0 justify-end">{underWay ? <Stopping /> : <MoreOfEnded />}</span>
  );
}

/** Beside the state, away from where Stop was. */
export function RunAgain() {
  const runId = useRun((copy) => copy.head.runId);
  const ended = useRun((copy) => !isUnderWay(copy.head.state));
  return ended ? <Again key={runId} runId={runId} /> : null;
}

function Again({ runId }: { runId: string }) {
  const box = useRef<HTMLSpanElement>(null);
  const pressed = useRef<{ key: string; atMs: number } | null>(null);
  const movedAt = useMovedAt(box, runId);
  const [busy, setBusy] = useState(false);
  const isMeant = ({ detail, timeStamp }: MouseEvent) => {
    const card = {
      requestKey: runId,
      movedAtMs: movedAt.current,
      aimedAtMs: aimedAtMs(),
      answering: busy,
    };
    const down = pressed.current;
    pressed.current = null;
    if (detail === 0) return mayTakeKey(card, timeStamp);
    const click = { pressedAtMs: down?.atMs ?? timeStamp, pressedKey: down?.key ?? null, series: detail };
    return judgeClick(card, click) === "answer";
  };
  const again = async () => {
    const head = shownRun()?.head;
    if (!head) return;
    setBusy(true);
    await runAgain(head);
    setBusy(false);
  };
  return (
    <span
      ref={box}
      onPointerDownCapture={(event) => {
        pressed.current = { key: runId, atMs: event.timeStamp };
      }}
      className="ml-1.5 flex shrink-0"
    >
      <Button
        busy={busy}
        icon={<RotateCw aria-hidden size={13} />}
        onClick={(event) => {
          if (isMeant(event)) void again();
        }}
        title="The same text once more, in the same workspace"
      >
        Run again
      </Button>
    </span>
  );
}

function Stopping() {
  const ending = useRun((copy) => copy.head.state === "ending");
  const runId = useRun((copy) => copy.head.runId);
  const [busy, setBusy] = useState(false);
  const stop = async (stopThreads: boolean) => {
    setBusy(true);
    await stopRun(runId, stopThreads);
    setBusy(false);
  };
  return (
    <>
      <Button
        tone="danger"
        busy={busy}
        disabled={ending && !busy}
        icon={<Square aria-hidden size={12} />}
        onClick={() => void stop(false)}
        className="rounded-r-none!"
      >
        Stop
      </Button>
      <MenuButton
        align="end"
        button={
          <IconButton
            label="More ways to stop"
            icon={<ChevronDown size={14} />}
            className="w-6! rounded-l-none! border border-l-0 border-line-strong bg-raised shadow-low"
          />
        }
      >
        <MenuItem
          icon={<Square size={13} />}
          description="The turns of its threads go on"
          disabled={ending}
          onSelect={() => void stop(false)}
        >
          Stop the script
        </MenuItem>
        <MenuItem
          icon={<Square size={13} />}
          tone="danger"
          description="Each turn that runs in a thread it has started is stopped"
          onSelect={() => void stop(true)}
        >
          Stop, and its threads' turns too
        </MenuItem>
      </MenuButton>
    </>
  );
}

function MoreOfEnded() {
  const threads = useRun((copy) => copy.head.threads);
  const atWork = useRows((rows) => threadsAtWork(threads, rows));
  return (
    <MenuButton align="end" button={<IconButton label="More about this run" icon={<Ellipsis size={16} />} />}>
      {atWork > 0 && (
        <MenuItem
          icon={<Square size={13} />}
          tone="danger"
          description="Its script runs no more; turns in threads it has started do"
          onSelect={() => {
            const head = shownRun()?.head;
            if (head) void stopRun(head.runId, true);
          }}
        >
          Stop its threads' turns
        </MenuItem>
      )}
      <MenuItem
        icon={<Trash2 size={14} />}
        tone="danger"
        description="Its threads stay"
        onSelect={() => {
          const head = shownRun()?.head;
          if (head) void forgetRun(head);
        }}
      >
        Forget this run…
      </MenuItem>
    </MenuButton>
  );
}
