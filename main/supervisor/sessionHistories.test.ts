// The session, its interpreter, the cleanups and a real ledger together, over random histories in which everything fails that
// can fail, and Holdfast itself dies in between. What must hold is checked after each step, and once everything has come to
// rest and nothing fails any more.

import fc from "fast-check";
import { describe, test } from "vitest";
import { ManualClock } from "../clock";
import type { Fault } from "../fault";
import type { Database } from "../ledger/database";
import type { Ledger } from "../ledger/ledger";
import { makeTestLedger } from "../ledger/testLedger";
import { memoryDatabase, refused, settled, TestHoldfast, TestMachine, type Tree } from "./testSupervisor";

type Step =
  /** Somebody wishes something. */
  | { do: "start" | "replace" | "restart" }
  | { do: "close"; everything: boolean }
  | { do: "clean" | "retry" | "pass"; which: number }
  /** What is under way ends. */
  | { do: "finish"; which: number; well: boolean }
  /** Something goes wrong. */
  | { do: "exit" | "cut" | "say" | "obey" | "resist"; which: number }
  | { do: "look away" | "look" }
  | { do: "wait"; ms: number }
  /** For so many times five seconds nothing can be connected to. */
  | { do: "outage"; times: number }
  /** Two things before anything comes of the first. */
  | { do: "at once"; steps: Step[] }
  /** `spawned`: what was being launched lives. `adopts`: when the next run adopts what lives. */
  | { do: "Holdfast dies"; spawned: boolean; adopts: Adopts };

type Adopts = "first" | "after the cleanups";

const which = fc.nat({ max: 7 });
const simple: fc.Arbitrary<Step> = fc.oneof(
  { weight: 8, arbitrary: fc.record({ do: fc.constantFrom("start", "replace", "restart"), which }) },
  { weight: 3, arbitrary: fc.record({ do: fc.constant("close"), everything: fc.boolean() }) },
  { weight: 3, arbitrary: fc.record({ do: fc.constantFrom("clean", "retry", "pass"), which }) },
  {
    weight: 24,
    arbitrary: fc.record({
      do: fc.constant("finish"),
      which,
      well: fc.oneof({ weight: 5, arbitrary: fc.constant(true) }, fc.constant(false)),
    }),
  },
  { weight: 6, arbitrary: fc.record({ do: fc.constantFrom("exit", "cut", "resist", "obey"), which }) },
  { weight: 3, arbitrary: fc.record({ do: fc.constant("say"), which }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constantFrom("look away", "look") }) },
  {
    weight: 4,
    arbitrary: fc.record({
      do: fc.constant("wait"),
      ms: fc.constantFrom(0, 100, 500, 2_500, 16_000, 61_000, 400_000),
    }),
  },
) as fc.Arbitrary<Step>;
const step: fc.Arbitrary<Step> = fc.oneof(
  { weight: 20, arbitrary: simple },
  {
    weight: 3,
    arbitrary: fc.record({
      do: fc.constant("at once" as const),
      steps: fc.array(simple, { minLength: 2, maxLength: 3 }),
    }),
  },
  {
    weight: 1,
    arbitrary: fc.record({ do: fc.constant("outage" as const), times: fc.integer({ min: 1, max: 8 }) }),
  },
  {
    weight: 1,
    arbitrary: fc.record({
      do: fc.constant("Holdfast dies" as const),
      spawned: fc.boolean(),
      adopts: fc.constantFrom<Adopts>("first", "after the cleanups"),
    }),
  },
);

interface Caller {
  wish: string;
  isAnswered: boolean;
}

interface Store {
  open(clock: ManualClock): Database | Ledger;
}

const longestPauseMs = 330_000;
/** Above anything that a history needs to come to rest. */
const manyRounds = 400;

class History {
  readonly trace: string[] = [];
  readonly machine = new TestMachine();
  readonly #store: Store;
  #holdfast: TestHoldfast;
  #callers: Caller[] = [];
  /** Callers who have asked for an end of what runs, and were not answered yet. */
  #ending = 0;
  #isClosed = false;
  #words = 0;
  /** The handle that was in use after the step before. */
  #used: string | null = null;
  #disturbed = false;

  constructor(store: Store) {
    this.#store = store;
    this.#holdfast = this.#begin(new ManualClock());
  }

  async take(step: Step): Promise<void> {
    this.trace.push(JSON.stringify(step));
    this.#disturbed = this.#ending > 0;
    if (step.do === "outage") await this.#suffer(step.times);
    else this.#do(step);
    await settled();
    this.#check();
  }

