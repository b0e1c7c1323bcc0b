import { describe, expect, it } from "vitest";
import { Fault } from "../../fault";
import type { ReadAnswer } from "./executorProtocol";
import { type ProcessEvent, ProcessStream } from "./processStream";

function stream() {
  const told: ProcessEvent[] = [];
  return { told, stream: new ProcessStream((event) => told.push(event)) };
}

const output = (seq: number) => ({
  type: "output" as const,
  seq,
  stream: "stdout" as const,
  bytes: Buffer.from(`${seq}`),
});
const exited = (seq: number) => ({ type: "exited" as const, seq, exitCode: 3, sandboxDenied: false });
const closed = (seq: number) => ({ type: "closed" as const, seq });

function answer(seqs: number[], more: Partial<ReadAnswer> = {}): ReadAnswer {
  const chunks = seqs.map((seq) => ({
    seq,
    stream: "stdout" as const,
    chunk: Buffer.from(`${seq}`).toString("base64"),
  }));
  return { chunks, nextSeq: (seqs.at(-1) ?? 0) + 1, exited: false, closed: false, ...more };
}

describe("what comes of itself", () => {
  it("is told once, in order", () => {
    const { stream: numbers, told } = stream();
    for (const event of [
      output(1),
      output(1),
      output(3),
      output(3),
      output(2),
      output(2),
      exited(4),
      closed(5),
    ]) {
      numbers.receive(event);
    }
    expect(told).toEqual([output(1), output(2), output(3), exited(4), closed(5)]);
    expect(numbers.hasEnded).toBe(true);
  });

  it("keeps nothing of what it has told", () => {
    const { stream: numbers } = stream();
    numbers.receive(output(1));
    numbers.receive(output(1));
    expect(numbers.waitingBytes).toBe(0);
  });

  it("waits for what is missing, and says how much of it there is", () => {
    const { stream: numbers, told } = stream();
    numbers.receive({ ...output(3), bytes: Buffer.alloc(100) });
    numbers.receive({ ...output(2), bytes: Buffer.alloc(50) });
    expect(numbers.waitingBytes).toBeGreaterThan(150);
    expect(told).toEqual([]);
    numbers.receive(output(1));
    expect(numbers.waitingBytes).toBe(0);
    expect(numbers.lastSeq).toBe(3);
  });

  it("counts what waits also when there is nothing in it", () => {
    const { stream: numbers } = stream();
    for (let seq = 2; seq < 1_002; seq += 1) numbers.receive({ ...output(seq), bytes: Buffer.alloc(0) });
    expect(numbers.waitingBytes).toBeGreaterThan(64_000);
    numbers.receive(output(1));
    expect(numbers.waitingBytes).toBe(0);
  });

  it("is nothing after the end, whichever end that was", () => {
    const { stream: numbers, told } = stream();
    const fault = new Fault("gone", "It is gone.");
    numbers.receive(output(1));
    numbers.lose(fault);
    numbers.lose(fault);
    numbers.receive(output(2));
    numbers.fill(answer([2, 3]));
    expect(told).toEqual([output(1), { type: "lost", fault }]);
  });
});

describe("what is read after a resume", () => {
  it("fills the hole before what has come meanwhile, and repeats nothing", () => {
    const { stream: numbers, told } = stream();
    numbers.receive(output(1));
    numbers.receive(output(4));
    numbers.fill(answer([1, 2, 3, 4, 5]));
    numbers.receive(output(5));
    expect(told).toEqual([1, 2, 3, 4, 5].map(output));
  });

  it("has the exit where its number is missing", () => {
    const { stream: numbers, told } = stream();
    numbers.fill(answer([1, 3], { nextSeq: 5, exited: true, exitCode: 3, closed: true }));
    expect(told).toEqual([output(1), exited(2), output(3), closed(4)]);
  });

  it("has an exit and a close that were told already, or wait to be told", () => {
    const { stream: numbers, told } = stream();
    numbers.receive(output(1));
    numbers.receive(exited(3));
    numbers.fill(answer([2], { nextSeq: 4, exited: true, exitCode: 3 }));
    numbers.fill(answer([], { nextSeq: 5, exited: true, exitCode: 3, closed: true }));
    expect(told).toEqual([output(1), output(2), exited(3), closed(4)]);
  });

  it("leaves a gap where output is gone for good", () => {
    const { stream: numbers, told } = stream();
    numbers.receive(output(1));
    numbers.fill(answer([7, 8]));
    numbers.receive(output(9));
    expect(told).toEqual([output(1), { type: "gap", fromSeq: 2, toSeq: 6 }, output(7), output(8), output(9)]);
  });

  it("leaves a gap before an exit and a close, which cannot be gone", () => {
    const { stream: numbers, told } = stream();
    numbers.fill(answer([5, 6], { nextSeq: 9, exited: true, exitCode: 3, closed: true }));
    expect(told).toEqual([{ type: "gap", fromSeq: 1, toSeq: 4 }, output(5), output(6), exited(7), closed(8)]);
  });

  it("leaves two gaps where something in between has come of itself", () => {
    const { stream: numbers, told } = stream();
    numbers.receive(output(3));
    numbers.fill(answer([6], { nextSeq: 7 }));
    expect(told).toEqual([
      { type: "gap", fromSeq: 1, toSeq: 2 },
      output(3),
      { type: "gap", fromSeq: 4, toSeq: 5 },
      output(6),
    ]);
  });

  it("takes no longer when an executor names a number that no process reaches", () => {
    const { stream: numbers, told } = stream();
    numbers.receive(output(1));
    numbers.receive(output(5));
    const nextSeq = Number.MAX_SAFE_INTEGER;
    numbers.fill(answer([], { nextSeq, exited: true, exitCode: 3, closed: true }));
    expect(told).toEqual([
      output(1),
      { type: "gap", fromSeq: 2, toSeq: 4 },
      output(5),
      { type: "gap", fromSeq: 6, toSeq: nextSeq - 3 },
      exited(nextSeq - 2),
      closed(nextSeq - 1),
    ]);
  });

  it("is nothing when nothing was missed", () => {
    const { stream: numbers, told } = stream();
    numbers.receive(output(1));
    numbers.fill(answer([], { nextSeq: 2 }));
    expect(told).toEqual([output(1)]);
  });
});
