import { afterEach, beforeEach, describe, expect, it } from "vitest";
import type { TerminalChange, TerminalRow } from "../../preload/contract/terminals";
import { ManualClock } from "../clock";
import { Fault } from "../fault";
import { silentLog } from "../log";
import { TerminalOutput } from "./terminalOutput";
import { Terminals } from "./terminals";
import { TestPlace } from "./testPlace";

const name = { kind: "environment", environmentId: "box" } as const;
const shell = { place: name, command: null, cwd: null };
const gone = new Fault("gone", "It is gone.");

let clock: ManualClock;
let place: TestPlace;
let told: TerminalRow[][];
let terminals: Terminals;

beforeEach(() => {
  clock = new ManualClock();
  place = new TestPlace();
  told = [];
  terminals = new Terminals({
    clock,
    log: silentLog,
    place: () => place,
    changed: (rows) => told.push(rows),
  });
});

afterEach(() => {
  expect(clock.pendingCount).toBe(0);
});

const row = (terminalId: string) => terminals.rows.find((each) => each.terminalId === terminalId);
const bytes = (text: string) => Buffer.from(text);
/** Everything that is due in this turn of the loop. */
const settled = () => new Promise((resolve) => setImmediate(resolve));

async function running(): Promise<string> {
  const terminalId = terminals.start(shell);
  place.last.started();
  await settled();
  return terminalId;
}

it("what was open when an earlier run went away is listed as lost, and can be closed", async () => {
  terminals.listLost([
    { place: name, command: "make", cwd: "/src", startedAtMs: 7, output: null, size: null },
  ]);
  await settled();
  expect(told.at(-1)).toMatchObject([
    {
      place: name,
      command: "make",
      cwd: "/src",
      state: "lost",
      fault: { code: "holdfast_went_away", message: "Holdfast went away while it ran." },
      startedAtMs: 7,
      endedAtMs: clock.nowMs(),
    },
  ]);
  expect(place.commands).toEqual([]);
  const [lost] = terminals.rows;
  await terminals.close(lost?.terminalId ?? "");
  expect(terminals.rows).toEqual([]);
});

describe("a terminal", () => {
  it("is listed at once, before it is started", async () => {
    const terminalId = terminals.start({ place: name, command: "make", cwd: "/src" });
    expect(told.at(-1)).toMatchObject([{ terminalId, state: "starting", command: "make", cwd: "/src" }]);
    expect(place.last.request).toEqual({ command: "make", cwd: "/src", columns: 80, rows: 24 });
    place.last.started();
    await settled();
    expect(told.at(-1)).toMatchObject([{ state: "running", startedAtMs: clock.nowMs(), endedAtMs: null }]);
  });

  it("says where its place has started it", async () => {
    const terminalId = terminals.start(shell);
    expect(row(terminalId)?.cwd).toBeNull();
    place.last.started();
    await settled();
    expect(row(terminalId)?.cwd).toBe("/where/it/starts");
  });

  it("could not be started: it stays on the list and says why", async () => {
    const terminalId = terminals.start(shell);
    const typed = terminals.write(terminalId, bytes("ls\n"));
    place.last.fails(new Fault("no_shell", "There is no shell.", { hint: "Install one." }));
    await expect(typed).rejects.toMatchObject({ code: "no_shell" });
    expect(row(terminalId)).toMatchObject({
      state: "failed",
      fault: { code: "no_shell", message: "There is no shell.", hint: "Install one." },
    });
    await terminals.close(terminalId);
    expect(terminals.rows).toEqual([]);
  });

  it("is over when nothing more can come, with the code that its command ended with", async () => {
    const terminalId = await running();
    place.last.says({ type: "exited", exitCode: 3 });
    expect(row(terminalId)).toMatchObject({ state: "running", exitCode: 3, endedAtMs: null });
    place.last.prints("late output");
    clock.advance(50);
    place.last.says({ type: "closed" });
    expect(row(terminalId)).toMatchObject({ state: "ended", exitCode: 3, endedAtMs: clock.nowMs() });
    expect(Buffer.from(terminals.open(terminalId, () => {}).snapshot.output).toString()).toBe("late output");
  });

  it("that ends before its start is answered has ended", async () => {
    const terminalId = terminals.start({ ...shell, command: "true" });
    place.last.says({ type: "exited", exitCode: 0 }, { type: "closed" });
    place.last.started();
    await settled();
    expect(row(terminalId)).toMatchObject({ state: "ended", exitCode: 0 });
    await expect(terminals.write(terminalId, bytes("x"))).rejects.toMatchObject({ code: "terminal_over" });
  });

  it("is lost: it says why, and keeps what it printed", async () => {
    const terminalId = await running();
    place.last.prints("before");
    place.last.says({ type: "lost", fault: gone });
    expect(row(terminalId)).toMatchObject({ state: "lost", fault: { code: "gone" } });
    expect(Buffer.from(terminals.open(terminalId, () => {}).snapshot.output).toString()).toBe("before");
    await expect(terminals.interrupt(terminalId)).rejects.toMatchObject({ code: "terminal_over" });
  });
});

