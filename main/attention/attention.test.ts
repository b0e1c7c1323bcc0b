import { describe, expect, it } from "vitest";
import type { NotificationSettings } from "../../preload/contract/attention";
import type { Request } from "../../preload/contract/requests";
import { ManualClock } from "../clock";
import { Fault } from "../fault";
import { silentLog } from "../log";
import { Attention, type NotificationCard, type Place } from "./attention";
import { type Front, findingMs, momentMs } from "./attentionMachine";

class Bench {
  readonly clock = new ManualClock();
  readonly cards: NotificationCard[] = [];
  readonly withdrawn: string[] = [];
  readonly opened: Place[] = [];
  readonly answers: unknown[] = [];
  readonly said: string[] = [];
  readonly threads = new Map([
    ["t", { title: "Fix the tests", workspaceId: "w", isAgent: false }],
    ["u", { title: "Write the docs", workspaceId: "w", isAgent: false }],
    ["c", { title: "reviewer", workspaceId: "w", isAgent: true }],
  ]);
  readonly workspaces = new Set(["w"]);
  readonly runs = new Set(["run"]);
  front: Front = { focused: false };
  settings: NotificationSettings = {
    finished: true,
    failed: true,
    needsYou: true,
    scripts: true,
    details: true,
    sound: true,
    onlyWhenAway: false,
  };
  outcome: "sent" | "gone" | Fault = "sent";
  readonly attention = new Attention({
    clock: this.clock,
    log: silentLog,
    settings: () => this.settings,
    thread: (threadId) => this.threads.get(threadId) ?? null,
    lineOf: (threadId) => (threadId === "c" ? ["c", "t"] : [threadId]),
    hasWorkspace: (workspaceId) => this.workspaces.has(workspaceId),
    hasRun: (runId) => this.runs.has(runId),
    front: () => this.front,
    show: (card) => this.cards.push(card),
    withdraw: (id) => this.withdrawn.push(id),
    open: (place) => this.opened.push(place),
    answer: (answer) => {
      this.answers.push(answer);
      if (this.outcome instanceof Fault) throw this.outcome;
      return this.outcome;
    },
    tell: (_about, text) => this.said.push(text),
  });

  ends(threadId: string, words: string | null = "All is **well**.", turnId = `${threadId} 1`): void {
    this.attention.turnEnded({ threadId, turnId, outcome: "completed", words });
  }

  pass(): void {
    this.clock.advance(momentMs);
  }

  get texts(): [string, string][] {
    return this.cards.map(({ title, body }) => [title, body]);
  }

  get last(): NotificationCard {
    const card = this.cards.at(-1);
    if (!card) throw new Error("Nothing was shown.");
    return card;
  }
}

function asks(change: Partial<Extract<Request, { kind: "command" }>> = {}): Request {
  return {
    key: "k",
    threadId: "t",
    agentName: null,
    turnId: "t 1",
    itemId: "i",
    askedAtMs: 1_800_000_000_000,
    answering: false,
    kind: "command",
    command: "npm test",
    cwd: null,
    reason: null,
    network: null,
    decisions: [
      { id: "accept", label: "Approve", explanation: null, scope: null, tone: "accept" },
      { id: "always", label: "Always approve", explanation: null, scope: "npm …", tone: "accept" },
      { id: "decline", label: "Decline", explanation: null, scope: null, tone: "decline" },
    ],
    ...change,
  };
}

describe("the end of a turn", () => {
  it("is told with the last words of the answer, why it failed, or only that it is so", () => {
    const bench = new Bench();
    bench.ends("t");
    bench.attention.turnEnded({ threadId: "u", turnId: "u 1", outcome: "failed", words: "No network." });
    bench.pass();
    bench.settings = { ...bench.settings, details: false, sound: false };
    bench.ends("t", "A secret.", "t 2");
    bench.pass();
    expect(bench.texts).toEqual([
      ["Fix the tests", "All is well."],
      ["Write the docs", "Failed: No network."],
      ["Fix the tests", "Finished"],
    ]);
    expect(bench.cards.map(({ sound }) => sound)).toEqual([true, true, false]);
  });

  it("that did not come to be, because its message came back, is told", () => {
    const bench = new Bench();
    bench.attention.cameBack("t", "m1", new Fault("not_sent", "codex did not take it."));
    bench.attention.cameBack("t", "m1", new Fault("not_sent", "codex did not take it."));
    bench.attention.cameBack("u", "m2", new Fault("stopped", "It was stopped."));
    bench.pass();
    expect(bench.texts).toEqual([["Fix the tests", "Failed: codex did not take it."]]);
  });

  it("that was stopped, is an agent's, or was never named is not told", () => {
    const bench = new Bench();
    bench.attention.turnEnded({ threadId: "t", turnId: "t 1", outcome: "stopped", words: null });
    bench.ends("c");
    bench.attention.turnEnded({ threadId: "t", turnId: null, outcome: "completed", words: null });
    bench.pass();
    expect(bench.cards).toEqual([]);
    expect(bench.clock.pendingCount).toBe(0);
  });

  it("of many threads at once is told together", () => {
    const bench = new Bench();
    for (const id of ["1", "2", "3"])
      bench.threads.set(id, { title: `Thread ${id}`, workspaceId: "w", isAgent: false });
    for (const id of ["t", "1", "2", "3"]) bench.ends(id);
    bench.pass();
    expect(bench.texts).toEqual([["4 threads finished", "Fix the tests, Thread 1, Thread 2, Thread 3"]]);
  });

  it("while Holdfast was away is summed up, by the names that threads have by then", () => {
    const bench = new Bench();
    bench.attention.endedAway("t");
    bench.attention.endedAway("u");
    bench.attention.waits([asks({ threadId: "u", askedAtMs: 1 })], []);
    bench.threads.set("t", { title: "Tests", workspaceId: "w", isAgent: false });
    bench.clock.advance(findingMs);
    expect(bench.texts).toEqual([
      ["2 threads finished, 1 needs you while Holdfast was away", "Tests, Write the docs"],
    ]);
  });
});

