// The exec-servers of two environments, over random histories in which everything fails that can fail, and Holdfast itself dies
// in between: the decisions and the interpreter of the supervisor, the cleanups and a real ledger. What must hold is checked
// after each step, and once everything has come to rest and nothing fails any more.

import fc from "fast-check";
import { test } from "vitest";
import { ManualClock } from "../../clock";
import { asFault } from "../../fault";
import type { Database } from "../../ledger/database";
import { memoryDatabase, settled } from "../../supervisor/testSupervisor";
import type { ExecutorTarget } from "../client/executorTarget";
import { FakeMachine, FakeRun, type FakeTree } from "./testFakeServers";

const environmentIds = ["a", "b"] as const;

type Step =
  | { do: "look up" | "resume" | "start" | "stop" | "remove" | "add"; in: string }
  | { do: "end"; which: number; well: boolean }
  | { do: "kill"; which: number; first: "exit" | "cut" }
  | { do: "cut" | "resist" | "obey" | "retry"; which: number }
  | { do: "wait"; ms: number }
  | { do: "at once"; steps: Step[] }
  /** `spawned`: what was being launched lives. */
  | { do: "Holdfast dies"; spawned: boolean };

const which = fc.nat({ max: 5 });
const place = fc.constantFrom(...environmentIds);
const simple = fc.oneof(
  { weight: 6, arbitrary: fc.record({ do: fc.constant("look up" as const), in: place }) },
  {
    weight: 4,
    arbitrary: fc.record({ do: fc.constantFrom("resume" as const, "start" as const), in: place }),
  },
  { weight: 3, arbitrary: fc.record({ do: fc.constant("stop" as const), in: place }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constantFrom("remove" as const, "add" as const), in: place }) },
  {
    weight: 20,
    arbitrary: fc.record({
      do: fc.constant("end" as const),
      which,
      well: fc.oneof({ weight: 5, arbitrary: fc.constant(true) }, fc.constant(false)),
    }),
  },
  {
    weight: 4,
    arbitrary: fc.record({
      do: fc.constant("kill" as const),
      which,
      first: fc.constantFrom("exit" as const, "cut" as const),
    }),
  },
  {
    weight: 5,
    arbitrary: fc.record({
      do: fc.constantFrom("cut" as const, "resist" as const, "obey" as const, "retry" as const),
      which,
    }),
  },
  {
    weight: 3,
    arbitrary: fc.record({ do: fc.constant("wait" as const), ms: fc.constantFrom(0, 500, 16_000, 400_000) }),
  },
);
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
    arbitrary: fc.record({ do: fc.constant("Holdfast dies" as const), spawned: fc.boolean() }),
  },
);

interface Caller {
  wish: "look up" | "resume" | "start" | "stop";
  environmentId: string;
  isAnswered: boolean;
}

class History {
  readonly trace: string[] = [];
  readonly #machine = new FakeMachine();
  readonly #database: Database;
  readonly #names = new Set<string>(environmentIds);
  readonly #defects: string[] = [];
  /** The environments in which a stop was wished, and nothing since. */
  readonly #stopped = new Set<string>();
  #run: FakeRun;
  #callers: Caller[] = [];
  /** By environment: the last one that somebody was sent to. */
  readonly #known = new Map<string, string>();

  constructor(database: Database) {
    this.#database = database;
    this.#run = this.#begin(new ManualClock());
  }

  async take(step: Step): Promise<void> {
    this.trace.push(JSON.stringify(step));
    this.#do(step);
    await settled();
    this.#check();
  }

