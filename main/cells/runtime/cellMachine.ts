// The life of one cell as decisions: what happens next, given what has happened. No I/O, no clock of its own.
// Behaviour: Cells.
//
// Races settled here:
// - It is observed twice at a time: the second one is refused (`cell_busy`). The last event of a cell is never lost: if
//   nobody waits for it, it is kept for the next one who observes or terminates.
// - It is terminated while it completes: what has completed has completed, and that is what the one who terminates is told.
//   A second terminate is refused (`already_terminating`).
// - The script ends while the person is still being told what it notified: the cell completes after that. When it is
//   ended from outside, or its thread dies, that is cancelled, and only afterwards the delegate is told of the end.
// - A call or a notification does not heed its signal: it is waited for a moment, then the cell goes on without it; its
//   late answer finds nobody.
// - The script does not stop when it is told: its thread is ended. It does not notice that its time is over: the same.
// - "It can go no further" and an answer cross each other: the worker says how many answers it had then, and fewer than
//   were sent means that it goes on.
// - Anything from the worker after it was told to stop: what it wrote counts, what it asks for does not. It counts also when
//   it has been on its way for so long that the thread was not waited for any more, as long as nobody has read the end.
// - The runtime ends while the end of the cell is unread: nobody will come for it, so it closes. While it is being ended
//   whoever comes in time, between two observations, is given its end.

import { Fault } from "../../fault";
import type { CellError, CellEvent, OutputItem, PendingCall } from "./cellEvents";
import type { CellDecision, CellEffect, CellHappening, CellPhase, CellState, TaskAnswer } from "./cellState";
import { limitText } from "./limits";
import type { FromWorker } from "./workerMessages";

/** After being told to stop. */
const killAfterMs = 200;
/** For the thread to be gone and for what was cancelled to return. Together with the above far below a second. */
const graceMs = 500;
/** A script notices by itself that its time is over, in all but a few places. */
const overrunMs = 1_000;

export function decideCell(cell: CellState, happening: CellHappening): CellDecision {
  switch (happening.type) {
    case "observe":
      return observe(cell, happening);
    case "terminate":
      return terminate(cell, happening.id);
    case "forsake":
      return forsake({ ...cell, isForsaken: true });
    case "said":
      return said(cell, happening.message);
    case "threadGone":
      return threadGone({ ...cell, hasThread: false }, happening.fault);
    case "taskEnded":
      return taskEnded(cell, happening.task, happening.answer);
    case "kept":
      return kept(cell, happening.fault);
    case "due":
      return due(cell, happening.timer);
    case "closed":
      return cell.phase.name === "closing"
        ? [{ ...cell, phase: { name: "closed" } }, [{ type: "gone" }]]
        : [cell, []];
    default:
      return happening satisfies never;
  }
}

function observe(cell: CellState, { id, mode }: Extract<CellHappening, { type: "observe" }>): CellDecision {
  const { phase } = cell;
  switch (phase.name) {
    case "running":
    case "finishing": {
      if (cell.observer) return refuse(cell, id, busy());
      const observed = { ...cell, observer: { id, mode } };
      switch (mode.type) {
        case "yieldAfter":
          return [observed, [{ type: "arm", timer: "yield", delayMs: mode.delayMs }]];
        case "pendingFrontier":
          return cell.atFrontier ? yieldNow(observed) : [observed, []];
        case "output":
          return [observed, cell.output.length > 0 ? yieldsSoon(mode.momentMs) : []];
        default:
          return mode satisfies never;
      }
    }
    case "stopping":
      if (cell.observer || phase.told.length > 0) return refuse(cell, id, busy());
      return [{ ...cell, observer: { id, mode } }, []];
    case "unread":
      return close(cell, [id], phase.event);
    case "closing":
    case "closed":
      return refuse(cell, id, missingCell());
    default:
      return phase satisfies never;
  }
}

function terminate(cell: CellState, id: number): CellDecision {
  const { phase } = cell;
  switch (phase.name) {
    case "running":
      return stop(cell, [id]);
    case "finishing":
      if (phase.told.length > 0) return refuse(cell, id, alreadyTerminating());
      return cancel({ ...cell, phase: { ...phase, told: [id] } });
    case "stopping":
      return refuse(cell, id, alreadyTerminating());
    case "unread":
      return close(cell, [id], phase.event);
    case "closing":
    case "closed":
      return refuse(cell, id, missingCell());
    default:
      return phase satisfies never;
  }
}

function forsake(cell: CellState): CellDecision {
  switch (cell.phase.name) {
    case "running":
      return stop(cell, []);
    case "finishing":
      return cancel(cell);
    case "unread":
      return close(cell, [], cell.phase.event);
    case "stopping":
    case "closing":
    case "closed":
      return [cell, []];
    default:
      return cell.phase satisfies never;
  }
}

