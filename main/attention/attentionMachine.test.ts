import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { NotificationSettings } from "../../preload/contract/attention";
import {
  type AttentionEffect,
  type AttentionEvent,
  type AttentionState,
  type Circumstances,
  decideAttention,
  type Front,
  findingMs,
  isInFront,
  longestFindingMs,
  momentMs,
  mostApart,
  mostKnown,
  mostShown,
  type News,
  type NewsKind,
  quiet,
} from "./attentionMachine";

const everything: NotificationSettings = {
  finished: true,
  failed: true,
  needsYou: true,
  scripts: true,
  details: true,
  sound: true,
  onlyWhenAway: false,
};
const away: Circumstances = { front: { focused: false }, settings: everything, nowMs: 0 };
const inFrontOf = (threadId: string): Circumstances => ({
  ...away,
  front: { focused: true, threadId, runId: null },
});

function news(id: string, threadId: string, kind: NewsKind = "finished", parents: string[] = []): News {
  return { id, kind, threads: [threadId, ...parents], runId: null };
}

function run(...events: AttentionEvent[]): { state: AttentionState; effects: AttentionEffect[] } {
  let state = quiet;
  const effects: AttentionEffect[] = [];
  for (const event of events) {
    const [next, more] = decideAttention(state, event);
    state = next;
    effects.push(...more);
  }
  return { state, effects };
}

const happened = (each: News, when = away): AttentionEvent => ({ type: "happened", news: each, with: when });
const waiting = (all: News[], when = away, old: string[] = []): AttentionEvent => ({
  type: "waiting",
  news: all,
  old: new Set(old),
  with: when,
});
const over: AttentionEvent = { type: "moment over", with: away };
const found: AttentionEvent = { type: "finding over", with: away };
const shownIn = (effects: AttentionEffect[]) =>
  effects.flatMap((effect) => (effect.type === "show" ? [effect.shown] : []));
const withdrawnIn = (effects: AttentionEffect[]) =>
  effects.flatMap((effect) => (effect.type === "withdraw" ? effect.id : []));

describe("what happens where nobody looks", () => {
  it("is told once, when its moment is over, however often it is told of", () => {
    const end = news("t 1", "t");
    const { effects } = run(happened(end), happened(end), over, happened(end), over);
    expect(effects).toEqual([
      { type: "gather", afterMs: momentMs },
      { type: "show", shown: { id: "t 1", news: [end], isSummary: false } },
    ]);
  });

  it("is not told when its thread is in front, also not after the person has turned away", () => {
    const end = news("t 1", "t");
    expect(run(happened(end, inFrontOf("t")), happened(end), over).effects).toEqual([]);
    expect(shownIn(run(happened(end, inFrontOf("other")), over).effects)).toHaveLength(1);
  });

  it("is not told when the person has got there within the moment", () => {
    const { effects } = run(happened(news("t 1", "t")), { type: "looked", with: inFrontOf("t") }, over);
    expect(shownIn(effects)).toEqual([]);
  });

  it("is taken away when the person gets there", () => {
    const { state, effects } = run(happened(news("t 1", "t")), happened(news("u 1", "u")), over, {
      type: "looked",
      with: inFrontOf("t"),
    });
    expect(withdrawnIn(effects)).toEqual(["t 1"]);
    expect(state.shown.map(({ id }) => id)).toEqual(["u 1"]);
  });

  it("takes the place of the same thread's end before", () => {
    const { effects } = run(happened(news("t 1", "t")), over, happened(news("t 2", "t", "failed")), over);
    expect(withdrawnIn(effects)).toEqual(["t 1"]);
    expect(shownIn(effects).map(({ id }) => id)).toEqual(["t 1", "t 2"]);
  });

  it("is told together when it is much at once, and what waits for the person apart from what does not", () => {
    const ends = Array.from({ length: mostApart + 1 }, (_, index) => news(`t${index}`, `t${index}`));
    const ask = news("ask", "a", "needsYou");
    const { effects } = run(...ends.map((each) => happened(each)), waiting([ask]), over);
    expect(shownIn(effects)).toEqual([
      { id: "ask", news: [ask], isSummary: false },
      { id: "t0 and more", news: ends, isSummary: false },
    ]);
  });

  it("is told as the settings say", () => {
    const without = (change: Partial<NotificationSettings>): Circumstances => ({
      ...inFrontOf("other"),
      settings: { ...everything, ...change },
    });
    const told = (kind: NewsKind, change: Partial<NotificationSettings>) =>
      shownIn(run(happened(news("n", "t", kind), without(change)), over).effects).length;
    expect(told("finished", { finished: false })).toBe(0);
    expect(told("failed", { finished: false })).toBe(1);
    expect(told("failed", { failed: false })).toBe(0);
    expect(told("needsYou", { needsYou: false })).toBe(0);
    expect(told("script", { scripts: false })).toBe(0);
    expect(told("finished", { onlyWhenAway: true })).toBe(0);
    const quietWhenAway = { ...away, settings: { ...everything, onlyWhenAway: true } };
    expect(shownIn(run(happened(news("n", "t"), quietWhenAway), over).effects)).toHaveLength(1);
  });
});