  /** Nothing fails any more: everybody is answered, nothing is owed, and what lives is what is said to run. */
  async rest(): Promise<void> {
    this.trace.push("everything comes to rest");
    for (const tree of this.#machine.trees.values()) tree.stubborn = false;
    await this.#comeToRest();
    for (const { wish, environmentId, isAnswered } of this.#callers)
      must(isAnswered, `who wished to ${wish} in ${environmentId} waits for ever`);
    const { servers, ledger, watched } = this.#run;
    must(ledger.cleanups.listOpen().length === 0, "a cleanup is owed for ever");
    const alive = this.#machine.alive.map(({ handleId }) => handleId).sort();
    const running: string[] = environmentIds.filter((id) => servers.view(id).state === "running");
    must(alive.length === running.length, `${alive} live, and ${running} are said to run`);
    const onRecord = ledger.handles.listNotGone().map(({ handleId }) => handleId);
    must(String(onRecord.sort()) === String(alive), `${onRecord} are on record, and ${alive} live`);
    must(String([...watched].sort()) === String(alive), `${[...watched]} are watched, and ${alive} live`);
    for (const id of environmentIds)
      must(!running.includes(id) || this.#names.has(id), `${id} runs although it was removed`);
    for (const id of this.#stopped) must(!running.includes(id), `${id} runs although it was stopped`);
    for (const id of environmentIds)
      must(["running", "stopped"].includes(servers.view(id).state), `${id} stays ${servers.view(id).state}`);
  }

  /** Whatever has happened to it, a person can start it, and it is used. */
  async startByHand(): Promise<void> {
    for (const id of environmentIds) {
      if (!this.#names.has(id)) continue;
      this.#ask("start", id, this.#run.servers.start(id));
      await this.#comeToRest();
      must(this.#run.servers.view(id).state === "running", `${id} cannot be started any more`);
    }
  }

  /** However badly everything goes, it ends; nothing is started afterwards, what is kept goes on, and what is left is known. */
  async quit(kept: string | null): Promise<void> {
    this.trace.push(`quit, and keep ${kept}`);
    const { servers, operations, cleanups } = this.#run;
    // As Holdfast does it: nothing is tried by itself any more.
    cleanups.close();
    const isUsed = kept !== null && servers.view(kept).state === "running";
    let isClosed = false;
    void servers
      .closeAll((id) => id === kept)
      .then(() => {
        isClosed = true;
      });
    await settled();
    for (let round = 0; !isClosed && round < 20; round += 1) {
      for (const operation of operations.filter(({ environmentId }) => environmentId !== kept))
        operation.end(false);
      await settled();
    }
    must(isClosed, "a quit does not end");
    this.#run.onLaunch = () => this.#defects.push("something is started after a quit");
    this.#run.clock.advance(400_000);
    await settled();
    this.#mustBeSound();
    const { ledger } = this.#run;
    for (const { handleId, environmentId, closesBegun } of this.#machine.alive) {
      if (environmentId === kept && closesBegun === 0) continue;
      must(
        ledger.cleanups.get(`process:${handleId}`) !== null,
        `${handleId} has outlived a quit, and nobody knows`,
      );
    }
    const keeps = this.#machine.alive.filter((tree) => tree.closesBegun === 0);
    must(!isUsed || keeps.length === 1, "what was to go on has been ended");
    this.trace.push("the next start");
    this.#run = this.#begin(new ManualClock(this.#run.clock.nowMs() + 1_000));
    await this.rest();
  }

  close(): void {
    this.#run.cleanups.close();
  }

  #begin(clock: ManualClock): FakeRun {
    const run = new FakeRun(this.#machine, this.#database, this.#names, clock);
    run.onLaunch = (environmentId) => this.#checkLaunch(environmentId);
    this.#callers = [];
    // What was not stopped yet is used again.
    this.#stopped.clear();
    return run;
  }

  #do(step: Step): void {
    const { servers, operations, cleanups, clock } = this.#run;
    switch (step.do) {
      case "look up":
        this.#lookUp(step.in, null);
        break;
      case "resume":
        this.#lookUp(step.in, this.#known.get(step.in) ?? "never");
        break;
      case "start":
        this.#ask("start", step.in, servers.start(step.in));
        break;
      case "stop":
        this.#ask("stop", step.in, servers.stop(step.in));
        break;
      case "remove":
        this.#names.delete(step.in);
        this.#ask("stop", step.in, servers.stop(step.in));
        break;
      case "add":
        this.#names.add(step.in);
        break;
      case "end":
        pick(operations, step.which)?.end(step.well);
        break;
      case "kill": {
        const tree = pick(
          this.#machine.alive.filter(({ leads }) => leads),
          step.which,
        );
        if (tree) this.#run.die(tree, step.first);
        break;
      }
      case "cut": {
        const tree = pick(this.#machine.alive, step.which);
        if (tree) this.#run.cut(tree);
        break;
      }
      case "resist":
      case "obey": {
        const tree = pick(this.#machine.alive, step.which);
        if (tree) tree.stubborn = step.do === "resist";
        break;
      }
      case "retry": {
        const owed = pick(cleanups.list(), step.which);
        // Its outcome is on record, which is looked at after each step.
        if (owed) void cleanups.retry(owed.id);
        break;
      }
      case "wait":
        clock.advance(step.ms);
        break;
      case "at once":
        for (const one of step.steps) this.#do(one);
        break;
      case "Holdfast dies":
        this.#die(step.spawned);
        break;
      default:
        step satisfies never;
    }
  }

  #die(spawned: boolean): void {
    const dead = this.#run;
    for (const { kind, handleId, environmentId } of dead.operations)
      if (kind === "launch" && spawned) this.#machine.grow(handleId, environmentId);
    dead.cleanups.close();
    dead.onLaunch = () => this.#defects.push("a dead Holdfast starts something");
    this.#known.clear();
    this.#run = this.#begin(new ManualClock(dead.clock.nowMs() + 1_000));
  }

  #lookUp(environmentId: string, resuming: string | null): void {
    const { servers } = this.#run;
    const trees = [...this.#machine.trees.values()];
    const ended = new Set(trees.flatMap((tree) => (tree.closesBegun > 0 ? [tree.handleId] : [])));
    const asked = servers.registry(environmentId).lookUp(new AbortController().signal, resuming);
    this.#ask(resuming === null ? "look up" : "resume", environmentId, asked, (target) => {
      if (resuming !== null && target.identity !== resuming)
        this.#defects.push(`${target.identity} is given out for ${resuming}`);
      this.#checkGiven(environmentId, target, ended);
      this.#known.set(environmentId, target.identity);
    });
  }

  #ask<Value>(
    wish: Caller["wish"],
    environmentId: string,
    asked: Promise<Value>,
    given: (value: Value) => void = () => {},
  ): void {
    const caller: Caller = { wish, environmentId, isAnswered: false };
    const run = this.#run;
    this.#callers.push(caller);
    if (wish === "stop") this.#stopped.add(environmentId);
    else if (wish !== "resume") this.#stopped.delete(environmentId);
    asked.then(
      (value) => {
        caller.isAnswered = true;
        if (this.#run === run) given(value);
      },
      (error: unknown) => {
        caller.isAnswered = true;
        if (asFault(error).code === "unexpected") this.#defects.push(asFault(error).message);
        if (wish === "stop") this.#defects.push("a stop was refused");
      },
    );
  }

  /** It has answered, is of this environment, and was not being ended when it was asked for. */
  #checkGiven(environmentId: string, { identity }: ExecutorTarget, ended: ReadonlySet<string>): void {
    const tree = this.#machine.trees.get(identity);
    const isFit = tree?.answered === true && tree.environmentId === environmentId && !ended.has(identity);
    if (!isFit) this.#defects.push(`somebody is sent to ${identity} in ${environmentId}`);
  }

  /** Somebody waits for it, and what was there before has been closed, or its close has failed and it is the only one. */
  #checkLaunch(environmentId: string): void {
    const asked = this.#callers.some(
      ({ wish, isAnswered, environmentId: of }) =>
        of === environmentId && !isAnswered && (wish === "look up" || wish === "start"),
    );
    if (!this.#names.has(environmentId))
      this.#defects.push(`one is started in ${environmentId}, which was removed`);
    if (!asked) this.#defects.push(`nobody has asked for a start in ${environmentId}`);
    const others = this.#machine.alive.filter((tree) => tree.environmentId === environmentId);
    if (others.length > 1) this.#defects.push(`a third process is started in ${environmentId}`);
    for (const other of others) {
      if (other.closesFailed === 0)
        this.#defects.push(`one is started beside ${other.handleId}, which works`);
    }
  }

  #check(): void {
    this.#mustBeSound();
    const { ledger, operations } = this.#run;
    const busy = new Set(operations.map(({ handleId }) => handleId));
    for (const { handleId } of this.#machine.alive) {
      const record = ledger.handles.get(handleId);
      must(record !== null && record.state !== "gone", `${handleId} lives and is not on record`);
      if (record.state !== "retired" || busy.has(handleId)) continue;
      must(
        ledger.cleanups.get(`process:${handleId}`) !== null,
        `the failed close of ${handleId} is forgotten`,
      );
    }
    for (const id of environmentIds) {
      const working = this.#machine.alive.filter((tree) => tree.environmentId === id && isWorking(tree));
      must(working.length <= 1, `${working.map(({ handleId }) => handleId)} all work in ${id}`);
    }
  }

  #mustBeSound(): void {
    const defects = [...this.#defects, ...this.#run.defects];
    must(defects.length === 0, defects.join("; "));
  }

  async #comeToRest(): Promise<void> {
    const { operations, clock } = this.#run;
    for (let round = 0; round < 400; round += 1) {
      await settled();
      this.#check();
      const [operation] = operations;
      if (operation) operation.end(true);
      else if (clock.pendingCount > 0) clock.advance(5_000);
      else return;
    }
    must(false, "it does not come to rest");
  }
}

