import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { cpuMsOf } from "../testCpuTime";
import { LineSplitter, type StreamEnd } from "./lineSplitter";

function split(chunks: Iterable<string | Buffer>, maxLineBytes?: number) {
  const lines: string[] = [];
  const oversized: number[] = [];
  const splitter = new LineSplitter(
    { onLine: (line) => lines.push(line), onOversizedLine: (bytes) => oversized.push(bytes) },
    maxLineBytes,
  );
  for (const chunk of chunks) splitter.push(typeof chunk === "string" ? Buffer.from(chunk) : chunk);
  const end: StreamEnd = splitter.end();
  return { lines, oversized, noise: splitter.noise, end };
}

function* pieces(bytes: Buffer, size: number): Generator<Buffer> {
  for (let at = 0; at < bytes.length; at += size) yield bytes.subarray(at, at + size);
}

describe("cutting bytes into messages", () => {
  it("is independent of where the chunks end, also inside a character", () => {
    const text = '{"a":"ü€😀"}\n{"b":1}\r\n\n{"c":2}\n';
    for (let size = 1; size < 12; size++) {
      const { lines, noise, end } = split(pieces(Buffer.from(text), size));
      expect(lines.map((line) => JSON.parse(line))).toEqual([{ a: "ü€😀" }, { b: 1 }, { c: 2 }]);
      expect([noise.lines, end]).toEqual([0, { kind: "clean" }]);
    }
  });

  it("keeps every message, whatever the messages and the chunks", () => {
    fc.assert(
      fc.property(
        fc.array(fc.dictionary(fc.string(), fc.string({ unit: "grapheme" }))),
        fc.integer({ min: 1, max: 40 }),
        (messages, size) => {
          const bytes = Buffer.from(messages.map((message) => `${JSON.stringify(message)}\n`).join(""));
          expect(split(pieces(bytes, size)).lines).toEqual(
            messages.map((message) => JSON.stringify(message)),
          );
        },
      ),
      { numRuns: 200 },
    );
  });

  it("reads a line of 64 MiB in chunks of 7 bytes in linear time", () => {
    const bytes = Buffer.from(`{"text":"${"€".repeat((64 * 1024 * 1024) / 3)}"}\n`);
    const timeFor = (line: Buffer) =>
      cpuMsOf(() => {
        const { lines } = split(pieces(line, 7));
        expect(Buffer.byteLength(lines[0] ?? "")).toBe(line.length - 1);
      });
    // A quadratic splitter needs hours for the second one; the limit is far above what a busy machine takes.
    timeFor(Buffer.from(`{"text":"${"€".repeat(100_000)}"}\n`));
    expect(timeFor(bytes)).toBeLessThan(30_000);
  });
});

describe("what is no message", () => {
  it("is skipped and counted: banners, localized text, blank lines", () => {
    const { lines, noise } = split([
      "\u001b[1;32mWelcome\u001b[0m\n\u001b]0;a title\u0007\n\n",
      '{"id":1}\n',
      Buffer.from([0xb3, 0xc9, 0xb9, 0xa6, 0x0d, 0x0a]),
      "SUCCESS: The process with PID 4 has been terminated.\r\n[1,2]\n",
      '{"id":2}\n',
    ]);
    expect(lines).toEqual(['{"id":1}', '{"id":2}']);
    expect(noise).toMatchObject({ lines: 5 });
    expect(noise.recent[0]).toBe("\u001b[1;32mWelcome\u001b[0m");
  });

  it("is stripped where escape sequences are glued to the front of a message", () => {
    for (const prefix of [
      "\u001b[?2004h",
      "\u001b]0;title\u0007",
      "\u001b]8;;x\u001b\\",
      "\u001b[0m\u001b[K \r",
      "\u001b7\u001b(B\u001b=",
      "\ufeff",
      "\0\b",
    ]) {
      expect(split([`${prefix}{"id":1}\n`])).toMatchObject({ lines: ['{"id":1}'], noise: { lines: 0 } });
    }
  });

  it("is kept only in part", () => {
    const { noise } = split(Array.from({ length: 1_000 }, (_, at) => `${at} ${"x".repeat(1_000)}\n`));
    expect(noise.lines).toBe(1_000);
    expect(noise.recent).toHaveLength(20);
    expect(noise.recent.at(-1)).toMatch(/^999 x/);
    expect(noise.recent.every((line) => line.length <= 300)).toBe(true);
  });

  it("is not collected while it has no line break", () => {
    const { lines, noise, end } = split([
      ...Array.from({ length: 40 }, () => "y".repeat(10_000)),
      '\n{"id":1}\n',
    ]);
    expect(lines).toEqual(['{"id":1}']);
    expect(noise).toMatchObject({ lines: 1, bytes: 400_000 });
    expect(end).toEqual({ kind: "clean" });
  });
});

describe("a line that is too long for a string", () => {
  it("is dropped and reported, and the next one is read", () => {
    const { lines, oversized, noise } = split(
      [`{"a":"${"x".repeat(100)}`, `${"x".repeat(100)}"}\n{"b":1}\n`],
      150,
    );
    expect(lines).toEqual(['{"b":1}']);
    expect(oversized).toEqual([208]);
    expect(noise.lines).toBe(0);
  });
});

describe("the end of the stream", () => {
  it("inside a line is reported, and what was there of it is no message", () => {
    expect(split(['{"id":1}\n{"id":2,"res'])).toMatchObject({
      lines: ['{"id":1}'],
      end: { kind: "insideLine", bytes: 12 },
    });
    expect(split(["bye"])).toMatchObject({
      lines: [],
      end: { kind: "insideLine", bytes: 3 },
      noise: { lines: 1 },
    });
  });

  it("inside dropped noise is reported too", () => {
    const { noise, end } = split(["y".repeat(70_000), "y".repeat(70_000)]);
    expect(end).toEqual({ kind: "insideLine", bytes: 140_000 });
    expect(noise).toMatchObject({ lines: 1, bytes: 140_000 });
  });

  it("after a whole message without its line break loses nothing", () => {
    expect(split(['\u001b[0m{"id":1}'])).toMatchObject({ lines: ['{"id":1}'], end: { kind: "clean" } });
    expect(split(['{"id":1}\r'])).toMatchObject({ lines: ['{"id":1}'], end: { kind: "clean" } });
  });
});