describe("a click", () => {
  it("goes to the thread, and to the card of the request", () => {
    const bench = new Bench();
    bench.ends("u");
    bench.attention.waits([asks()], []);
    bench.pass();
    for (const { id } of bench.cards) bench.attention.clicked(id);
    expect(bench.opened).toEqual([
      { kind: "thread", workspaceId: "w", threadId: "t", requestKey: "k" },
      { kind: "thread", workspaceId: "w", threadId: "u", requestKey: null },
    ]);
  });

  it("after the workspace was removed brings Holdfast up and says so", () => {
    const bench = new Bench();
    bench.ends("t");
    bench.pass();
    bench.workspaces.clear();
    bench.attention.clicked(bench.last.id);
    expect(bench.opened).toEqual([{ kind: "app" }]);
    expect(bench.said).toEqual(["The workspace of that thread has been removed from the list."]);
  });

  it("after the thread was deleted, or its run forgotten, says so", () => {
    const bench = new Bench();
    bench.ends("t");
    bench.attention.said({ title: "Review", text: "Half done", runId: "run" });
    bench.pass();
    bench.threads.delete("t");
    bench.runs.clear();
    for (const { id } of bench.cards) bench.attention.clicked(id);
    expect(bench.opened).toEqual([{ kind: "app" }, { kind: "app" }]);
    expect(bench.said).toEqual(["That thread is not there any more.", "That run is not kept any more."]);
  });

  it("on one that was taken away in that moment still goes there", () => {
    const bench = new Bench();
    bench.attention.waits([asks()], []);
    bench.pass();
    bench.attention.waits([], []);
    expect(bench.withdrawn).toEqual([bench.last.id]);
    bench.attention.clicked(bench.last.id);
    expect(bench.opened).toEqual([{ kind: "thread", workspaceId: "w", threadId: "t", requestKey: "k" }]);
  });
});

describe("a decision in the notification", () => {
  const shown = (bench: Bench, request = asks()) => {
    bench.attention.waits([request], []);
    bench.pass();
    return bench.last;
  };

  it("is one of those offered, but none that lasts", () => {
    const card = shown(new Bench());
    expect(card.body).toBe("Waiting for approval to run: npm test");
    expect(card.decisions.map(({ id }) => id)).toEqual(["accept", "decline"]);
  });

  it("cannot allow what is not wholly in sight", () => {
    const long = shown(new Bench(), asks({ command: `echo ${"x".repeat(300)}; rm -rf .` }));
    expect(long.decisions.map(({ id }) => id)).toEqual(["decline"]);
    for (const command of ["echo a\n#\nrm -rf .", "echo \u202efr- mr", "rm\u200b -rf ."]) {
      const card = shown(new Bench(), asks({ command }));
      expect(card.decisions.map(({ id }) => id)).toEqual(["decline"]);
      expect(card.body).not.toMatch(/[\u200b\u202e\n]/);
    }
    const bench = new Bench();
    bench.settings = { ...bench.settings, details: false };
    expect(shown(bench).decisions.map(({ id }) => id)).toEqual(["decline"]);
  });

  it("answers that very request, once", () => {
    const bench = new Bench();
    const { id } = shown(bench);
    bench.attention.chosen(id, "accept");
    expect(bench.answers).toEqual([{ requestKey: "k", decisionId: "accept" }]);
    expect(bench.cards).toHaveLength(1);
  });

  it("that comes too late says so, and sends nothing", () => {
    const bench = new Bench();
    const { id } = shown(bench);
    bench.outcome = "gone";
    bench.attention.chosen(id, "accept");
    expect(bench.last.body).toContain("no longer needed");
    bench.attention.clicked(bench.last.id);
    expect(bench.opened).toEqual([{ kind: "thread", workspaceId: "w", threadId: "t", requestKey: "k" }]);
  });

  it("that cannot be sent leads to the card and says why", () => {
    const bench = new Bench();
    const { id } = shown(bench);
    bench.outcome = new Fault("ledger_failed", "The decision could not be written down.");
    bench.attention.chosen(id, "accept");
    expect(bench.opened).toHaveLength(1);
    expect(bench.said).toEqual(["The decision could not be written down."]);
  });
});

describe("what asks", () => {
  it("is named: the agent and its thread, the script", () => {
    const bench = new Bench();
    bench.attention.waits(
      [asks({ threadId: "c", agentName: "reviewer" })],
      [
        {
          questionId: "q",
          runId: "run",
          scriptName: "Review",
          workspaceId: "w",
          question: "Go on?",
          options: [],
          askedAtMs: 0,
        },
      ],
    );
    bench.pass();
    expect(bench.texts).toEqual([
      ["reviewer, agent of Fix the tests", "Waiting for approval to run: npm test"],
      ["Review", "Asks: Go on?"],
    ]);
    bench.attention.clicked("question q");
    expect(bench.opened).toEqual([{ kind: "run", runId: "run", questionId: "q" }]);
  });
});

it("takes its notifications away when the app ends, and shows none after", () => {
  const bench = new Bench();
  bench.ends("t");
  bench.pass();
  bench.ends("u");
  bench.attention.dispose();
  expect(bench.withdrawn).toEqual(["turn t t 1"]);
  bench.ends("t", null, "t 2");
  expect(bench.clock.pendingCount).toBe(0);
  expect(bench.cards).toHaveLength(1);
});
