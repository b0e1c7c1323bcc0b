// Random histories of follow-ups, in codex's queue and in the ledger's: they are edited, moved, deleted, sent now and let
// go on, while turns end in every way, connections are cut and codex and Holdfast die. In the end each is with codex at
// most once, and what is not there is with the person, as it was written last.

import fc from "fast-check";
import { expect, it } from "vitest";
import { type Fate, QueueCodex, T } from "../testQueueCodex";
import { settle, TestThreads } from "../testThreads";

type Step =
  | { do: "send"; mode: "turn" | "steer" | "queue" }
  | { do: "fate"; fate: Fate }
  | { do: "end"; how: "completed" | "interrupted" | "failed" | "failed at once" }
  | { do: "wait"; seconds: number }
  | { do: "edit" | "move" | "delete" | "send now"; which: number }
  | { do: "stop" | "resume" | "cut" | "kill" | "restart" | "restart both" | "take up" };

const step: fc.Arbitrary<Step> = fc.oneof(
  {
    weight: 6,
    arbitrary: fc.record({
      do: fc.constant("send" as const),
      mode: fc.constantFrom("turn" as const, "queue" as const, "queue" as const, "steer" as const),
    }),
  },
  {
    weight: 3,
    arbitrary: fc.record({
      do: fc.constant("fate" as const),
      fate: fc.constantFrom<Fate>("refused", "lost before", "lost after", "lost after", "mute"),
    }),
  },
  {
    weight: 4,
    arbitrary: fc.record({
      do: fc.constant("end" as const),
      how: fc.constantFrom(
        "completed" as const,
        "interrupted" as const,
        "failed" as const,
        "failed at once" as const,
      ),
    }),
  },
  {
    weight: 2,
    arbitrary: fc.record({ do: fc.constant("wait" as const), seconds: fc.integer({ min: 1, max: 8 }) }),
  },
  {
    weight: 5,
    arbitrary: fc.record({
      do: fc.constantFrom("edit" as const, "move" as const, "delete" as const, "send now" as const),
      which: fc.integer({ min: 0, max: 3 }),
    }),
  },
  {
    weight: 5,
    arbitrary: fc
      .constantFrom("stop", "resume", "resume", "cut", "kill", "restart", "restart both", "take up")
      .map((name) => ({ do: name }) as Step),
  },
);

/** What is known of a message from the outside. */
interface Sent {
  clientId: string;
  /** As it was sent, and as it was edited; the last edits may not have been confirmed. */
  texts: string[];
  fate: "sent" | "deleted";
}