function stop(cell: CellState, told: number[]): CellDecision {
  const [cancelled, effects] = cancel({ ...cell, phase: { name: "stopping", told }, atFrontier: false });
  return [
    cancelled,
    [
      { type: "disarm", timer: "yield" },
      { type: "disarm", timer: "overrun" },
      { type: "stop" },
      { type: "arm", timer: "kill", delayMs: killAfterMs },
      ...effects,
    ],
  ];
}

/** What is done for it is to end, and is waited for no longer than a moment. */
function cancel(cell: CellState): CellDecision {
  const [aborting, effects] = abort(cell, () => true);
  const [next, more] = settle(aborting);
  return [next, [{ type: "arm", timer: "grace", delayMs: killAfterMs + graceMs }, ...effects, ...more]];
}

function abort(cell: CellState, which: (isCall: boolean) => boolean): CellDecision {
  const aborted = [...cell.tasks].filter(([, task]) => !task.aborted && which(task.kind !== "notification"));
  if (aborted.length === 0) return [cell, []];
  const tasks = new Map(cell.tasks);
  for (const [id, task] of aborted) tasks.set(id, { ...task, aborted: true });
  return [{ ...cell, tasks }, [{ type: "abort", tasks: aborted.map(([id]) => id) }]];
}

function said(cell: CellState, message: FromWorker): CellDecision {
  if (message.type === "output") return wrote(cell, message.items);
  if (cell.phase.name !== "running") return [cell, []];
  switch (message.type) {
    case "busy": {
      const leftMs = Math.max(0, cell.limits.runTimeMs - message.spentMs);
      return [
        { ...cell, atFrontier: false },
        [{ type: "arm", timer: "overrun", delayMs: leftMs + overrunMs }],
      ];
    }
    case "idle": {
      const atFrontier = message.waitsFor === "answer" && message.answers === cell.answers;
      const idle = { ...cell, atFrontier };
      const disarmed: CellEffect = { type: "disarm", timer: "overrun" };
      if (!atFrontier || cell.observer?.mode.type !== "pendingFrontier") return [idle, [disarmed]];
      const [yielded, effects] = yieldNow(idle);
      return [yielded, [disarmed, ...effects]];
    }
    case "call": {
      const { id, name, args } = message;
      const task = cell.lastTask + 1;
      const tasks = new Map(cell.tasks).set(task, { kind: { call: id, name }, aborted: false });
      return [{ ...cell, tasks, lastTask: task }, [{ type: "call", task, name, args }]];
    }
    case "notify": {
      const task = cell.lastTask + 1;
      const tasks = new Map(cell.tasks).set(task, { kind: "notification" as const, aborted: false });
      return [{ ...cell, tasks, lastTask: task }, [{ type: "notify", task, text: message.text }]];
    }
    case "done":
      return finish(cell, message.error, message.stored);
    default:
      return message satisfies never;
  }
}

function wrote(cell: CellState, items: readonly OutputItem[]): CellDecision {
  if (cell.phase.name === "unread") {
    const { event } = cell.phase;
    const output = [...event.output, ...items];
    return [{ ...cell, phase: { name: "unread", event: { ...event, output } } }, []];
  }
  const written = { ...cell, output: [...cell.output, items] };
  const { name } = cell.phase;
  const mode = cell.observer?.mode;
  const isFirst = cell.output.length === 0 && (name === "running" || name === "finishing");
  return [written, mode?.type === "output" && isFirst ? yieldsSoon(mode.momentMs) : []];
}

function yieldsSoon(momentMs: number): CellEffect[] {
  return [{ type: "arm", timer: "yield", delayMs: momentMs }];
}

/** The script has come to its end. Its notifications go on; a call that is left belongs to a script that has failed. */
function finish(cell: CellState, error: CellError | null, stored: ReadonlyMap<string, string>): CellDecision {
  const finishing: CellState = {
    ...cell,
    atFrontier: false,
    phase: { name: "finishing", error, stored, told: [] },
  };
  const [aborting, effects] = abort(finishing, (isCall) => isCall);
  const [next, more] = settle(aborting);
  return [
    next,
    [
      { type: "disarm", timer: "overrun" },
      { type: "kill" },
      { type: "arm", timer: "grace", delayMs: graceMs },
      ...effects,
      ...more,
    ],
  ];
}

function threadGone(cell: CellState, fault: Fault | null): CellDecision {
  if (cell.phase.name !== "running") return settle(cell);
  const [cancelled, effects] = cancel({
    ...cell,
    atFrontier: false,
    phase: { name: "finishing", error: threadError(cell, fault), stored: new Map(), told: [] },
  });
  return [cancelled, [{ type: "disarm", timer: "overrun" }, ...effects]];
}

