// The real codex, whose words are lost, late or out of order: the same as in the tables, with what it really says.

import { mkdtemp, realpath, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { type CodexHome, createCodexHome } from "../../../e2e/support/codexHome";
import { type ModelServer, message, reply, startModelServer } from "../../../e2e/support/modelServer";
import { codexBinary } from "../../demo/testAppServer";
import { settle, TestThreads, type TestWindow } from "../testThreads";
import { type Meddling, Relay, type Said } from "./testRelay";

let folder: string;
let model: ModelServer;
let codexHome: CodexHome;
let bench: TestThreads;
let relay: Relay;
let key: string;
let window: TestWindow;

beforeEach(async () => {
  folder = await realpath(await mkdtemp(join(tmpdir(), "holdfast-relay-")));
  model = await startModelServer();
  codexHome = await createCodexHome({ baseUrl: model.baseUrl });
  bench = new TestThreads(folder);
  relay = await Relay.start(bench, { command: await codexBinary(), codexHome: codexHome.path, cwd: folder });
  key = bench.threads.compose(bench.workspaceId);
  window = bench.open(key);
});

afterEach(async () => {
  await bench.end();
  await relay.end();
  await model.close();
  await codexHome.remove();
  await rm(folder, { recursive: true });
  expect(model.unexpected).toEqual([]);
});

let count = 0;
function send(text: string, thread = key): string {
  count += 1;
  const clientId = `00000000-0000-4000-8000-${String(count).padStart(12, "0")}`;
  bench.threads.send(thread, { clientId, text, attachments: [], mode: "turn" });
  return clientId;
}

const statusOf = ({ params }: Said) => (params?.status as { type?: string } | undefined)?.type;
const isStatus = (said: Said, ...types: string[]) =>
  said.method === "thread/status/changed" && types.includes(statusOf(said) ?? "");
const hasSaid = (method: string) => relay.said.some((said) => said.method === method);
const sentInterrupts = () => bench.codex.all("turn/interrupt");
const isAtRest = () => window.head.run === null;
const never =
  (isLost: (said: Said, asked: string | undefined) => boolean): Meddling =>
  (said, asked) =>
    isLost(said, asked) ? [] : [said];

/** Time goes by, a second at a time, until it holds; codex answers in between. */
async function inTime(seconds: number, holds: () => boolean): Promise<void> {
  for (let left = seconds; left > 0 && !holds(); left -= 1) {
    bench.clock.advance(1_000);
    await roundTrip();
  }
  // codex answers some things later than others; the test's own limit bounds it.
  await relay.until(holds);
}

/** Everything that was asked before has been answered. */
async function roundTrip(): Promise<void> {
  await bench.connection?.client.request("account/read", { refreshToken: false });
  await settle();
}

/** The next message works, which nothing meddles with. */
async function checkWorks(): Promise<void> {
  relay.meddle = (said) => [said];
  model.queue(reply(message("Still here.")));
  const before = bench.codex.all("turn/start").length;
  const id = send("And now?");
  const isDelivered = () => bench.ledger.submissions.get(id)?.state === "delivered";
  await relay.until(() => window.texts.at(-1) === "agent completed: Still here." && isDelivered());
  await relay.until(isAtRest);
  expect(bench.codex.all("turn/start")).toHaveLength(before + 1);
}

describe("the end of a turn that is lost", () => {
  it("its completion: over by the status, and the record has the rest", async () => {
    relay.meddle = never(({ method }) => method === "turn/completed");
    model.queue(reply(message("All said.")));
    send("Say it.");
    await relay.until(() => hasSaid("turn/completed") && isAtRest());
    await inTime(3, () => window.copy.turns[0]?.status === "completed");
    expect(window.texts).toEqual(["user completed: Say it.", "agent completed: All said."]);
    await checkWorks();
  });

  it("its completion and its status: over within seconds, but not while codex says that it runs", async () => {
    relay.meddle = never((said) => said.method === "turn/completed" || isStatus(said, "idle"));
    model.queue(reply(message("All "), [model.hold("long")], message("said.")));
    send("Say it slowly.");
    await model.gate("long").reached;
    await relay.until(() => window.head.run?.turnId != null);
    for (let second = 0; second < 30; second += 1) {
      bench.clock.advance(1_000);
      await roundTrip();
      expect(window.head.state).toBe("running");
    }
    model.gate("long").release();
    await relay.until(() => hasSaid("turn/completed"));
    expect(window.head.state).toBe("running");
    await inTime(8, isAtRest);
    await inTime(3, () => window.copy.turns[0]?.status === "completed");
    await checkWorks();
  });

  it("everything after its start: over within seconds, and the record has what was said", async () => {
    relay.meddle = never(
      (said) =>
        said.method?.startsWith("item/") === true ||
        said.method === "turn/completed" ||
        isStatus(said, "idle"),
    );
    model.queue(reply(message("Unheard.")));
    send("Say it.");
    await relay.until(() => hasSaid("turn/completed"));
    await inTime(8, isAtRest);
    await inTime(4, () => window.texts.includes("agent completed: Unheard."));
    expect(window.texts.filter((text) => text.startsWith("user"))).toEqual(["user completed: Say it."]);
    await checkWorks();
  });
});

/** The answer to the message is held until the test lets it go. */
function holdAnswer(change: (answer: Said) => Said = (answer) => answer) {
  let held: Said | null = null;
  relay.meddle = (said, asked) => {
    if (asked !== "turn/start" || held !== null) return [said];
    held = said;
    return [];
  };
  return {
    isHeld: () => held !== null,
    letGo: () => {
      if (held !== null) relay.tell(change(held));
    },
  };
}

describe("a turn that is over before its answer has come", () => {
  const variants: [string, (answer: Said) => Said][] = [
    ["as it is", (answer) => answer],
    ["without the turn's id", (answer) => ({ ...answer, result: { turn: {} } })],
    [
      "with another turn's id",
      (answer) => ({ ...answer, result: { turn: { id: "another", items: [], status: "inProgress" } } }),
    ],
  ];
  for (const [how, change] of variants) {
    it(`the answer comes ${how}: the turn is over, and delivered once`, async () => {
      const answer = holdAnswer(change);
      model.queue(reply(message("Quick.")));
      const id = send("Quick, please.");
      await relay.until(() => answer.isHeld() && hasSaid("turn/completed"));
      answer.letGo();
      await settle();
      await inTime(10, () => isAtRest() && bench.ledger.submissions.get(id)?.state === "delivered");
      expect(window.texts).toEqual(["user completed: Quick, please.", "agent completed: Quick."]);
      await checkWorks();
    });
  }
});

describe("Stop before codex has named the turn", () => {
  it("goes out as soon as the turn has a name, and codex interrupts it before it has said anything", async () => {
    let held: Said[] = [];
    relay.meddle = (said, asked) => {
      if (asked !== "turn/start" && said.method !== "turn/started" && held.length === 0) return [said];
      held.push(said);
      return [];
    };
    model.queue(reply([model.hold("answer")], message("Too late.")));
    send("Go on and on.");
    await model.gate("answer").reached;
    await relay.until(() => held.some(({ method }) => method === "turn/started"));
    await bench.threads.runtime(key).stop();
    expect(window.head.run).toMatchObject({ turnId: null, stopping: true });
    expect(sentInterrupts()).toEqual([]);
    relay.meddle = (said) => [said];
    relay.tell(...held);
    held = [];
    expect(sentInterrupts()).toHaveLength(1);
    await relay.until(() => isAtRest() && window.head.state === "interrupted");
    model.gate("answer").release();
    expect(window.texts.filter((text) => text.includes("Too late"))).toEqual([]);
    await checkWorks();
  });
});

describe("codex that never answers", () => {
  it("the second of two Stops: nothing waits for it, and nothing is said of it", async () => {
    relay.meddle = never((_, asked) => asked === "turn/interrupt");
    model.queue(reply([model.hold("answer")], message("Too late.")));
    send("Go on and on.");
    await model.gate("answer").reached;
    await relay.until(() => window.head.run?.turnId != null);
    await bench.threads.runtime(key).stop();
    await bench.threads.runtime(key).stop();
    await relay.until(() => isAtRest() && window.head.state === "interrupted");
    model.gate("answer").release();
    bench.clock.advance(20_000);
    await roundTrip();
    expect(window.texts.filter((text) => text.startsWith("notice"))).toEqual([]);
    await checkWorks();
  });

  it("a resume: another thread is made and works meanwhile; this one says so, and can be retried", async () => {
    model.queue(reply(message("First.")));
    send("Begin.");
    await relay.until(() => isAtRest() && window.copy.turns[0]?.status === "completed");
    const { threadId } = window.head;
    bench.close(window);
    bench.clock.advance(31_000);
    await roundTrip();
    expect(bench.codex.all("thread/unsubscribe")).toHaveLength(1);
    relay.meddle = never((said, asked) => asked === "thread/resume" || said.method === "thread/started");
    const resumes = bench.codex.all("thread/resume").length;
    window = bench.open(threadId ?? "");
    await settle();
    expect(bench.codex.all("thread/resume")).toHaveLength(resumes + 1);
    const other = bench.threads.compose(bench.workspaceId);
    const beside = bench.open(other);
    relay.meddle = never((_, asked) => asked === "thread/resume");
    model.queue(reply(message("Over here.")));
    send("Somewhere else.", other);
    await relay.until(() => beside.head.run === null && beside.texts.includes("agent completed: Over here."));
    bench.clock.advance(121_000);
    await roundTrip();
    expect(window.head.fault).toMatchObject({ code: "deadline", retryable: true });
    relay.meddle = (said) => [said];
    key = threadId ?? "";
    await bench.threads.runtime(key).reload();
    expect(window.head).toMatchObject({ fault: null, residency: "loaded" });
    expect(window.texts).toEqual(["user completed: Begin.", "agent completed: First."]);
    await checkWorks();
  });
});
