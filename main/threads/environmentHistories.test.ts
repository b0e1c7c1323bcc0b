// Random histories of a thread and of the environments that it is given: executors are replaced and die, environments are
// removed and come back, connections are cut, codex and Holdfast are killed, and messages are sent and queued all the while.
// No turn begins at another place than the one that was chosen, and each message is with codex once, or with the person.

import fc from "fast-check";
import { expect, it } from "vitest";
import { Fault } from "../fault";
import { TestPlaces, thisMachine } from "./testPlaces";
import { type Fate, QueueCodex, T } from "./testQueueCodex";
import { settle, TestThreads } from "./testThreads";

const environments = ["box", "crate"] as const;
const folder = "/srv/engine";

type Step =
  | { do: "send"; mode: "turn" | "steer" | "queue" }
  | { do: "choose"; where: (typeof environments)[number] | null }
  | { do: "replace" | "die" | "remove"; which: (typeof environments)[number]; oldLives: boolean }
  | { do: "fate"; fate: Fate }
  | { do: "end"; how: "completed" | "interrupted" | "failed" }
  | { do: "wait"; seconds: number }
  | { do: "send again"; which: number }
  | { do: "hold locating" | "let locate" | "locate fails" | "unload" | "take up" | "review" }
  | { do: "stop" | "resume" | "cut" | "kill" | "restart" | "restart both" };

const which = fc.constantFrom(...environments);
const plain = <Name extends string>(...names: Name[]) => fc.record({ do: fc.constantFrom(...names) });

const step: fc.Arbitrary<Step> = fc.oneof(
  {
    weight: 7,
    arbitrary: fc.record({
      do: fc.constant("send" as const),
      mode: fc.constantFrom("turn" as const, "turn" as const, "queue" as const, "steer" as const),
    }),
  },
  {
    weight: 4,
    arbitrary: fc.record({
      do: fc.constant("choose" as const),
      where: fc.constantFrom<(typeof environments)[number] | null>("box", "box", "crate", null),
    }),
  },
  {
    weight: 4,
    arbitrary: fc.record({
      do: fc.constantFrom("replace" as const, "replace" as const, "die" as const, "remove" as const),
      which,
      oldLives: fc.boolean(),
    }),
  },
  {
    weight: 2,
    arbitrary: fc.record({
      do: fc.constant("fate" as const),
      fate: fc.constantFrom<Fate>("refused", "lost before", "lost after", "mute"),
    }),
  },
  {
    weight: 5,
    arbitrary: fc.record({
      do: fc.constant("end" as const),
      how: fc.constantFrom(
        "completed" as const,
        "completed" as const,
        "interrupted" as const,
        "failed" as const,
      ),
    }),
  },
  {
    weight: 2,
    arbitrary: fc.record({ do: fc.constant("wait" as const), seconds: fc.integer({ min: 1, max: 8 }) }),
  },
  {
    weight: 2,
    arbitrary: fc.record({ do: fc.constant("send again" as const), which: fc.nat(3) }),
  },
  {
    weight: 3,
    arbitrary: plain("hold locating", "let locate", "let locate", "locate fails", "unload", "take up"),
  },
  { weight: 1, arbitrary: plain("review") },
  {
    weight: 5,
    arbitrary: plain("stop", "resume", "resume", "cut", "kill", "kill", "restart", "restart both"),
  },
);