  async #suffer(times: number): Promise<void> {
    const { session, operations, lines, clock } = this.#holdfast;
    this.#disturbed = true;
    for (const line of lines) line.cut();
    await settled();
    const sinceMs = clock.nowMs();
    for (let time = 0; time < times; time += 1) {
      for (const operation of operations.filter(({ kind }) => kind === "connect")) operation.fail();
      await settled();
      clock.advance(5_000);
      await settled();
    }
    // Who waits for a connection is told after a while, and does not wait as long as it takes.
    const isPatient = clock.nowMs() - sinceMs < 25_000 || operations.some(({ kind }) => kind !== "connect");
    if (session.state.phase !== "lost" || isPatient) return;
    for (const { wish, isAnswered } of this.#callers)
      must(isAnswered, `it is not said that it takes long: ${wish}`);
  }

  async rest(): Promise<void> {
    this.trace.push("everything comes to rest");
    for (const tree of this.machine.trees.values()) tree.stubborn = false;
    await this.#comeToRest();
    for (const { wish, isAnswered } of this.#callers) must(isAnswered, `a caller waits for ever: ${wish}`);
    const { session, ledger } = this.#holdfast;
    must(ledger.cleanups.listOpen().length === 0, "a cleanup is owed for ever");
    const isLive = session.state.phase === "live";
    must(isLive || session.state.phase === "stopped", `the session stays ${session.state.phase}`);
    must(isLive === (session.connection !== null), "the state says something else than the connection");
    const alive = this.machine.alive.length;
    must(alive === (isLive ? 1 : 0), `${alive} processes live and the session is ${session.state.phase}`);
    must(ledger.handles.listNotGone().length === alive, "the ledger has other handles than live");
    must(session.ownsProcesses === isLive, "the session owns something else than lives");
  }

  /** Whatever has happened to it, a person can start it again. */
  async startByHand(): Promise<void> {
    this.trace.push("restart, to see that it can be used");
    let hasStarted = false;
    this.#holdfast.session.restart().then(
      () => {
        hasStarted = true;
      },
      () => undefined,
    );
    await this.#comeToRest();
    must(hasStarted && this.#holdfast.session.connection !== null, "it cannot be started any more");
    must(this.machine.alive.length === 1, "one process lives after a restart");
  }

  /** However badly everything goes: it ends, and nothing is started afterwards. */
  async closeAll(): Promise<void> {
    this.trace.push("close everything");
    const { session, operations, clock } = this.#holdfast;
    let isClosed = false;
    void session.close(true).then(() => {
      isClosed = true;
    });
    this.#isClosed = true;
    await settled();
    for (let round = 0; !isClosed && round < 20; round += 1) {
      for (const operation of [...operations]) operation.fail();
      await settled();
    }
    must(isClosed, "a close of everything does not end");
    for (const tree of this.machine.trees.values()) tree.stubborn = false;
    const before = this.#holdfast.launches;
    clock.advance(10_000);
    await this.#comeToRest();
    must(this.#holdfast.launches === before, "something was started after the close of everything");
    must(this.machine.alive.length === 0, "a process has outlived the close of everything");
    must(session.state.phase === "stopped", "it is stopped after the close of everything");
  }

  #begin(clock: ManualClock, adopts: Adopts = "first"): TestHoldfast {
    const holdfast = new TestHoldfast(this.machine, this.#store.open(clock), clock, adopts === "first");
    holdfast.onLaunch = () => this.#checkLaunch();
    holdfast.onAnnounced = ({ handleId }) => this.#checkAnnounced(handleId);
    this.#callers = [];
    this.#ending = 0;
    return holdfast;
  }

  #do(step: Step): void {
    const holdfast = this.#holdfast;
    const { session, cleanups, operations, machine, lines } = holdfast;
    switch (step.do) {
      case "start":
        this.#call("start", session.need());
        break;
      case "replace":
        this.#call("replace", session.replace());
        break;
      case "restart":
        this.#call("restart", session.restart(), true);
        break;
      case "close":
        this.#call("close", session.close(step.everything), true);
        break;
      case "clean": {
        const tree = pick([...machine.trees.values()], step.which);
        if (tree && session.owns(tree.handleId)) this.#call("clean", session.clean(tree.handleId));
        break;
      }
      case "retry": {
        const owed = pick(cleanups.list(), step.which);
        if (owed) this.#call("retry", cleanups.retry(owed.id));
        break;
      }
      case "pass":
        this.#call("pass", cleanups.pass(1 + (step.which % 3)));
        break;
      case "finish": {
        const operation = pick(operations, step.which);
        if (!operation) break;
        // A replacement that has fully answered takes the place of the one in use; one that is refused does nothing to it.
        this.#disturbed ||=
          step.well &&
          (operation.kind === "verify" || (operation.kind === "connect" && !holdfast.needsVerifying));
        if (step.well) operation.succeed();
        else operation.fail(refused);
        break;
      }
      case "exit": {
        const tree = pick(machine.alive, step.which);
        if (!tree) break;
        this.#disturbed ||= tree.handleId === this.#used;
        holdfast.die(tree.handleId);
        break;
      }
      case "cut": {
        const line = pick(
          lines.filter(({ isOpen }) => isOpen),
          step.which,
        );
        if (!line) break;
        this.#disturbed ||= line.handleId === this.#used;
        line.cut();
        break;
      }
      case "say":
        // By anything that ever was connected, late or not.
        this.#words += 1;
        pick(lines, step.which)?.say(`word ${this.#words} of ${pick(lines, step.which)?.handleId}`);
        break;
      case "resist":
      case "obey": {
        const tree = pick(machine.alive, step.which);
        if (tree) tree.stubborn = step.do === "resist";
        break;
      }
      case "look":
      case "look away":
        holdfast.shown = step.do === "look";
        break;
      case "wait":
        holdfast.clock.advance(step.ms);
        break;
      case "outage":
        throw new Error("an outage takes time");
      case "at once":
        for (const one of step.steps) this.#do(one);
        break;
      case "Holdfast dies":
        this.#die(step.spawned, step.adopts);
        break;
      default:
        step satisfies never;
    }
  }

  #die(spawned: boolean, adopts: Adopts): void {
    const dead = this.#holdfast;
    for (const { kind, handleId } of dead.operations) {
      if (kind === "launch" && spawned) this.machine.grow(handleId);
    }
    // Nothing that the dead one still waits for comes to an end, and its clock stands still.
    dead.onLaunch = () => must(false, "a dead Holdfast starts something");
    this.#holdfast = this.#begin(new ManualClock(dead.clock.nowMs()), adopts);
    this.#disturbed = true;
  }

