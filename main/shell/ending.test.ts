import { describe, expect, it } from "vitest";
import { ManualClock } from "../clock";
import { silentLog } from "../log";
import { Ending, type EndingOptions, knownWithinMs, type ShutDownRequest, tellDeadlineMs } from "./ending";
import { type OpenWork, type Relaunch, shutDownDeadlineMs, type WorkChoice } from "./lifecycle";

const work: OpenWork = {
  running: ["Fix the build"],
  waiting: [],
  queued: [],
  scripts: [],
  commands: [],
  commandsToKeep: [],
  keptMinutes: 10,
  terminals: [],
  endsWithApp: [],
  canKeep: true,
};

function gate<Value>() {
  let open: (value: Value) => void = () => {};
  let fail: (error: unknown) => void = () => {};
  const promise = new Promise<Value>((resolve, reject) => {
    open = resolve;
    fail = reject;
  });
  return { promise, open: (value: Value) => open(value), fail: (error: unknown) => fail(error) };
}

/** Lets everything that is settled already have its effect. */
async function settle(): Promise<void> {
  for (let turn = 0; turn < 10; turn += 1) await Promise.resolve();
}

function setUp(given: Partial<EndingOptions> = {}) {
  const clock = new ManualClock();
  const happened: string[] = [];
  const requests: ShutDownRequest[] = [];
  const ends: { exitCode: number; relaunch: Relaunch | null }[] = [];
  const shutDown = gate<void>();
  const answer = gate<WorkChoice | "cancel">();
  const told = gate<void>();
  const signals: AbortSignal[] = [];
  const ending = new Ending({
    clock,
    log: silentLog,
    openWork: () => null,
    untilWorkIsKnown: () => null,
    ask: (_work, withdrawn) => {
      happened.push("ask");
      signals.push(withdrawn);
      return answer.promise;
    },
    bringUp: () => happened.push("bring up"),
    open: (folder) => happened.push(`open ${folder}`),
    shutDown: (request) => {
      happened.push("shut down");
      requests.push(request);
      return shutDown.promise;
    },
    tell: () => {
      happened.push("tell");
      return told.promise;
    },
    end: (exitCode, relaunch) => {
      happened.push("end");
      ends.push({ exitCode, relaunch });
    },
    ...given,
  });
  return { ending, clock, happened, requests, ends, shutDown, answer, told, signals };
}

