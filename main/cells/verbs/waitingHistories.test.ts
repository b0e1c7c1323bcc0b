// Random histories of a thread while scripts wait for it: windows that come and go, a wire that is cut, late or loses the
// end of a turn, a codex that unloads the thread or dies. Every wait ends, none while Holdfast knows that something runs, and
// a turn is told as codex has it.

import fc from "fast-check";
import { expect, it } from "vitest";
import { asFault } from "../../fault";
import { parentId } from "../../threads/testCodexRecord";
import { type Step, step, World } from "../../threads/testThreadWorld";
import { TestVerbs } from "./testVerbs";

interface Wait {
  ended: string | null;
  /** What did not hold when it ended. */
  problem: unknown;
}
type Played = Step | { do: "script waits" } | { do: "script gives up" };

const always = (...ones: Played[]) => fc.constantFrom(...ones);

/** Those who wait go away with Holdfast: a restart is none of their history. */
const steps = fc.array(
  fc.oneof(
    { weight: 12, arbitrary: step.filter((one) => one.do !== "restart") },
    { weight: 4, arbitrary: always({ do: "script waits" }) },
    { weight: 4, arbitrary: always({ do: "send", mode: "turn" }, { do: "begin", in: "parent" }) },
    {
      weight: 4,
      arbitrary: always(
        { do: "wait", seconds: 40 },
        { do: "deliver", count: 50 },
        { do: "end", how: "failed", in: "parent" },
      ),
    },
    { weight: 1, arbitrary: always({ do: "script gives up" }) },
  ),
  { minLength: 4, maxLength: 50, size: "max" },
);

it("every wait ends, and tells how the turn ended", { timeout: 120_000 }, async () => {
  let told = 0;
  await fc.assert(
    fc.asyncProperty(steps, async (history: Played[]) => {
      const world = new World();
      const script = TestVerbs.over(world.bench);
      const waits: Wait[] = [];
      let run = 1;
      try {
        await world.begin();
        world.codex.begin(world.codex.thread(parentId));
        await world.codex.deliverAll();
        for (const one of history) {
          if (one.do === "script waits") waits.push(begun(world, script, `run-${run}`));
          else if (one.do === "script gives up") {
            await script.verbs.closed(`run-${run}`);
            run += 1;
          } else await world.play(one);
        }
        await world.bench.reconnect();
        // What was on its way may begin turns of its own.
        for (let left = 6; left > 0; left -= 1) {
          await world.codex.deliverAll();
          for (const thread of world.codex.threads.values()) world.codex.end(thread, "completed");
          await world.wait(40, true);
        }
        for (const { ended, problem } of waits) {
          expect(ended).not.toBeNull();
          if (problem !== null) throw problem;
        }
        told += waits.filter(({ ended }) => ended?.startsWith("turn")).length;
        expect(world.bench.threads.runtime(parentId).state.attended).toBe(false);
      } finally {
        await world.bench.end();
      }
    }),
    { numRuns: 60 },
  );
  expect(told).toBeGreaterThan(60);
});

function begun(world: World, script: TestVerbs, runId: string): Wait {
  const wait: Wait = { ended: null, problem: null };
  script
    .call("waitForTurn", { threadId: parentId }, { runId })
    .then((outcome) => {
      wait.ended = `turn ${outcome.turnId}`;
      const turn = world.codex.thread(parentId).turns.find(({ id }) => id === outcome.turnId);
      expect(turn, outcome.turnId).toBeDefined();
      // codex may say nothing of it for longer than anybody waits.
      if (outcome.error?.startsWith("It is not known") !== true) expect(outcome.status).toBe(turn?.status);
    })
    .catch((error: unknown) => {
      if (wait.ended === null) wait.ended = asFault(error).code;
      else wait.problem = error;
    });
  return wait;
}