  #call(wish: string, answer: Promise<unknown>, isEnd = false): void {
    const caller = { wish, isAnswered: false };
    this.#callers.push(caller);
    const holdfast = this.#holdfast;
    if (isEnd) {
      this.#ending += 1;
      this.#disturbed = true;
    }
    const answered = () => {
      must(!caller.isAnswered, "a caller is answered twice");
      caller.isAnswered = true;
      if (isEnd && holdfast === this.#holdfast) this.#ending -= 1;
    };
    answer.then(answered, answered);
  }

  async #comeToRest(): Promise<void> {
    for (let round = 0; round < manyRounds; round += 1) {
      const { operations, lines, clock } = this.#holdfast;
      await settled();
      const [operation] = operations;
      const ended = lines.find(({ isOpen, handleId }) => isOpen && !this.#isAlive(handleId));
      if (operation) {
        this.#disturbed = true;
        if (operation.kind === "connect" && !this.#isAlive(operation.handleId)) operation.fail();
        else operation.succeed();
      } else if (ended) ended.cut();
      else if (clock.pendingCount > 0) clock.advance(longestPauseMs);
      else break;
    }
    await settled();
    this.#used = this.#holdfast.session.connection?.handleId ?? null;
    this.#disturbed = false;
    const { operations, clock } = this.#holdfast;
    must(operations.length === 0 && clock.pendingCount === 0, "it does not come to rest");
    this.#check();
  }

  #isAlive(handleId: string): boolean {
    return this.machine.trees.get(handleId)?.alive ?? false;
  }