describe("what waits for the person", () => {
  it("is told once while it waits, and taken away when it does not wait any more", () => {
    const ask = news("ask", "t", "needsYou");
    const { effects } = run(waiting([ask]), over, waiting([ask]), over, waiting([]), waiting([ask]), over);
    expect(shownIn(effects).map(({ id }) => id)).toEqual(["ask"]);
    expect(withdrawnIn(effects)).toEqual(["ask"]);
  });

  it("is not told when it was answered within the moment", () => {
    expect(shownIn(run(waiting([news("ask", "t", "needsYou")]), waiting([]), over).effects)).toEqual([]);
  });

  it("of an agent is in front where its parent is", () => {
    const ask = news("ask", "child", "needsYou", ["parent"]);
    expect(shownIn(run(waiting([ask], inFrontOf("parent")), over).effects)).toEqual([]);
    expect(shownIn(run(waiting([ask], inFrontOf("other")), over).effects)).toHaveLength(1);
  });

  it("and was told with others goes with the last of them", () => {
    const asks = ["a", "b", "c", "d"].map((id) => news(id, id, "needsYou"));
    const { effects } = run(waiting(asks), over, waiting(asks.slice(3)), waiting([]));
    expect(withdrawnIn(effects)).toEqual(["a and more"]);
    expect(effects.at(-1)).toEqual({ type: "withdraw", id: "a and more" });
  });
});

describe("what ended while Holdfast was away", () => {
  const ended = (threadId: string, when = away): AttentionEvent => ({
    type: "ended away",
    news: news(`away ${threadId}`, threadId),
    with: when,
  });

  it("is summed up in one notification, and never in a second one", () => {
    const ask = news("ask", "u", "needsYou");
    const { effects } = run(ended("s"), ended("t"), waiting([ask], away, ["ask"]), found, ended("v"), found);
    expect(shownIn(effects)).toEqual([
      { id: "away", news: [news("away s", "s"), news("away t", "t"), ask], isSummary: true },
    ]);
  });

  it("is waited for until no more is found, but not for ever", () => {
    const at = (nowMs: number) => ({ ...away, nowMs });
    const { effects } = run(ended("s", at(0)), ended("t", at(1_000)), ended("u", at(longestFindingMs - 500)));
    expect(effects).toEqual([
      { type: "find", afterMs: findingMs },
      { type: "find", afterMs: findingMs },
      { type: "find", afterMs: 500 },
    ]);
  });

  it("leaves out what the person has looked at meanwhile", () => {
    const { effects } = run(ended("s"), ended("t"), { type: "looked", with: inFrontOf("s") }, found);
    expect(shownIn(effects)).toEqual([{ id: "away", news: [news("away t", "t")], isSummary: true }]);
    expect(shownIn(run(ended("s"), { type: "looked", with: inFrontOf("s") }, found).effects)).toEqual([]);
  });
});

const threads = ["a", "b", "c"] as const;

/** A person who goes from thread to thread and away, and codex, which tells everything, some of it more than once. */
const history = fc.array(
  fc.oneof(
    fc.record({
      do: fc.constant("end" as const),
      thread: fc.constantFrom(...threads),
      again: fc.boolean(),
      failed: fc.boolean(),
    }),
    fc.record({ do: fc.constant("ask" as const), thread: fc.constantFrom(...threads) }),
    fc.record({ do: fc.constant("answer" as const), which: fc.nat(5) }),
    fc.record({ do: fc.constant("ask again" as const) }),
    fc.record({
      do: fc.constant("look" as const),
      thread: fc.constantFrom(...threads, "elsewhere" as const),
    }),
    fc.record({ do: fc.constant("time" as const) }),
    fc.record({ do: fc.constant("close" as const), which: fc.nat(5) }),
  ),
  { maxLength: 60 },
);

