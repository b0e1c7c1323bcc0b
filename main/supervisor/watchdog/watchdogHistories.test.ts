// Whatever happens in whatever order: a busy or released server is never ended, nor an exec-server that one may still use, and
// what is idle is ended at last. But when the home has gone all is ended, and the watchdog too, whatever anything does.

import fc from "fast-check";
import { expect, test } from "vitest";
import {
  type Answer,
  askPauseMs,
  decide,
  newWatch,
  stdioGraceMs,
  type WatchEffect,
  type WatchEvent,
} from "./watchdogMachine";
import type { OwnedServer } from "./watchdogMessages";

const handleIds = ["a", "b", "c"] as const;
const startAtMs = 1_000_000;

const tale = fc.record({
  unattendedMs: fc.integer({ min: 0, max: 3_000 }),
  whileOwned: fc.array(
    fc.record({
      handleId: fc.constantFrom(...handleIds),
      does: fc.constantFrom("own", "own", "own on stdio", "own exec-server", "disown"),
    }),
    { maxLength: 12 },
  ),
  steps: fc.array(
    fc.record({
      handleId: fc.constantFrom(...handleIds),
      does: fc.constantFrom("begin turn", "end turn", "hang", "recover", "die", "go on", "go on", "go on"),
      ms: fc.integer({ min: 0, max: 2_000 }),
      endsWell: fc.boolean(),
    }),
    { maxLength: 60 },
  ),
});

type Tale = typeof tale extends fc.Arbitrary<infer Value> ? Value : never;

interface FakeServer {
  owned: OwnedServer;
  state: "idle" | "busy" | "dead" | "being ended" | "ended";
  hangs: boolean;
  hasHung: boolean;
  /** A turn began while it hung: its client hears of it when it recovers. */
  untold: boolean;
  /** Since when nothing has run in it; meaningless while it is busy. */
  idleSinceMs: number;
  /** Questions in a row that it has not answered. */
  unanswered: number;
  failedEndings: number;
}

/** The world that the machine acts on: servers with a life of their own, timers, and answers that take their time. */
class World {
  readonly servers = new Map<string, FakeServer>();
  readonly ended: string[] = [];
  nowMs = startAtMs;
  exited = false;
  #watch = newWatch();
  #due: { atMs: number; event: () => WatchEvent }[] = [];
  #unattendedMs: number;
  endsWell = true;
  homeIsGone = false;

  constructor(unattendedMs: number) {
    this.#unattendedMs = unattendedMs;
    this.tell({ type: "unattended", ms: unattendedMs });
  }

  tell(event: WatchEvent): void {
    const [watch, effects] = decide(this.#watch, event);
    this.#watch = watch;
    for (const effect of effects) this.#perform(effect);
  }

  /** As codex does: every client is told. */
  setState(handleId: string, does: string): void {
    const server = this.servers.get(handleId);
    if (!server || (server.state !== "idle" && server.state !== "busy")) return;
    if (does === "hang") {
      server.hangs = true;
      server.hasHung = true;
    }
    if (does === "recover") {
      server.hangs = false;
      if (server.untold) this.tell({ type: "stirred", handleId });
      server.untold = false;
    }
    if (does === "die") server.state = "dead";
    if (does === "begin turn") {
      server.state = "busy";
      if (server.hangs) server.untold = true;
      else this.tell({ type: "stirred", handleId });
    }
    if (does === "end turn" && server.state === "busy") {
      server.state = "idle";
      server.idleSinceMs = this.nowMs;
    }
  }

  pass(ms: number): void {
    const untilMs = this.nowMs + ms;
    for (;;) {
      const next = this.#due.filter((one) => one.atMs <= untilMs).sort((a, b) => a.atMs - b.atMs)[0];
      if (!next) break;
      this.#due = this.#due.filter((one) => one !== next);
      this.nowMs = Math.max(this.nowMs, next.atMs);
      this.tell(next.event());
    }
    this.nowMs = untilMs;
  }

  #later(delayMs: number, event: () => WatchEvent): void {
    this.#due.push({ atMs: this.nowMs + delayMs, event });
  }