describe("what is typed", () => {
  it("before it is started waits, and arrives in its order", async () => {
    const terminalId = terminals.start(shell);
    const typed = [terminals.write(terminalId, bytes("a")), terminals.write(terminalId, bytes("b"))];
    place.last.started();
    await settled();
    typed.push(terminals.write(terminalId, bytes("c")));
    await Promise.all(typed);
    await terminals.interrupt(terminalId);
    expect(place.last.written).toEqual(["a", "b", "c", "<interrupt>"]);
  });

  it("and does not arrive is not sent again", async () => {
    const terminalId = await running();
    place.last.fault = gone;
    await expect(terminals.write(terminalId, bytes("rm x\n"))).rejects.toBe(gone);
    place.last.fault = null;
    await terminals.write(terminalId, bytes("ls\n"));
    expect(place.last.written).toEqual(["ls\n"]);
  });

  it("is refused when too much of it waits", async () => {
    const terminalId = terminals.start(shell);
    const large = new Uint8Array(1024 * 1024);
    const typed = [1, 2, 3, 4].map(() => terminals.write(terminalId, large));
    await expect(terminals.write(terminalId, bytes("x"))).rejects.toMatchObject({
      code: "terminal_input_full",
    });
    place.last.started();
    await Promise.all(typed);
    await terminals.write(terminalId, bytes("x"));
    expect(place.last.written).toHaveLength(5);
  });
});

describe("its size", () => {
  it("is what was asked for last, also before it is started, and one is set after the other", async () => {
    const terminalId = terminals.start({ ...shell, size: { columns: 90, rows: 30 } });
    expect(place.last.request).toMatchObject({ columns: 90, rows: 30 });
    const early = terminals.resize(terminalId, { columns: 91, rows: 30 });
    expect(row(terminalId)).toMatchObject({ columns: 91, rows: 30, resizable: true });
    let finish = () => {};
    place.last.resizing = new Promise((resolve) => {
      finish = resolve;
    });
    place.last.started();
    await settled();
    const late = [92, 93, 94].map((columns) => terminals.resize(terminalId, { columns, rows: 30 }));
    await settled();
    expect(place.last.written).toEqual(["<91x30>"]);
    finish();
    await Promise.all([early, ...late]);
    expect(place.last.written).toEqual(["<91x30>", "<94x30>"]);
    await terminals.resize(terminalId, { columns: 94, rows: 30 });
    expect(place.last.written).toHaveLength(2);
  });

  it("cannot be changed where its place cannot, and means nothing once it is over", async () => {
    const terminalId = await running();
    place.last.says({ type: "closed" });
    await terminals.resize(terminalId, { columns: 50, rows: 20 });
    expect(row(terminalId)).toMatchObject({ columns: 80, resizable: false });
    place.resizable = false;
    await expect(terminals.resize(await running(), { columns: 50, rows: 20 })).rejects.toMatchObject({
      code: "terminal_size_fixed",
    });
  });
});

it("a terminal is called what it says, unless the person has a name for it", async () => {
  const terminalId = await running();
  place.last.prints("\u001b]0;vim notes\u0007");
  expect(row(terminalId)).toMatchObject({ name: null, title: "vim notes" });
  const before = told.length;
  clock.advance(150);
  expect(told.length).toBe(before + 1);
  terminals.rename(terminalId, "notes");
  expect(told.at(-1)).toMatchObject([{ name: "notes", title: "vim notes" }]);
  terminals.rename(terminalId, "");
  expect(row(terminalId)?.name).toBeNull();
});