describe("whatever happens in whatever order", () => {
  it("each thing that nobody saw is told exactly once, nothing that was in front ever, and what is over is taken away", () => {
    fc.assert(
      fc.property(history, (steps) => {
        let state = quiet;
        let front: Front = { focused: false };
        let turns = 0;
        let last: News | null = null;
        let asks: News[] = [];
        let isGathering = false;
        const all = new Map<string, News>();
        /** In front when it happened, or before its moment was over; or over by then. */
        const excused = new Set<string>();
        const pending = new Set<string>();
        const told = new Map<string, number>();
        const onScreen = new Map<string, readonly News[]>();
        const take = (event: AttentionEvent) => {
          const [next, effects] = decideAttention(state, event);
          state = next;
          for (const effect of effects) {
            if (effect.type === "gather") {
              expect(isGathering).toBe(false);
              isGathering = true;
            } else if (effect.type === "withdraw") {
              expect(onScreen.delete(effect.id)).toBe(true);
            } else if (effect.type === "show") {
              expect(onScreen.has(effect.shown.id)).toBe(false);
              onScreen.set(effect.shown.id, effect.shown.news);
              for (const { id } of effect.shown.news) told.set(id, (told.get(id) ?? 0) + 1);
            }
          }
        };
        const now = () => ({ ...away, front });
        const met = (each: News) => {
          if (all.has(each.id)) return;
          all.set(each.id, each);
          if (isInFront(each, front)) excused.add(each.id);
          else pending.add(each.id);
        };
        const passTime = () => {
          isGathering = false;
          pending.clear();
          take({ type: "moment over", with: now() });
        };
        for (const step of steps) {
          switch (step.do) {
            case "end": {
              const each: News =
                step.again && last !== null
                  ? last
                  : news(`turn ${++turns}`, step.thread, step.failed ? "failed" : "finished");
              last = each;
              met(each);
              take(happened(each, now()));
              break;
            }
            case "ask": {
              const ask = news(`ask ${++turns}`, step.thread, "needsYou");
              asks = [...asks, ask];
              met(ask);
              take(waiting(asks, now()));
              break;
            }
            case "answer": {
              const gone = asks[step.which];
              if (!gone) break;
              if (pending.delete(gone.id)) excused.add(gone.id);
              asks = asks.filter((ask) => ask !== gone);
              take(waiting(asks, now()));
              expect([...onScreen.values()].some((shown) => shown.every(({ id }) => id === gone.id))).toBe(
                false,
              );
              break;
            }
            case "ask again":
              take(waiting(asks, now()));
              break;
            case "look":
              front =
                step.thread === "elsewhere"
                  ? { focused: false }
                  : { focused: true, threadId: step.thread, runId: null };
              for (const id of pending) {
                const each = all.get(id);
                if (each && isInFront(each, front)) {
                  pending.delete(id);
                  excused.add(id);
                }
              }
              take({ type: "looked", with: now() });
              for (const shown of onScreen.values()) {
                expect(shown.every((each) => isInFront(each, front))).toBe(false);
              }
              break;
            case "time":
              passTime();
              break;
            case "close": {
              const id = [...onScreen.keys()][step.which];
              if (id === undefined) break;
              onScreen.delete(id);
              take({ type: "closed", id, with: now() });
              break;
            }
            default:
              step satisfies never;
          }
          expect(state.shown.length).toBeLessThanOrEqual(mostShown);
        }
        passTime();
        for (const id of all.keys()) expect([id, told.get(id) ?? 0]).toEqual([id, excused.has(id) ? 0 : 1]);
        expect([...onScreen.keys()].sort()).toEqual(state.shown.map(({ id }) => id).sort());
      }),
    );
  });

  it("keeps no more than so much, and still knows what waits", () => {
    const ask = news("ask", "t", "needsYou");
    let [state] = decideAttention(quiet, waiting([ask]));
    for (let turn = 0; turn < mostKnown + 100; turn += 1) {
      [state] = decideAttention(state, happened(news(`turn ${turn}`, `t${turn}`), inFrontOf(`t${turn}`)));
    }
    expect(state.known.length).toBeLessThanOrEqual(mostKnown + 1);
    expect(shownIn(decideAttention({ ...state, gathering: [] }, waiting([ask]))[1])).toEqual([]);
    expect(state.known).toContain("ask");
  });
});