async function play(steps: Step[]): Promise<void> {
  const bench = new TestThreads();
  const places = new TestPlaces(bench);
  const codex = new QueueCodex(bench, { places });
  for (const environmentId of environments) places.place(environmentId);
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
  const sent: { clientId: string; text: string }[] = [];
  const runtime = () => bench.threads.runtime(T);
  const facts = () => runtime().state.facts;
  const back = async () => {
    await bench.reconnect();
    codex.resumedNow();
    await settle();
  };
  /** A turn begins where it was chosen that it is to begin, and where that is at that moment. */
  const seen = new Set<string>();
  const check = () => {
    const choice = bench.ledger.threadEnvironments.list().get(T) ?? null;
    for (const [turnId, where] of places.begunAt) {
      if (seen.has(turnId)) continue;
      seen.add(turnId);
      const chosen = choice === null ? thisMachine : places.urlOf(choice.environmentId);
      expect(where, `${turnId} has begun with ${JSON.stringify(choice)}`).toBe(chosen);
    }
    expect(facts().environment?.environmentId ?? null).toBe(choice?.environmentId ?? null);
  };
  const wait = async (seconds: number) => {
    for (let left = seconds; left > 0; left -= 1) {
      bench.clock.advance(1_000);
      await settle();
      await back();
      check();
    }
  };
  const tried = async (work: Promise<unknown>): Promise<void> => {
    // What fails says so to the person.
    work.catch(() => undefined);
    await settle();
  };
  for (const one of steps) {
    switch (one.do) {
      case "send": {
        const clientId = `00000000-0000-4000-8000-${String(sent.length).padStart(12, "0")}`;
        const text = `Text ${sent.length}`;
        sent.push({ clientId, text });
        bench.threads.send(T, { clientId, text, attachments: [], mode: one.mode });
        break;
      }
      case "choose": {
        const choice = one.where === null ? null : { environmentId: one.where, cwd: folder };
        await tried(bench.threads.environments.choose(T, choice));
        break;
      }
      case "replace":
        places.place(one.which, { oldLives: one.oldLives });
        bench.threads.environments.environmentsChanged();
        break;
      case "die":
        places.live.delete(places.urlOf(one.which) ?? "");
        break;
      case "remove":
        if (one.oldLives) places.place(one.which);
        else places.set.delete(one.which);
        bench.threads.environments.environmentsChanged();
        break;
      case "fate":
        codex.fate = one.fate;
        break;
      case "end":
        if (one.how === "failed") codex.failing();
        await settle();
        if (one.how === "failed") codex.failed();
        else codex.end(one.how);
        break;
      case "wait":
        await wait(one.seconds);
        break;
      case "send again": {
        const undelivered = facts().submissions.filter(({ state }) => state === "undelivered");
        const message = undelivered[one.which % Math.max(1, undelivered.length)];
        if (message) runtime().delivery.resend(message.clientId);
        break;
      }
      case "hold locating":
        places.holdLocating();
        break;
      case "let locate":
        places.letLocate();
        break;
      case "locate fails":
        places.locateFault = places.locateFault === null ? new Fault("registry_failed", "No.") : null;
        break;
      case "unload":
        codex.unload();
        break;
      case "take up":
        codex.takeUp();
        break;
      case "review":
        await tried(bench.threads.actions.review(T, { type: "uncommittedChanges" }));
        break;
      case "stop":
        await runtime().stop();
        break;
      case "resume":
        await tried(runtime().followUpChanges.resume());
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
      default:
        one satisfies never;
    }
    await settle();
    check();
    await back();
    check();
  }
  // Everything comes to rest: environments are there, turns end, the person says go, and there is time.
  codex.fate = "done";
  places.locateFault = null;
  places.letLocate();
  for (const environmentId of environments) places.place(environmentId);
  bench.threads.environments.environmentsChanged();
  for (let quiet = 0; quiet < 4; ) {
    await wait(12);
    const { running } = runtime().state;
    const isOpen = facts().submissions.some(({ state }) => state === "sending");
    quiet = running || isOpen || facts().followUps.entries.length > 0 ? 0 : quiet + 1;
    codex.end("completed");
    if (!running) await tried(runtime().followUpChanges.resume());
    check();
    if (bench.clock.nowMs() > bench.startMs + 3_600_000) {
      throw new Error(`It does not come to rest: ${JSON.stringify(runtime().state.head)}`);
    }
  }
  for (const { clientId, text } of sent) {
    const inCodex = [...codex.kept, ...codex.queued].filter((id) => id === clientId);
    const shown = facts().submissions.find((one) => one.clientId === clientId);
    const state = bench.ledger.submissions.get(clientId)?.state;
    expect(inCodex.length, `${clientId} is with codex`).toBeLessThanOrEqual(1);
    if (inCodex.length === 1) {
      expect(state).toBe("delivered");
      expect(shown).toBeUndefined();
    } else {
      expect(shown, `${clientId} has come back`).toMatchObject({ state: "undelivered", text });
      expect(state).toBe("undelivered");
    }
  }
  await bench.end();
}

it("a turn begins where it was chosen, and each message is sent once or comes back", {
  timeout: 120_000,
}, async () => {
  await fc.assert(fc.asyncProperty(fc.array(step, { minLength: 3, maxLength: 30, size: "max" }), play), {
    numRuns: 60,
  });
});