it("what is over and belongs to a place that is gone is forgotten, and what runs is not", async () => {
  const [over, live] = [await running(), await running()];
  place.commands[0]?.says({ type: "closed" });
  terminals.forget(() => true);
  expect(terminals.rows.map(({ terminalId }) => terminalId)).toEqual([live]);
  expect(() => terminals.rename(over, "x")).toThrow(expect.objectContaining({ code: "terminal_unknown" }));
});

it("what was lost shows the end of what it has printed, where that was kept", async () => {
  const output = bytes("last words");
  terminals.listLost([
    { place: name, command: null, cwd: "/", startedAtMs: 7, output, size: { columns: 41, rows: 30 } },
  ]);
  const [lost] = terminals.rows;
  expect(lost).toMatchObject({ columns: 41, rows: 30 });
  expect(Buffer.from(terminals.open(lost?.terminalId ?? "", () => {}).snapshot.output).toString()).toBe(
    "last words",
  );
});

describe("ending", () => {
  it("is asked once, however many ask, and answered when it is over", async () => {
    const terminalId = await running();
    const ends = [terminals.end(terminalId), terminals.end(terminalId)];
    await settled();
    expect(place.last.endings).toBe(1);
    expect(row(terminalId)).toMatchObject({ state: "running", ending: true });
    place.last.says({ type: "exited", exitCode: 137 }, { type: "closed" });
    await Promise.all(ends);
    expect(row(terminalId)).toMatchObject({ state: "ended", exitCode: 137, ending: false });
  });

  it("is wished before it is started: it is ended as soon as it is there", async () => {
    const terminalId = terminals.start(shell);
    const ended = terminals.end(terminalId);
    await settled();
    expect(place.last.endings).toBe(0);
    place.last.started();
    await settled();
    expect(place.last.endings).toBe(1);
    place.last.says({ type: "closed" });
    await ended;
  });

  it("is not waited for longer than a few seconds, and comes all the same", async () => {
    const terminalId = await running();
    const closed = terminals.close(terminalId);
    clock.advance(8_000);
    await expect(closed).rejects.toMatchObject({ code: "terminal_still_ending" });
    expect(row(terminalId)).toMatchObject({ state: "running", ending: true });
    place.last.says({ type: "closed" });
    expect(terminals.rows).toEqual([]);
  });

  it("is there when its command has ended, whatever that has left behind holds its output", async () => {
    const [one, two] = [await running(), await running()];
    for (const command of place.commands) {
      command.says({ type: "exited", exitCode: 1 });
      command.prints("left behind");
    }
    clock.advance(60_000);
    expect(terminals.rows).toMatchObject([{ state: "running" }, { state: "running" }]);
    const asked = [terminals.end(one), terminals.close(two)];
    await settled();
    clock.advance(8_000);
    await Promise.all(asked);
    expect(terminals.rows).toMatchObject([{ terminalId: one, state: "ended", exitCode: 1 }]);
    for (const command of place.commands) command.says({ type: "closed" });
    expect(terminals.rows).toHaveLength(1);
  });

  it("that could not be asked for can be asked for again", async () => {
    const terminalId = await running();
    place.last.fault = gone;
    await expect(terminals.end(terminalId)).rejects.toBe(gone);
    expect(row(terminalId)).toMatchObject({ ending: false });
    place.last.fault = null;
    const ended = terminals.end(terminalId);
    await settled();
    place.last.says({ type: "closed" });
    await ended;
  });

  it("closing takes off the list: at once when it is over, else when it is", async () => {
    const [over, live] = [await running(), await running()];
    place.commands[0]?.says({ type: "closed" });
    await terminals.close(over);
    expect(terminals.rows.map(({ terminalId }) => terminalId)).toEqual([live]);
    const closed = terminals.close(live);
    await settled();
    place.last.says({ type: "closed" });
    await closed;
    expect(terminals.rows).toEqual([]);
    await terminals.close(live);
    await expect(terminals.end(live)).rejects.toMatchObject({ code: "terminal_unknown" });
    expect(() => terminals.open(live, () => {})).toThrow("no such terminal");
  });

  it("with Holdfast: all that run are asked, and none is waited for longer than a few seconds", async () => {
    const [polite, stubborn] = [await running(), await running()];
    const starting = terminals.start(shell);
    const down = terminals.shutDown();
    await settled();
    expect(place.commands.map(({ endings }) => endings)).toEqual([1, 1, 0]);
    place.commands[0]?.says({ type: "closed" });
    clock.advance(8_000);
    await down;
    expect(row(polite)?.state).toBe("ended");
    expect(row(stubborn)?.state).toBe("running");
    expect(row(starting)?.state).toBe("starting");
    expect(() => terminals.start(shell)).toThrow(Fault);
  });
});