  #check(): void {
    const { session, defects, ledger, clock, operations, lines } = this.#holdfast;
    must(defects.length === 0, defects.join("; "));
    const used = session.connection?.handleId ?? null;
    if (this.#used !== null && this.#isAlive(this.#used) && !this.#disturbed) {
      must(used === this.#used, `${this.#used} was in use, nothing was done to it, and now it is ${used}`);
    }
    this.#used = used;
    if (used !== null) {
      must(session.state.phase === "live", `it can be used and is ${session.state.phase}`);
      must(this.#holdfast.isAnnounced, `nobody knows of the connection to ${used}`);
      const line = lines.find(({ connection }) => connection === session.connection);
      must(line?.unheard.length === 0, `${line?.unheard} was not heard`);
      const tree = this.machine.trees.get(used);
      must(tree?.answered === true, `${used} is used and has not fully answered`);
      must(tree.closesBegun === 0, `${used} is used and is being closed`);
      const beside = this.machine.alive.find((other) => other !== tree && isUntried(other));
      must(beside === undefined, `${used} is used while ${beside?.handleId} still works`);
    } else must(session.state.phase !== "live", "it is said to be live and cannot be used");
    const busy = new Set(operations.map(({ handleId }) => handleId));
    for (const tree of this.machine.trees.values()) {
      const { handleId } = tree;
      const record = ledger.handles.get(handleId);
      if (tree.alive)
        must(record !== null && record.state !== "gone", `${handleId} lives and is not on record`);
      if (record === null || record.state === "gone") continue;
      const owed = ledger.cleanups.get(`handle:${handleId}`);
      const isOwned = session.owns(handleId) || busy.has(handleId) || owed !== null;
      must(isOwned || session.ownsProcesses, `nobody owns ${handleId}`);
      if (record.state !== "retired" || busy.has(handleId)) continue;
      must(owed !== null, `the failed close of ${handleId} is forgotten`);
      must(owed.nextAttemptAtMs <= clock.nowMs() + longestPauseMs, `${handleId} is never tried again`);
    }
    const working = this.machine.alive.filter(isWorking);
    must(working.length <= 2 || this.#isClosed, `${working.map(({ handleId }) => handleId)} all work`);
  }

  /** No process is added to one that cannot be ended. */
  #checkLaunch(): void {
    const left = this.#holdfast.ledger.handles.listNotGone().map(({ handleId }) => handleId);
    const replaceable = this.machine.answered.at(-1);
    const others = left.filter((handleId) => handleId !== replaceable);
    if (others.length > 0) this.#holdfast.defects.push(`a process is started beside ${others}`);
  }

  /** What was there before has been closed, or its close has failed. */
  #checkAnnounced(handleId: string): void {
    const others = this.machine.alive.filter((tree) => tree.handleId !== handleId && isUntried(tree));
    for (const other of others) {
      this.#holdfast.defects.push(`${handleId} is told while ${other.handleId} still works`);
    }
  }
}

/** It can do its work, and no attempt to close it has failed. */
function isUntried(tree: Tree): boolean {
  return tree.answered && tree.closesFailed === 0;
}

function isWorking(tree: Tree): boolean {
  return tree.answered && tree.closesBegun === 0;
}

function pick<Value>(values: readonly Value[], index: number): Value | undefined {
  return values[index % Math.max(1, values.length)];
}

function must(condition: boolean, sentence: string): asserts condition {
  if (!condition) throw new Error(sentence);
}

type Ending = "rest" | "start by hand" | "close everything";

async function play(steps: Step[], ending: Ending, store: Store): Promise<void> {
  const history = new History(store);
  try {
    for (const step of steps) await history.take(step);
    if (ending === "close everything") return await history.closeAll();
    await history.rest();
    if (ending === "start by hand") await history.startByHand();
  } catch (error) {
    const { message } = error as Error | Fault;
    throw new Error(`${message}\n  ${history.trace.join("\n  ")}`);
  }
}

const history = fc.array(step, { minLength: 1, maxLength: 40, size: "max" });
const ending = fc.constantFrom<Ending>("rest", "start by hand", "close everything");

describe("over random histories, whatever fails and whenever Holdfast dies", () => {
  test("one process is used at most, none is lost, every caller is answered, and what is owed is done", async () => {
    const database = memoryDatabase();
    await fc.assert(
      fc.asyncProperty(history, ending, async (steps, end) => {
        database.exec("DELETE FROM cleanups; DELETE FROM handles;");
        await play(steps, end, { open: () => database });
      }),
      { numRuns: 2_500, endOnFailure: false },
    );
    database.close();
  });

  test("the same with the ledger in a file that is opened again", async () => {
    await fc.assert(
      fc.asyncProperty(history, ending, async (steps, end) => {
        const file = makeTestLedger();
        let isFirst = true;
        const open = () => {
          const ledger = isFirst ? file.ledger : file.reopen();
          isFirst = false;
          return ledger;
        };
        try {
          await play(steps, end, { open });
        } finally {
          file.remove();
        }
      }),
      { numRuns: 60 },
    );
  });
});
