import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { Announcer } from "./announcer";

class TestTerminal {
  readonly told: boolean[] = [];
  readonly options: { screenReaderMode?: boolean };
  readonly textarea = undefined;
  press = () => {};

  constructor() {
    const { told } = this;
    this.options = {
      set screenReaderMode(isOn: boolean) {
        told.push(isOn);
      },
    };
  }

  onKey(listener: () => void): void {
    this.press = listener;
  }
}

const most = 16 * 1024;
const much = "=".repeat(most + 1);
let terminal: TestTerminal;
let announcer: Announcer;

function print(piece: string, nowMs: number): void {
  announcer.comes(new TextEncoder().encode(piece), nowMs);
  announcer.taken();
}

beforeEach(() => {
  vi.useFakeTimers();
  terminal = new TestTerminal();
  announcer = new Announcer(terminal);
});

afterEach(() => {
  vi.useRealTimers();
});

describe("what a screen reader is told", () => {
  it("is begun anew when a line grows without end", () => {
    for (let piece = 0; piece < 16; piece += 1) print("\r=======".repeat(128), 0);
    expect(terminal.told).toEqual([true]);
    print("\r", 0);
    expect(terminal.told).toEqual([true, false, true]);
  });

  it("leaves out a large piece as a whole", () => {
    announcer.comes(much, 0);
    expect(terminal.told).toEqual([true, false]);
    announcer.comes(much, 0);
    announcer.taken();
    expect(terminal.told).toEqual([true, false, true]);
  });

  it("rests in a flood, and comes back by itself", () => {
    print(much, 0);
    print(much, 500);
    expect(terminal.told).toEqual([true, false, true, false]);
    print(much, 600);
    vi.runAllTimers();
    expect(terminal.told).toEqual([true, false, true, false, true]);
  });

  it("is bounded by the emulator after many lines, until a key is pressed", () => {
    print(`${"\n".repeat(21)}${much}`, 0);
    print(much, 0);
    expect(terminal.told).toEqual([true]);
    terminal.press();
    print(much, 0);
    expect(terminal.told).toEqual([true, false, true]);
  });

  it("does not come back when it is closed", () => {
    print(much, 0);
    print(much, 0);
    announcer.close();
    vi.runAllTimers();
    expect(terminal.told).toEqual([true, false, true, false]);
  });
});
