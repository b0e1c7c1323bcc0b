import { expect, test } from "vitest";
import { Ticker, type TickerHost } from "./ticker";

class ManualHost implements TickerHost {
  time = 10_250;
  isHidden = false;
  pending: { due: number; task: () => void }[] = [];
  watchers = new Set<() => void>();

  nowMs = () => this.time;
  hidden = () => this.isHidden;
  after = (delayMs: number, task: () => void) => {
    const entry = { due: this.time + delayMs, task };
    this.pending.push(entry);
    return () => {
      this.pending = this.pending.filter((other) => other !== entry);
    };
  };
  onVisibility = (listener: () => void) => {
    this.watchers.add(listener);
    return () => this.watchers.delete(listener);
  };
  advance(byMs: number) {
    this.time += byMs;
    const due = this.pending.filter((entry) => entry.due <= this.time);
    this.pending = this.pending.filter((entry) => entry.due > this.time);
    for (const entry of due) entry.task();
  }
  setHidden(hidden: boolean) {
    this.isHidden = hidden;
    for (const watcher of this.watchers) watcher();
  }
}

test("many listeners share one timer, which ends with the last of them", () => {
  const host = new ManualHost();
  const ticker = new Ticker(host);
  let ticks = 0;
  const stops = [1, 2, 3].map(() => ticker.subscribe(() => ticks++));
  expect(host.pending).toHaveLength(1);
  host.advance(750);
  expect(ticks).toBe(3);
  expect(ticker.nowMs()).toBe(11_000);
  for (const stop of stops) stop();
  expect(host.pending).toHaveLength(0);
  expect(host.watchers.size).toBe(0);
});

test("ticks fall on whole seconds", () => {
  const host = new ManualHost();
  const ticker = new Ticker(host);
  const seen: number[] = [];
  const stop = ticker.subscribe(() => seen.push(ticker.nowMs()));
  host.advance(750);
  host.advance(1000);
  host.advance(1000);
  expect(seen).toEqual([11_000, 12_000, 13_000]);
  stop();
});

test("a hidden window does not tick, and catches up when it is shown", () => {
  const host = new ManualHost();
  const ticker = new Ticker(host);
  let ticks = 0;
  const stop = ticker.subscribe(() => ticks++);
  host.setHidden(true);
  expect(host.pending).toHaveLength(0);
  host.advance(60_000);
  expect(ticks).toBe(0);
  host.setHidden(false);
  expect(ticks).toBe(1);
  expect(ticker.nowMs()).toBe(70_250);
  expect(host.pending).toHaveLength(1);
  host.setHidden(false);
  expect(host.pending).toHaveLength(1);
  stop();
  expect(host.pending).toHaveLength(0);
});
