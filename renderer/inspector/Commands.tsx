// The commands that ran in this thread, the newest last: what it was, how it went, and on demand the end of its output.

import "../conversation/ansi/ansi.css";
import { ChevronRight, SquareTerminal } from "lucide-react";
import { useId, useState } from "react";
import { AnsiText } from "../conversation/ansi/AnsiText";
import { stripAnsi, tailOf } from "../conversation/ansi/ansi";
import { CommandMark, outcomeWords } from "../conversation/items/CommandItem";
import { Elapsed } from "../conversation/items/Elapsed";
import { type ItemTurn, statusWords } from "../conversation/items/statusWords";
import { OlderTurns } from "../conversation/list/OlderTurns";
import { count } from "../conversation/time/durations";
import { useThrottled } from "../conversation/time/useThrottled";
import { useThread } from "../state/threadStore";
import { Button } from "../ui/Button";
import { cx } from "../ui/cx";
import { AskedMark, useIsAsked } from "./asked";
import { commandIds, type ItemOf } from "./kindSelect";
import { NothingListed, useKnownPart } from "./knownPart";

const firstCommands = 100;
const moreCommands = 400;
const tailLines = 40;
const tailUnits = 8_000;
const streamingPauseMs = 100;

export function Commands() {
  const ids = useThread(commandIds);
  const known = useKnownPart();
  const [most, setMost] = useState(firstCommands);
  if (ids.length === 0) {
    return (
      <NothingListed
        known={known}
        icon={<SquareTerminal aria-hidden size={20} />}
        none="No commands yet"
        noneSoFar="No command ran in the turns that are loaded"
        unknown="What ran is not known"
      >
        Every command that runs in this thread will be listed here, with how it ended and what it printed.
      </NothingListed>
    );
  }
  const shown = ids.slice(-most);
  const earlier = ids.length - shown.length;
  return (
    <div className="grid grid-cols-[minmax(0,1fr)] py-2">
      <h2 className="px-4 py-1.5 text-xs font-semibold tracking-[0.02em] text-ink-3">
        {count(ids.length, "command")}
        {known !== "all" && " in the turns that are loaded"}
      </h2>
      {known === "part" && (
        <div className="px-2 pb-1">
          <OlderTurns />
        </div>
      )}
      {earlier > 0 && (
        <div className="px-2 pb-1">
          <Button size="s" tone="quiet" onClick={() => setMost(most + moreCommands)}>
            Show {count(Math.min(earlier, moreCommands), "earlier command")}
          </Button>
        </div>
      )}
      <ol>
        {shown.map((id) => (
          <CommandRow key={id} id={id} />
        ))}
      </ol>
    </div>
  );
}

function useCommand<Value>(
  id: string,
  selector: (item: ItemOf<"command">, turn: ItemTurn) => Value,
): Value | undefined {
  return useThread((copy) => {
    const item = copy.byId[id];
    return item?.kind === "command" ? selector(item, copy.turnById[item.turnId]) : undefined;
  });
}

function CommandRow({ id }: { id: string }) {
  const [open, setOpen] = useState(false);
  const panelId = useId();
  const command = useCommand(id, (item) => item.command);
  const status = useCommand(id, (item) => item.status);
  const startedAtMs = useCommand(id, (item) => item.startedAtMs);
  const outcome = useCommand(id, (item, turn) => outcomeWords(item, statusWords(item, turn)));
  const turnId = useCommand(id, (item) => item.turnId);
  const byAgent = useCommand(id, (item) => item.byAgent);
  const stopped = useCommand(id, (item) => item.stopped ?? false);
  const asked = useIsAsked(id);
  if (command === undefined || status === undefined || turnId === undefined) return null;
  const firstLine = stripAnsi(command).split("\n", 1)[0];
  return (
    <li>
      <button
        type="button"
        aria-expanded={open}
        aria-controls={open ? panelId : undefined}
        onClick={() => setOpen(!open)}
        title={command.slice(0, 2_000)}
        className="ring-inset flex min-h-(--h-row) w-full min-w-0 items-center gap-2 py-1 pr-4 pl-3 text-left text-s transition-colors hover:bg-hover"
      >
        <ChevronRight
          aria-hidden
          size={14}
          className={cx("-mr-1 shrink-0 text-ink-3 transition-transform", open && "rotate-90")}
        />
        <span className="grid w-3.5 shrink-0 place-items-center">
          {asked ? <AskedMark /> : <CommandMark item={{ status, turnId, stopped }} />}
        </span>
        <span className="min-w-0 flex-1 truncate font-mono text-ink">{firstLine}</span>
        {byAgent === false && <span className="shrink-0 text-xs text-ink-3">by you</span>}
        <span
          className={cx(
            "shrink-0 text-xs tabular",
            asked || status === "lost"
              ? "text-warn"
              : status === "failed" && !stopped
                ? "text-bad"
                : "text-ink-3",
          )}
        >
          <Outcome
            asked={asked}
            outcome={outcome ?? ""}
            sinceMs={status === "running" ? startedAtMs : null}
          />
        </span>
      </button>
      {open && <Output panelId={panelId} id={id} command={command} running={status === "running"} />}
    </li>
  );
}

interface OutcomeProps {
  asked: boolean;
  outcome: string;
  /** Null for a command that has ended. */
  sinceMs: number | null | undefined;
}

function Outcome({ asked, outcome, sinceMs }: OutcomeProps) {
  if (asked) return "waits for you";
  if (sinceMs === null || sinceMs === undefined) return outcome;
  return (
    <>
      <span className="sr-only">running for </span>
      <Elapsed sinceMs={sinceMs} />
    </>
  );
}

interface OutputProps {
  panelId: string;
  id: string;
  command: string;
  running: boolean;
}

function Output({ panelId, id, command, running }: OutputProps) {
  const text = useThrottled(useCommand(id, (item) => item.output.text) ?? "", running ? streamingPauseMs : 0);
  const dropped = (useCommand(id, (item) => item.output.droppedUnits) ?? 0) > 0;
  const cwd = useCommand(id, (item) => item.cwd);
  const { tail, hidden } = tailOf(text, tailLines, tailUnits);
  return (
    <div id={panelId} className="border-y border-line bg-canvas">
      <div className="grid gap-0.5 border-b border-line px-4 py-1.5 font-mono text-xs break-words">
        <p className="line-clamp-6 whitespace-pre-wrap text-ink selectable">{stripAnsi(command)}</p>
        <p className="text-ink-3 selectable">
          <span className="font-sans">in</span> {cwd}
        </p>
      </div>
      {text === "" && !dropped ? (
        <p className="px-4 py-1.5 text-s text-ink-3">
          {running ? "Nothing printed so far." : "It printed nothing."}
        </p>
      ) : (
        <>
          {(hidden || dropped) && (
            <p className="px-4 pt-1.5 text-xs text-ink-3">The end of it; all of it is in the conversation.</p>
          )}
          <section
            // biome-ignore lint/a11y/noNoninteractiveTabindex: it scrolls with the keyboard
            tabIndex={0}
            aria-label={running ? "Output so far" : "Output"}
            className="ring-inset max-h-70 overflow-auto px-4 py-2 text-xs text-ink-2 selectable"
          >
            <pre>
              <AnsiText text={tail} />
            </pre>
          </section>
        </>
      )}
    </div>
  );
}
