import { EventEmitter } from "node:events";
import { beforeEach, expect, it } from "vitest";
import { ManualClock } from "../clock";
import { gulpMs, readInGulps } from "./gulps";

class TestLine extends EventEmitter {
  isPaused = false;
  pause(): void {
    this.isPaused = true;
  }
  resume(): void {
    this.isPaused = false;
  }
  comes(bytes: number): void {
    this.emit("data", { length: bytes });
  }
}

let clock: ManualClock;
let line: TestLine;

beforeEach(() => {
  clock = new ManualClock();
  line = new TestLine();
  readInGulps(line, clock);
});

it("what comes alone is read at once, and so is what comes after it", () => {
  for (let count = 0; count < 5; count += 1) {
    line.comes(100);
    expect(line.isPaused).toBe(false);
    clock.advance(gulpMs + 1);
  }
  expect(clock.pendingCount).toBe(0);
});

it("what comes close behind is held for a gulp, again and again", () => {
  line.comes(100);
  for (let gulp = 0; gulp < 5; gulp += 1) {
    line.comes(100);
    expect(line.isPaused).toBe(true);
    clock.advance(gulpMs - 1);
    expect(line.isPaused).toBe(true);
    clock.advance(1);
    expect(line.isPaused).toBe(false);
  }
});

it("what is more than one read takes is read on", () => {
  line.comes(64 * 1024);
  line.comes(64 * 1024);
  expect(line.isPaused).toBe(false);
  line.comes(10);
  expect(line.isPaused).toBe(true);
});

it("a line that closes while it is held leaves nothing", () => {
  line.comes(100);
  line.comes(100);
  line.emit("close");
  expect(clock.pendingCount).toBe(0);
});