describe("ending", () => {
  it("shuts down, then ends", async () => {
    const { ending, happened, shutDown, ends, clock } = setUp();
    ending.quit("person");
    expect(happened).toEqual(["shut down"]);
    expect(ending.hasEnded).toBe(false);
    expect(ending.isRunning).toBe(false);
    shutDown.open();
    await settle();
    expect(happened).toEqual(["shut down", "end"]);
    expect(ends).toEqual([{ exitCode: 0, relaunch: null }]);
    expect(ending.hasEnded).toBe(true);
    expect(clock.pendingCount).toBe(0);
  });

  describe("before it is known what is at work", () => {
    function setUpUnknown() {
      const found = gate<void>();
      const known = { is: false };
      void found.promise.then(() => {
        known.is = true;
      });
      const set = setUp({
        untilWorkIsKnown: () => (known.is ? null : found.promise),
        openWork: () => (known.is ? work : null),
      });
      return { ...set, found };
    }

    it("a person who quits is asked once it is, and only once", async () => {
      const { ending, happened, found, clock } = setUpUnknown();
      ending.quit("person");
      ending.quit("person");
      await settle();
      expect(happened).toEqual([]);
      expect(ending.isRunning).toBe(true);
      found.open();
      await settle();
      expect(happened).toEqual(["ask"]);
      expect(clock.pendingCount).toBe(0);
    });

    it("a person who quits waits for no longer than a bound", async () => {
      const { ending, happened, clock, found } = setUpUnknown();
      ending.quit("person");
      clock.advance(knownWithinMs);
      expect(happened).toEqual(["shut down"]);
      found.open();
      await settle();
      expect(happened).toEqual(["shut down"]);
    });

    it("a signal does not wait", async () => {
      const { ending, happened, found, shutDown, ends, clock } = setUpUnknown();
      ending.quit("person");
      ending.quit("signal", 143);
      expect(happened).toEqual(["shut down"]);
      found.open();
      shutDown.open();
      await settle();
      expect(happened).toEqual(["shut down", "end"]);
      expect(ends).toEqual([{ exitCode: 143, relaunch: null }]);
      expect(clock.pendingCount).toBe(0);
    });

    it("the app is started again: it stays", async () => {
      const { ending, happened, found, clock } = setUpUnknown();
      ending.quit("person");
      ending.launchedAgain("/atlas");
      found.open();
      await settle();
      expect(happened).toEqual(["open /atlas"]);
      expect(clock.pendingCount).toBe(0);
    });
  });

  it("ends at the deadline when shutting down hangs, and only once when it comes back later", async () => {
    const { ending, clock, ends, shutDown } = setUp();
    ending.quit("person");
    clock.advance(shutDownDeadlineMs - 1);
    expect(ends).toEqual([]);
    clock.advance(1);
    expect(ends).toHaveLength(1);
    shutDown.open();
    await settle();
    expect(ends).toHaveLength(1);
    expect(clock.pendingCount).toBe(0);
  });

  it.each([
    ["rejects", () => Promise.reject(new Error("broken"))],
    [
      "throws",
      () => {
        throw new Error("broken");
      },
    ],
  ])("ends when shutting down %s", async (_how, shutDown) => {
    const { ending, ends } = setUp({ shutDown });
    ending.quit("person");
    await settle();
    expect(ends).toHaveLength(1);
  });

  it("asks about open work and passes on the choice", async () => {
    const { ending, answer, happened, requests } = setUp({ openWork: () => work });
    ending.quit("person");
    ending.quit("person");
    expect(happened).toEqual(["ask", "bring up"]);
    expect(ending.isRunning).toBe(true);
    answer.open("keep");
    await settle();
    expect(requests).toEqual([{ reason: "person", work: "keep", deadlineMs: shutDownDeadlineMs }]);
  });

  it("goes on when the person cancels, or cannot be asked", async () => {
    for (const outcome of ["cancel", "fail"] as const) {
      const { ending, answer, happened } = setUp({ openWork: () => work });
      ending.quit("person");
      if (outcome === "cancel") answer.open("cancel");
      else answer.fail(new Error("no display"));
      await settle();
      expect(happened).toEqual(["ask"]);
      expect(ending.isRunning).toBe(true);
    }
  });

  it("withdraws the question on a signal and ignores its answer", async () => {
    const { ending, answer, signals, happened, shutDown, ends } = setUp({ openWork: () => work });
    ending.quit("person");
    ending.quit("signal", 143);
    expect(signals[0]?.aborted).toBe(true);
    answer.open("cancel");
    await settle();
    expect(happened).toEqual(["ask", "shut down"]);
    shutDown.open();
    await settle();
    expect(ends).toEqual([{ exitCode: 143, relaunch: null }]);
  });

  it("does not need to know what is open", () => {
    const { ending, requests } = setUp({
      openWork: () => {
        throw new Error("broken");
      },
    });
    ending.quit("person");
    expect(requests).toHaveLength(1);
  });

  it("after a failure shuts down before the person has read of it, and does not wait for that for ever", async () => {
    const { ending, clock, happened, shutDown, ends } = setUp();
    ending.fail(new Error("beyond repair"));
    ending.fail(new Error("another"));
    expect(happened).toEqual(["tell", "shut down"]);
    shutDown.open();
    await settle();
    expect(ends).toEqual([]);
    clock.advance(tellDeadlineMs);
    expect(ends).toEqual([{ exitCode: 1, relaunch: null }]);
    expect(clock.pendingCount).toBe(0);
  });

  it("starts the app anew when it was started while it shut down", async () => {
    const { ending, happened, shutDown, ends } = setUp();
    ending.launchedAgain("/first");
    ending.quit("person");
    ending.launchedAgain("/second");
    shutDown.open();
    await settle();
    expect(happened).toEqual(["open /first", "shut down", "end"]);
    expect(ends).toEqual([{ exitCode: 0, relaunch: { folder: "/second" } }]);
  });

  it("waits for the shutdown whatever else asks for the end, and leaves no timer", async () => {
    const { ending, clock, ends, requests, shutDown } = setUp();
    ending.quit("signal", 130);
    ending.quit("signal", 130);
    await settle();
    expect(ends).toEqual([]);
    shutDown.open();
    await settle();
    expect(ends).toEqual([{ exitCode: 130, relaunch: null }]);
    expect(requests).toHaveLength(1);
    expect(clock.pendingCount).toBe(0);
  });
});