function threadError(cell: CellState, fault: Fault | null): CellError {
  const isMemory = fault?.detail === "ERR_WORKER_OUT_OF_MEMORY";
  if (isMemory) return { text: limitText("memoryBytes", cell.limits), at: null, limit: "memoryBytes" };
  return { text: fault?.message ?? "The cell's thread has ended unexpectedly.", at: null, limit: null };
}

function taskEnded(cell: CellState, task: number, answer: TaskAnswer): CellDecision {
  const ended = cell.tasks.get(task);
  if (!ended) return [cell, []];
  const tasks = new Map(cell.tasks);
  tasks.delete(task);
  if (cell.phase.name !== "running") return settle({ ...cell, tasks });
  if (ended.kind === "notification")
    return [{ ...cell, tasks }, [{ type: "send", message: { type: "notified" } }]];
  return [
    { ...cell, tasks, answers: cell.answers + 1, atFrontier: false },
    [{ type: "send", message: { type: "answer", id: ended.kind.call, ...answer } }],
  ];
}

function due(cell: CellState, timer: Extract<CellHappening, { type: "due" }>["timer"]): CellDecision {
  const { phase } = cell;
  switch (timer) {
    case "yield":
      return phase.name === "running" || phase.name === "finishing" ? yieldNow(cell) : [cell, []];
    case "overrun":
      if (phase.name !== "running") return [cell, []];
      return finish(
        cell,
        { text: limitText("runTimeMs", cell.limits), at: null, limit: "runTimeMs" },
        new Map(),
      );
    case "kill":
      return cell.hasThread ? [cell, [{ type: "kill" }]] : [cell, []];
    case "grace": {
      // A thread that was ended and is not gone runs nothing any more; a cancelled task has had its time.
      if (phase.name !== "stopping" && phase.name !== "finishing") return [cell, []];
      const tasks = new Map([...cell.tasks].filter(([, task]) => !task.aborted));
      return settle({ ...cell, tasks, hasThread: false });
    }
    default:
      return timer satisfies never;
  }
}

/** Has everything that belongs to the script come to its end? */
function settle(cell: CellState): CellDecision {
  const { phase } = cell;
  if (cell.hasThread || cell.tasks.size > 0) return [cell, []];
  if (phase.name === "stopping") {
    return close(cell, phase.told, { type: "terminated", output: cell.output.flat() });
  }
  if (phase.name !== "finishing") return [cell, []];
  if (phase.stored.size > 0) return [cell, [{ type: "keep", values: phase.stored }]];
  return completed(cell, phase, phase.error);
}

function kept(cell: CellState, fault: Fault | null): CellDecision {
  const { phase } = cell;
  if (phase.name !== "finishing") return [cell, []];
  const lost = fault && {
    text: `What it has stored could not be kept: ${fault.message}`,
    at: null,
    limit: null,
  };
  return completed(cell, phase, phase.error ?? lost);
}

function completed(
  cell: CellState,
  { told }: Extract<CellPhase, { name: "finishing" }>,
  error: CellError | null,
): CellDecision {
  const event: CellEvent = { type: "completed", output: cell.output.flat(), error };
  if (told.length > 0 || cell.observer || cell.isForsaken) return close(cell, told, event);
  return [{ ...cell, output: [], phase: { name: "unread", event } }, [{ type: "disarm", timer: "grace" }]];
}

/** The end is told, and then the delegate is told. */
function close(cell: CellState, told: readonly number[], event: CellEvent): CellDecision {
  const to = cell.observer ? [cell.observer.id, ...told] : told;
  const disarmed = (["yield", "overrun", "kill", "grace"] as const).map(
    (timer): CellEffect => ({ type: "disarm", timer }),
  );
  return [
    { ...cell, phase: { name: "closing" }, observer: null, output: [] },
    [...disarmed, { type: "give", to, event }, { type: "close" }],
  ];
}

function yieldNow(cell: CellState): CellDecision {
  if (!cell.observer) return [cell, []];
  const event: CellEvent = { type: "yielded", output: cell.output.flat(), pendingCalls: pendingCalls(cell) };
  return [{ ...cell, observer: null, output: [] }, [{ type: "give", to: [cell.observer.id], event }]];
}

export function pendingCalls(cell: CellState): PendingCall[] {
  return [...cell.tasks.values()].flatMap(({ kind }) =>
    kind === "notification" ? [] : [{ id: kind.call, name: kind.name }],
  );
}

function refuse(cell: CellState, to: number, fault: Fault): CellDecision {
  return [cell, [{ type: "refuse", to, fault }]];
}

export function missingCell(): Fault {
  return new Fault("missing_cell", "This cell does not exist any more.");
}

function busy(): Fault {
  return new Fault("cell_busy", "Somebody observes this cell already.");
}

function alreadyTerminating(): Fault {
  return new Fault("already_terminating", "This cell is being terminated already.");
}