describe("the list", () => {
  it("forgets the oldest that are over, never one that runs", async () => {
    const live = await running();
    const over: string[] = [];
    for (let each = 0; each < 52; each += 1) {
      clock.advance(1);
      over.push(await running());
      place.last.says({ type: "closed" });
    }
    expect(terminals.rows.map(({ terminalId }) => terminalId)).toEqual([live, ...over.slice(2)]);
  });

  it("has a bound for those that run", async () => {
    for (let each = 0; each < 50; each += 1) await running();
    expect(() => terminals.start(shell)).toThrow(expect.objectContaining({ code: "too_many_terminals" }));
    place.last.says({ type: "closed" });
    await running();
  });
});

describe("who answers what a program asks of its terminal", () => {
  const listen = (terminalId: string) => {
    const heard: TerminalChange[] = [];
    return { heard, ...terminals.open(terminalId, (list) => heard.push(...list)) };
  };

  it("the window that has shown it longest, and then the next one", async () => {
    const terminalId = await running();
    const [one, two] = [listen(terminalId), listen(terminalId)];
    expect([one.snapshot.answersFrom, two.snapshot.answersFrom]).toEqual([0, null]);
    place.last.prints("question?");
    one.close();
    expect(two.heard.map(({ type }) => type)).toEqual(["output", "answers"]);
    const three = listen(terminalId);
    two.close();
    two.close();
    expect(three.heard.map(({ type }) => type)).toEqual(["answers"]);
    three.close();
    expect(listen(terminalId).snapshot.answersFrom).toBe("question?".length);
  });

  it("also what was asked just before the first window came, and nothing that is older", async () => {
    const terminalId = await running();
    place.last.prints("old? ");
    clock.advance(5_001);
    place.last.prints("new?");
    expect(listen(terminalId).snapshot.answersFrom).toBe("old? ".length);
    const late = await running();
    place.last.prints("old?");
    clock.advance(5_001);
    expect(listen(late).snapshot.answersFrom).toBe("old?".length);
  });
});

it("a gap keeps its place in what is shown later", async () => {
  const terminalId = await running();
  place.last.prints("before");
  place.last.says({ type: "gap" });
  place.last.prints("after");
  const { snapshot } = terminals.open(terminalId, () => {});
  expect(snapshot.gaps).toEqual(["before".length]);
});

it("a question that nobody was there to answer is late also when the clock is put back", () => {
  let nowMs = 1_000_000;
  const output = new TerminalOutput({ nowMs: () => nowMs, after: clock.after.bind(clock) });
  output.add(bytes("old?"));
  nowMs -= 500_000;
  output.add(bytes("new?"));
  expect(output.open(() => {}).snapshot.answersFrom).toBe("old?".length);
});

describe("what would be cut off", () => {
  const atWork = () => terminals.atWork.map(({ terminalId }) => terminalId);

  it("is all that is open, but for shells that were found idle", async () => {
    expect(terminals.lookForIdle()).toBeNull();
    const busy = await running();
    const idle = await running();
    place.last.idle = true;
    const unknown = await running();
    place.last.idle = null;
    const starting = terminals.start(shell);
    const over = await running();
    place.last.says({ type: "exited", exitCode: 0 }, { type: "closed" });
    expect(atWork()).toEqual([busy, idle, unknown, starting]);
    await terminals.lookForIdle();
    expect(atWork()).toEqual([busy, unknown, starting]);
    expect(row(over)?.state).toBe("ended");
    const [, second] = place.commands;
    if (second) second.idle = false;
    await terminals.lookForIdle();
    expect(atWork()).toEqual([busy, idle, unknown, starting]);
  });

  it("is everything where nobody can know", async () => {
    const terminalId = await running();
    delete place.last.process.isIdle;
    await terminals.lookForIdle();
    expect(atWork()).toEqual([terminalId]);
  });
});
