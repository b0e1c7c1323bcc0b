import { beforeEach, expect, test } from "vitest";
import { Highlighter, type HighlightHost, mostHighlightedUnits } from "./highlighter";
import type { HighlightAnswer, HighlightRequest } from "./tokens";

class FakeHost implements HighlightHost {
  started = 0;
  closed = 0;
  posted: HighlightRequest[] = [];
  timers: { task: () => void; live: boolean }[] = [];
  failAtOnce = false;
  answer: (answer: HighlightAnswer) => void = () => {};
  fail: () => void = () => {};

  start(onAnswer: (answer: HighlightAnswer) => void, failed: () => void) {
    this.started++;
    this.answer = onAnswer;
    this.fail = failed;
    if (this.failAtOnce) failed();
    return { post: (request: HighlightRequest) => this.posted.push(request), close: () => this.closed++ };
  }
  after(_delayMs: number, task: () => void) {
    const timer = { task, live: true };
    this.timers.push(timer);
    return () => {
      timer.live = false;
    };
  }
  answerLast() {
    const id = this.posted.at(-1)?.id ?? -1;
    this.answer({ id, ok: true, lines: [[1, 1]] });
  }
}

let host: FakeHost;
let highlighter: Highlighter;
beforeEach(() => {
  host = new FakeHost();
  highlighter = new Highlighter(host);
});

test("one request is in flight; the newest that waits goes next", () => {
  for (const code of ["a", "b", "c"]) highlighter.request("ts", code, () => {});
  expect(host.posted.map((request) => request.code)).toEqual(["a"]);
  host.answerLast();
  expect(host.posted.map((request) => request.code)).toEqual(["a", "c"]);
  host.answerLast();
  host.answerLast();
  expect(host.posted.map((request) => request.code)).toEqual(["a", "c", "b"]);
});

test("an answer reaches everyone who asked for this very text, once", () => {
  let told = 0;
  highlighter.request("ts", "a", () => told++);
  highlighter.request("ts", "a", () => told++);
  expect(highlighter.known("ts", "a")).toBeUndefined();
  host.answerLast();
  host.answerLast();
  expect(told).toBe(2);
  expect(highlighter.known("ts", "a")).toEqual([[1, 1]]);
  expect(highlighter.known("js", "a")).toBeUndefined();
});

test("what nobody is interested in any more is never tokenised", () => {
  let told = 0;
  highlighter.request("ts", "first", () => {});
  const drop = highlighter.request("ts", "streaming", () => told++);
  drop();
  host.answerLast();
  expect(host.posted).toHaveLength(1);
  const dropCurrent = highlighter.request("ts", "now", () => told++);
  dropCurrent();
  host.answerLast();
  expect(told).toBe(0);
});

test("a worker that dies leaves code plain, is started once more, and then no more", () => {
  let told = 0;
  highlighter.request("ts", "a", () => told++);
  highlighter.request("ts", "b", () => told++);
  host.fail();
  expect(told).toBe(2);
  expect(highlighter.known("ts", "a")).toBeNull();
  highlighter.request("ts", "c", () => told++);
  expect(host.started).toBe(2);
  host.fail();
  expect(told).toBe(3);
  expect(highlighter.known("ts", "never asked")).toBeNull();
});

test("a worker that fails while it starts hangs nobody", () => {
  host.failAtOnce = true;
  let told = 0;
  highlighter.request("ts", "a", () => told++);
  expect(told).toBe(1);
  expect(host.posted).toHaveLength(0);
});

test("an answer of a worker that was let go of is ignored", () => {
  highlighter.request("ts", "a", () => {});
  const late = host.answer;
  host.fail();
  highlighter.request("ts", "b", () => {});
  late({ id: host.posted.at(-1)?.id ?? -1, ok: true, lines: [] });
  expect(highlighter.known("ts", "b")).toBeUndefined();
});

test("an idle worker is let go of, and started again when needed", () => {
  highlighter.request("ts", "a", () => {});
  host.answerLast();
  const timer = host.timers.at(-1);
  expect(timer?.live).toBe(true);
  timer?.task();
  expect(host.closed).toBe(1);
  highlighter.request("ts", "b", () => {});
  expect(host.started).toBe(2);
});

test("work in the meantime keeps an idle worker", () => {
  highlighter.request("ts", "a", () => {});
  host.answerLast();
  highlighter.request("ts", "b", () => {});
  expect(host.timers.filter((timer) => timer.live)).toHaveLength(0);
});

test("code that is too long stays plain, and what is kept is bounded", () => {
  expect(highlighter.known("ts", "x".repeat(mostHighlightedUnits + 1))).toBeNull();
  const code = (index: number) => `${index} ${"x".repeat(50_000)}`;
  for (let index = 0; index < 60; index++) {
    highlighter.request("ts", code(index), () => {});
    host.answerLast();
  }
  expect(highlighter.known("ts", code(0))).toBeUndefined();
  expect(highlighter.known("ts", code(59))).toEqual([[1, 1]]);
});