/** It can be used, and no attempt to end it has begun. */
function isWorking({ answered, leads, closesBegun }: FakeTree): boolean {
  return answered && leads && closesBegun === 0;
}

function pick<Value>(values: readonly Value[], index: number): Value | undefined {
  return values[index % Math.max(1, values.length)];
}

function must(condition: boolean, sentence: string): asserts condition {
  if (!condition) throw new Error(sentence);
}

type Ending = { how: "rest" | "start by hand" } | { how: "quit"; kept: string | null };

async function play(database: Database, steps: Step[], ending: Ending): Promise<void> {
  database.exec("DELETE FROM cleanups; DELETE FROM handles;");
  const history = new History(database);
  try {
    for (const one of steps) await history.take(one);
    if (ending.how === "quit") return await history.quit(ending.kept);
    await history.rest();
    if (ending.how === "start by hand") await history.startByHand();
  } catch (error) {
    throw new Error(`${asFault(error).message}\n  ${history.trace.join("\n  ")}`);
  } finally {
    history.close();
  }
}

const ending: fc.Arbitrary<Ending> = fc.oneof(
  fc.record({ how: fc.constantFrom("rest" as const, "start by hand" as const) }),
  fc.record({ how: fc.constant("quit" as const), kept: fc.constantFrom("a", null) }),
);

