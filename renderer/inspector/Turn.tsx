// How the turn is that goes on, or how the last one ended.

import { stripAnsi } from "../conversation/ansi/ansi";
import { Elapsed } from "../conversation/items/Elapsed";
import { count, durationWords } from "../conversation/time/durations";
import { endingOf } from "../conversation/turnEnding";
import { useHead, useThread } from "../state/threadStore";
import { changeLayout } from "../state/uiStore";
import { Said } from "../ui/Said";
import { Spinner } from "../ui/Spinner";
import { Status } from "../ui/StatusDot";
import { AskedMark, useIsAsked } from "./asked";
import { runningCommandIds } from "./kindSelect";
import { otherWaits, tookMs, turnLook } from "./progressWords";
import { Fact, Facts, LineCounts, Section } from "./Section";

export function Turn() {
  const run = useHead((head) => head.run);
  const state = useHead((head) => head.state);
  const fault = useHead((head) => head.fault);
  const turn = useThread((copy) => copy.turnById[copy.turnOrder.at(-1) ?? ""]);
  const look = turnLook(
    state,
    run && { stopping: run.stopping, retrying: run.retrying !== null },
    turn ? (endingOf(turn, true, fault) ?? "running") : null,
  );
  if (look === null) return null;
  const waits = otherWaits(state, run?.waitingFor ?? []);
  const took = run === null && turn ? tookMs(turn) : null;
  return (
    <Section title={run === null ? "Last turn" : "This turn"}>
      <Facts>
        <Fact name="State">
          <Status tone={look.tone} word={look.word} />
        </Fact>
        {run !== null && (
          <Fact name="For">
            <Elapsed sinceMs={run.startedAtMs} />
          </Fact>
        )}
        {took !== null && <Fact name="Took">{durationWords(took)}</Fact>}
        {waits.length > 0 && <Fact name="Waiting for">{waits.join(", ")}</Fact>}
        {run !== null && run.retrying !== null && (
          <Fact name="Held up by">
            <span className="text-warn">{run.retrying}</span>
          </Fact>
        )}
        <FilesChanged />
      </Facts>
      {run === null && turn?.fault && (
        <div className="grid gap-0.5 rounded-m border border-line bg-raised px-2.5 py-2 text-s">
          <p className="break-words selectable">
            <Said>{turn.fault.message}</Said>
          </p>
          {turn.fault.hint && (
            <p className="text-ink-2 selectable">
              <Said>{turn.fault.hint}</Said>
            </p>
          )}
        </div>
      )}
      {run !== null && <RunningCommands />}
    </Section>
  );
}

function FilesChanged() {
  const changed = useHead((head) => head.changed);
  if (changed === null) return null;
  return (
    <Fact name="Files changed">
      <button
        type="button"
        onClick={() => changeLayout({ inspectorTab: "changes" })}
        className="-mx-1 rounded-xs px-1 decoration-line-strong underline-offset-3 transition-colors hover:underline"
      >
        <span className="sr-only">Show changes: </span>
        {count(changed.files, "file")} · <LineCounts added={changed.added} removed={changed.removed} />
      </button>
    </Fact>
  );
}

function RunningCommands() {
  const ids = useThread(runningCommandIds);
  if (ids.length === 0) return null;
  return (
    <ul aria-label="Commands going on" className="mt-0.5 grid gap-1">
      {ids.map((id) => (
        <RunningCommand key={id} id={id} />
      ))}
    </ul>
  );
}

function RunningCommand({ id }: { id: string }) {
  // Its command alone: output that streams in draws nothing here.
  const command = useThread((copy) => {
    const item = copy.byId[id];
    return item?.kind === "command" ? item.command : null;
  });
  const startedAtMs = useThread((copy) => copy.byId[id]?.startedAtMs ?? null);
  const asked = useIsAsked(id);
  if (command === null) return null;
  return (
    <li className="flex min-h-7 min-w-0 items-center gap-2 rounded-s border border-line bg-raised px-2 text-s">
      {asked ? <AskedMark /> : <Spinner />}
      <span className="min-w-0 flex-1 truncate font-mono" title={command}>
        <span className="sr-only">{asked ? "Waits for you: " : "Running: "}</span>
        {stripAnsi(command).split("\n", 1)[0]}
      </span>
      {asked && (
        <span aria-hidden className="shrink-0 text-xs text-warn">
          waits for you
        </span>
      )}
      {!asked && startedAtMs !== null && (
        <span className="shrink-0 text-xs text-ink-3 tabular">
          <Elapsed sinceMs={startedAtMs} />
        </span>
      )}
    </li>
  );
}
