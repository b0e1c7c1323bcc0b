// Random histories of sending: connections are cut before or after a request is worked at, codex and Holdfast die, queues
// and turns go on. In the end each message is with codex exactly once, or with the person, text and all.

import fc from "fast-check";
import { expect, it } from "vitest";
import { type Fate, QueueCodex, T } from "./testQueueCodex";
import { settle, TestThreads } from "./testThreads";

type Step =
  | { do: "send"; mode: "turn" | "steer" | "queue" }
  | { do: "fate"; fate: Fate }
  | { do: "end"; how: "completed" | "interrupted" }
  | { do: "wait"; seconds: number }
  | { do: "cut" | "kill" | "restart" | "restart both" | "resend" | "take back" | "take up" };

const step: fc.Arbitrary<Step> = fc.oneof(
  {
    weight: 5,
    arbitrary: fc.record({
      do: fc.constant("send" as const),
      mode: fc.constantFrom("turn" as const, "turn" as const, "steer" as const, "queue" as const),
    }),
  },
  {
    weight: 4,
    arbitrary: fc.record({
      do: fc.constant("fate" as const),
      fate: fc.constantFrom<Fate>("refused", "lost before", "lost after", "lost after", "mute"),
    }),
  },
  {
    weight: 3,
    arbitrary: fc.record({
      do: fc.constant("end" as const),
      how: fc.constantFrom("completed" as const, "completed" as const, "interrupted" as const),
    }),
  },
  {
    weight: 3,
    arbitrary: fc.record({ do: fc.constant("wait" as const), seconds: fc.integer({ min: 1, max: 8 }) }),
  },
  {
    weight: 4,
    arbitrary: fc
      .constantFrom("cut", "kill", "restart", "restart both", "resend", "take back", "take up", "take up")
      .map((name) => ({ do: name }) as Step),
  },
);

async function play(steps: Step[]): Promise<void> {
  const bench = new TestThreads();
  const codex = new QueueCodex(bench);
  bench.ledger.threads.upsert([
    {
      threadId: T,
      workspaceId: bench.workspaceId,
      profileId: "user",
      title: "Title",
      preview: "Hello",
      createdAtMs: 1,
      updatedAtMs: 1,
      archived: false,
      lastKnownState: "idle",
      parentThreadId: null,
      source: "app",
    },
  ]);
  bench.threads.rows.remember(bench.workspaceId);
  await bench.reconnect();
  bench.open(T);
  await settle();
  const sent: string[] = [];
  const takenBack = new Set<string>();
  const undelivered = () =>
    bench.threads.runtime(T).state.facts.submissions.find((one) => one.state === "undelivered");
  const back = async () => {
    await bench.reconnect();
    codex.resumedNow();
    await settle();
  };
  const wait = async (seconds: number) => {
    for (let left = seconds; left > 0; left -= 1) {
      bench.clock.advance(1_000);
      await settle();
    }
  };
  for (const one of steps) {
    switch (one.do) {
      case "send": {
        const clientId = `00000000-0000-4000-8000-${String(sent.length).padStart(12, "0")}`;
        sent.push(clientId);
        bench.threads.send(T, { clientId, text: `Text ${clientId}`, attachments: [], mode: one.mode });
        break;
      }
      case "fate":
        codex.fate = one.fate;
        break;
      case "end":
        codex.end(one.how);
        break;
      case "wait":
        await wait(one.seconds);
        break;
      case "cut":
        await bench.cut();
        break;
      case "kill":
        codex.die();
        await bench.kill();
        await back();
        break;
      case "restart":
      case "restart both":
        if (one.do === "restart both") codex.die();
        await bench.restart({ codexLives: one.do === "restart" });
        await back();
        bench.open(T);
        break;
      case "resend": {
        const clientId = undelivered()?.clientId;
        if (clientId) bench.threads.runtime(T).delivery.resend(clientId);
        break;
      }
      case "take back": {
        const clientId = undelivered()?.clientId;
        if (!clientId) break;
        takenBack.add(clientId);
        bench.threads.runtime(T).delivery.takeBack(clientId);
        expect(bench.ledger.drafts.get(T)?.text).toContain(`Text ${clientId}`);
        break;
      }
      case "take up":
        codex.takeUp();
        break;
      default:
        one satisfies never;
    }
    await settle();
    if (one.do === "cut") await back();
  }
  // Everything comes to rest: the connection stays, turns end, and there is time.
  codex.fate = "done";
  await back();
  // As long as it takes that nothing is on its way: a mute codex holds each message up until its deadline.
  for (let quiet = 0; quiet < 6; ) {
    await wait(12);
    const { running, facts } = bench.threads.runtime(T).state;
    quiet = running || facts.submissions.some((one) => one.state === "sending") ? 0 : quiet + 1;
    codex.end("completed");
    if (bench.clock.nowMs() > bench.startMs + 3_600_000) throw new Error("It does not come to rest.");
  }
  const { submissions: open, followUps } = bench.threads.runtime(T).state.facts;
  const { entries: waiting, held } = followUps;
  for (const clientId of sent) {
    const inCodex = [...codex.kept, ...codex.queued].filter((id) => id === clientId);
    const shown = open.find((one) => one.clientId === clientId);
    const state = bench.ledger.submissions.get(clientId)?.state;
    expect(inCodex.length, `${clientId} is with codex`).toBeLessThanOrEqual(1);
    if (codex.queued.includes(clientId)) {
      // Held in codex's queue after Stop.
      expect(shown).toBeUndefined();
      expect(waiting.filter((entry) => entry.clientId === clientId)).toMatchObject([
        { state: "queued", text: `Text ${clientId}` },
      ]);
      expect(held).toBe("stopped");
    } else if (inCodex.length === 1) {
      expect(state).toBe("delivered");
      expect(shown).toBeUndefined();
    } else if (!takenBack.has(clientId)) {
      expect(shown).toMatchObject({ state: "undelivered", text: `Text ${clientId}` });
      expect(state).toBe("undelivered");
    }
  }
  expect(bench.threads.runtime(T).state.running).toBe(false);
  // What was shown as said, was said.
  const said = bench.threads
    .runtime(T)
    .state.transcript.items.flatMap((item) => (item.kind === "user" ? (item.clientId ?? []) : []));
  expect(said.sort()).toEqual(codex.kept.sort());
  await bench.end();
}

it("each message is with codex exactly once, or comes back with its text", async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(step, { minLength: 3, maxLength: 30, size: "max" }), (steps) => play(steps)),
    { numRuns: 60 },
  );
});