  #perform(effect: WatchEffect): void {
    switch (effect.type) {
      case "ask": {
        const { handleId } = effect.server;
        const server = this.#server(handleId);
        expect(effect.server).toEqual(server.owned);
        expect(server.owned.channel.kind).not.toBe("stdio");
        expect(server.owned.kind).toBe("app-server");
        const answer = answerOf(server);
        server.unanswered = answer === "none" ? server.unanswered + 1 : 0;
        this.#later(20, () => ({ type: "answered", handleId, answer, atMs: this.nowMs }));
        return;
      }
      case "end":
        this.#end(this.#server(effect.server.handleId));
        return;
      case "wait":
        expect(effect.delayMs).toBeGreaterThanOrEqual(200);
        this.#later(effect.delayMs, () => ({ type: "due", handleId: effect.handleId }));
        return;
      case "look for home":
        this.#later(effect.delayMs, () => ({ type: "home looked for", isGone: this.homeIsGone }));
        return;
      case "exit":
        expect(this.exited).toBe(false);
        this.exited = true;
        return;
      default:
        effect satisfies never;
    }
  }

  #end(server: FakeServer): void {
    const { kind, handleId, channel } = server.owned;
    if (this.homeIsGone) {
      // Nobody comes back: no rule is left.
    } else if (kind === "exec-server") {
      const others = [...this.servers.values()].filter(({ owned }) => owned.kind === "app-server");
      for (const { state, failedEndings } of others)
        expect(state === "ended" || failedEndings > 0, "an app-server may use it").toBe(true);
      if (others.length === 0) expect(this.nowMs - startAtMs).toBeGreaterThanOrEqual(this.#unattendedMs);
    } else if (channel.kind === "stdio") {
      expect(this.nowMs - startAtMs).toBeGreaterThanOrEqual(stdioGraceMs);
    } else if (server.state === "idle" || server.state === "busy") {
      // Nobody can know what goes on in one that hangs.
      if (!server.hangs && server.unanswered < 3) expect(server.state).toBe("idle");
      if (!server.hasHung)
        expect(this.nowMs - server.idleSinceMs).toBeGreaterThanOrEqual(this.#unattendedMs - 20);
    }
    const { endsWell } = this;
    if (server.state !== "dead") server.state = "being ended";
    this.#later(30, () => {
      if (endsWell) {
        server.state = "ended";
        this.ended.push(handleId);
      } else {
        server.failedEndings += 1;
      }
      return { type: "end tried", handleId, succeeded: endsWell };
    });
  }

  #server(handleId: string): FakeServer {
    const server = this.servers.get(handleId);
    if (!server) throw new Error(`${handleId} is not the watchdog's to touch`);
    return server;
  }
}

function answerOf({ state, hangs }: FakeServer): Answer {
  if (state !== "idle" && state !== "busy") return "dead";
  return hangs ? "none" : state;
}

function play({ unattendedMs, whileOwned, steps }: Tale): World {
  const world = new World(unattendedMs);
  for (const { handleId, does } of whileOwned) {
    if (does === "disown") {
      world.servers.delete(handleId);
      world.tell({ type: "disown", handleId });
      continue;
    }
    const owned: OwnedServer = {
      kind: does === "own exec-server" ? "exec-server" : "app-server",
      handleId,
      pid: 10,
      startTime: "boot/1",
      channel: does === "own on stdio" ? { kind: "stdio" } : { kind: "socket", path: "/s" },
    };
    world.servers.set(handleId, {
      owned,
      state: "idle",
      hangs: false,
      hasHung: false,
      untold: false,
      idleSinceMs: startAtMs,
      unanswered: 0,
      failedEndings: 0,
    });
    world.tell({ type: "own", server: owned });
  }
  world.tell({ type: "owner gone" });
  for (const { handleId, does, ms, endsWell } of steps) {
    world.endsWell = endsWell;
    world.setState(handleId, does);
    world.pass(ms);
  }
  return world;
}

test("over random histories nothing busy or released is ended, and all that is idle is ended at last", () => {
  fc.assert(
    fc.property(tale, (told) => {
      const world = play(told);
      // From now on every turn ends, and every ending succeeds.
      world.endsWell = true;
      for (const handleId of handleIds) world.setState(handleId, "end turn");
      // The longest pause between two tries of an ending, and the longest time until a server counts as idle.
      world.pass(5 * 60_000 + 2 * told.unattendedMs + 20 * askPauseMs(told.unattendedMs));
      expect(world.exited).toBe(true);
      expect([...world.ended].sort()).toEqual([...world.servers.keys()].sort());
    }),
    { numRuns: 3_000 },
  );
});

test("a server in which a turn goes on stays for as long as it does", () => {
  fc.assert(
    fc.property(tale, fc.constantFrom(...handleIds), (told, busy) => {
      const steps = told.steps.filter((step) => step.handleId !== busy);
      const owned = [...told.whileOwned, { handleId: busy, does: "own" as const }];
      const first = { handleId: busy, does: "begin turn" as const, ms: 0, endsWell: true };
      const world = play({ ...told, whileOwned: owned, steps: [first, ...steps] });
      world.pass(10 * (told.unattendedMs + askPauseMs(told.unattendedMs)));
      expect(world.servers.get(busy)?.state).toBe("busy");
      for (const { owned, state } of world.servers.values())
        if (owned.kind === "exec-server") expect(["ended", "being ended"]).not.toContain(state);
      expect(world.exited).toBe(false);
    }),
    { numRuns: 500 },
  );
});

test("when the home has gone all is ended, whatever it does, and the watchdog even if that never succeeds", () => {
  fc.assert(
    fc.property(tale, fc.boolean(), (told, endsWell) => {
      const world = play(told);
      world.endsWell = endsWell;
      world.homeIsGone = true;
      for (const handleId of handleIds) world.setState(handleId, "begin turn");
      // Three looks; and after that the pauses between as many attempts as are made, or one that is under way already.
      world.pass(endsWell ? 15_000 + 5 * 60_000 : 25 * 60_000);
      expect(world.exited).toBe(true);
      if (endsWell) expect([...world.ended].sort()).toEqual([...world.servers.keys()].sort());
    }),
    { numRuns: 1_000 },
  );
});