const history = fc.array(step, { minLength: 1, maxLength: 40, size: "max" });

const lookedUp: Step = { do: "look up", in: "b" };
const startedByHand: Step = { do: "start", in: "b" };
const stopped: Step = { do: "stop", in: "b" };
/** The oldest of what is under way succeeds. */
const succeeds: Step = { do: "end", which: 0, well: true };

/** Somebody asks for it and then stops it, before anything else gets its turn. */
const atOnce: Step[][] = [
  [{ do: "at once", steps: [lookedUp, stopped] }, succeeds],
  [{ do: "at once", steps: [startedByHand, stopped] }, succeeds],
];

/** It is stopped or removed while somebody waits for a new connection to it, which fails just then. */
const whileLost: Step[][] = [stopped, { do: "remove" as const, in: "b" }].map((ended) => [
  lookedUp,
  succeeds,
  succeeds,
  { do: "cut", which: 0 },
  lookedUp,
  ended,
  { do: "at once", steps: [{ do: "end", which: 0, well: false }, succeeds] },
]);

test("whatever fails and whenever Holdfast dies: one is used at most, none is lost, and none starts by itself", async () => {
  const database = memoryDatabase();
  await fc.assert(
    fc.asyncProperty(history, ending, (steps, end) => play(database, steps, end)),
    {
      numRuns: 1_000,
      endOnFailure: false,
      examples: [...atOnce, ...whileLost].map((steps) => [steps, { how: "rest" }]),
    },
  );
  database.close();
});