async function play(steps: Step[], hasQueue: boolean): Promise<void> {
  const bench = new TestThreads();
  const codex = new QueueCodex(bench, { hasQueue });
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
  const sent: Sent[] = [];
  const runtime = () => bench.threads.runtime(T);
  const facts = () => runtime().state.facts;
  const waiting = (which: number) => {
    const { entries } = facts().followUps;
    return entries[which % Math.max(1, entries.length)]?.clientId ?? null;
  };
  const back = async () => {
    await bench.reconnect();
    codex.resumedNow();
    await settle();
  };
  const wait = async (seconds: number) => {
    for (let left = seconds; left > 0; left -= 1) {
      bench.clock.advance(1_000);
      await settle();
      // Each of these may have cut the connection.
      await back();
    }
  };
  /** Its outcome; null: it failed, or is still waited for. What fails says so to the person. */
  const tried = async (work: Promise<unknown>): Promise<unknown> => {
    let outcome: unknown = null;
    work.then(
      (value) => {
        outcome = value;
      },
      () => undefined,
    );
    await settle();
    return outcome;
  };
  for (const one of steps) {
    const changes = runtime().followUpChanges;
    switch (one.do) {
      case "send": {
        const clientId = `00000000-0000-4000-8000-${String(sent.length).padStart(12, "0")}`;
        sent.push({ clientId, texts: [`Text ${sent.length}`], fate: "sent" });
        bench.threads.send(T, {
          clientId,
          text: `Text ${sent.length - 1}`,
          attachments: [],
          mode: one.mode,
        });
        break;
      }
      case "fate":
        codex.fate = one.fate;
        break;
      case "end":
        if (one.how === "failed" || one.how === "failed at once") {
          codex.failing();
          if (one.how === "failed") await settle();
          codex.failed();
        } else codex.end(one.how);
        break;
      case "wait":
        await wait(one.seconds);
        break;
      case "edit": {
        const message = sent.find(({ clientId }) => clientId === waiting(one.which));
        if (!message) break;
        const text = `${message.texts[0]}, edited ${message.texts.length}`;
        message.texts.push(text);
        await tried(changes.edit(message.clientId, { text, attachments: [] }));
        break;
      }
      case "move": {
        const [what, before] = [waiting(one.which), waiting(0)];
        if (what !== null) await tried(changes.move(what, before === what ? null : before));
        break;
      }
      case "delete": {
        const message = sent.find(({ clientId }) => clientId === waiting(one.which));
        if (message && (await tried(changes.delete(message.clientId))) === "changed")
          message.fate = "deleted";
        break;
      }
      case "send now": {
        const what = waiting(one.which);
        if (what !== null) await tried(changes.sendNow(what));
        break;
      }
      case "stop":
        await runtime().stop();
        break;
      case "resume":
        await tried(changes.resume());
        break;
      case "cut":
        await bench.cut();
        break;
      case "kill":
        codex.die();
        await bench.kill();
        break;
      case "restart":
      case "restart both":
        if (one.do === "restart both") codex.die();
        await bench.restart({ codexLives: one.do === "restart" });
        bench.open(T);
        break;
      case "take up":
        codex.takeUp();
        break;
      default:
        one satisfies never;
    }
    await settle();
    await back();
  }
  // Everything comes to rest: turns end, the person says go, and there is time.
  codex.fate = "done";
  for (let quiet = 0; quiet < 6; ) {
    await wait(12);
    const { running } = runtime().state;
    const isOpen = facts().submissions.some(({ state }) => state === "sending");
    quiet = running || isOpen || facts().followUps.entries.length > 0 ? 0 : quiet + 1;
    codex.end("completed");
    if (!running) await tried(runtime().followUpChanges.resume());
    if (bench.clock.nowMs() > bench.startMs + 3_600_000) {
      throw new Error(`It does not come to rest: ${JSON.stringify(runtime().state.head)}`);
    }
  }
  for (const { clientId, texts, fate } of sent) {
    const inCodex = [...codex.kept, ...codex.queued].filter((id) => id === clientId);
    const shown = facts().submissions.find((one) => one.clientId === clientId);
    const state = bench.ledger.submissions.get(clientId)?.state;
    expect(inCodex.length, `${clientId} is with codex`).toBeLessThanOrEqual(1);
    if (inCodex.length === 1) {
      expect(fate).toBe("sent");
      expect(state).toBe("delivered");
      expect(shown).toBeUndefined();
    } else if (fate === "deleted") {
      expect(state).toBe("discarded");
      expect(shown).toBeUndefined();
    } else if (state !== "discarded") {
      expect(shown?.state, `${clientId} has come back`).toBe("undelivered");
      expect(texts).toContain(shown?.text);
      expect(state).toBe("undelivered");
    }
  }
  // Whoever asks codex anew gets the same answer.
  expect(codex.queued).toEqual([]);
  await bench.end();
}

it.each([true, false])("no follow-up is lost or sent twice; codex has a queue: %s", async (hasQueue) => {
  await fc.assert(
    fc.asyncProperty(fc.array(step, { minLength: 3, maxLength: 30, size: "max" }), (steps) =>
      play(steps, hasQueue),
    ),
    { numRuns: 40 },
  );
});
