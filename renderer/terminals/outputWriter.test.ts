import { describe, expect, it } from "vitest";
import type { TerminalSnapshot } from "../../preload/contract/terminals";
import type { TerminalSize } from "./fit";
import { lastLines, OutputWriter, type Sink } from "./outputWriter";

/** Takes pieces when it is told to, and keeps what was answered of them: each "?" is a question. */
class TestSink implements Sink {
  readonly #waiting: { piece: Uint8Array | string; taken: () => void }[] = [];
  writer: OutputWriter | null = null;
  shown = "";
  readonly sizes: string[] = [];
  answered = "";

  write(piece: Uint8Array | string, taken: () => void): void {
    this.#waiting.push({ piece, taken });
  }

  resize(size: TerminalSize | null): void {
    this.sizes.push(`${size?.columns ?? "now"} after ${JSON.stringify(this.shown)}`);
  }

  take(): void {
    for (const { piece, taken } of this.#waiting.splice(0)) {
      const text = typeof piece === "string" ? piece : new TextDecoder().decode(piece);
      if (text === "\u001bc") this.shown = "";
      else this.shown += text;
      if (this.writer?.answers) this.answered += text.replace(/[^?0-9]/g, "");
      taken();
    }
  }
}

function screen(): { sink: TestSink; writer: OutputWriter } {
  const sink = new TestSink();
  const writer = new OutputWriter(sink, 100);
  sink.writer = writer;
  return { sink, writer };
}

const bytes = (text: string) => new TextEncoder().encode(text);
const snapshot = (text: string, more: Partial<TerminalSnapshot> = {}): TerminalSnapshot => ({
  output: bytes(text),
  earlierBytes: 0,
  gaps: [],
  sizes: [],
  answersFrom: null,
  ...more,
});
const output = (text: string) => ({ type: "output" as const, bytes: bytes(text) });

describe("a screen", () => {
  it("shows a snapshot and then what follows, and says when it has taken that", async () => {
    const { sink, writer } = screen();
    const told: string[] = [];
    const first = writer.snapshot(snapshot("one ")).then(() => told.push("snapshot"));
    const second = writer.changes([output("two")]).then(() => told.push("change"));
    await Promise.resolve();
    expect(told).toEqual([]);
    sink.take();
    await Promise.all([first, second]);
    expect(told).toEqual(["snapshot", "change"]);
    expect(sink.shown).toBe("one two");
  });

  it("has the size that each piece was drawn for, and in the end its own", () => {
    const { sink, writer } = screen();
    const size = (from: number, columns: number) => ({ from, columns, rows: 24 });
    const sizes = [size(0, 41), size(7, 130), size(7, 90), size(11, 40)];
    void writer.snapshot(snapshot("wide narrow", { earlierBytes: 2, sizes }));
    expect(writer.isSized).toBe(false);
    sink.take();
    const before = sink.sizes.map((each) => each.replace(/\[.*?\]/g, "").replaceAll("\\r\\n", ""));
    expect(before.map((each) => each.split(" ")[0])).toEqual(["41", "90", "40", "now"]);
    expect(before[1]).toContain('wide "');
    expect(before[2]).toContain('wide narr"');
    expect(before[3]).toContain('wide narrow"');
    expect(writer.isSized).toBe(false);
  });

  it("begins anew with another snapshot", () => {
    const { sink, writer } = screen();
    void writer.snapshot(snapshot("old"));
    void writer.changes([output(" more"), { type: "restart", snapshot: snapshot("new") }, output(" more")]);
    sink.take();
    expect(sink.shown).toBe("new more");
  });

  it("says where something is missing", () => {
    const { sink, writer } = screen();
    void writer.snapshot(snapshot("beforeafter", { earlierBytes: 100, gaps: [100, 106] }));
    void writer.changes([{ type: "gap" }, output("end")]);
    sink.take();
    const words = sink.shown
      .replace(/\[[^[]*missing[^\]]*\]/g, "<gap>")
      .replace(/\[[^[]*left out\]/, "<earlier>");
    expect(words.match(/<earlier>|<gap>|before|after|end/g)).toEqual([
      "<earlier>",
      "<gap>",
      "before",
      "<gap>",
      "after",
      "<gap>",
      "end",
    ]);
  });

  it("that is closed keeps nobody waiting", async () => {
    const { writer } = screen();
    const taken = writer.snapshot(snapshot("x"));
    writer.close();
    await taken;
    await writer.changes([output("y")]);
  });
});

describe("what a program asks is answered", () => {
  it("from the byte on from which it is this window's turn, and not what is only shown again", () => {
    const { sink, writer } = screen();
    void writer.snapshot(snapshot("1? 2?", { answersFrom: 3 }));
    void writer.changes([output("3?")]);
    sink.take();
    expect(sink.answered).toBe("2?3?");
    expect(writer.isRepeating).toBe(false);
  });

  it("by another window, until it is this one's turn", () => {
    const { sink, writer } = screen();
    void writer.snapshot(snapshot("1?"));
    void writer.changes([output("2?"), { type: "answers" }, output("3?")]);
    sink.take();
    expect(sink.answered).toBe("3?");
  });

  it("once, however often the screen begins anew", () => {
    const { sink, writer } = screen();
    void writer.snapshot(snapshot("1?", { answersFrom: 0 }));
    void writer.changes([{ type: "restart", snapshot: snapshot("1?2?", { answersFrom: 2 }) }]);
    sink.take();
    expect(sink.answered).toBe("1?2?");
  });
});

describe("of a long snapshot", () => {
  const whole = snapshot("one\ntwo\nthree\nfour\n", { earlierBytes: 10, gaps: [10, 14, 18] });

  it("only as many lines are taken as the screen can hold", () => {
    const { output, earlierBytes, gaps } = lastLines(whole, 2);
    expect(new TextDecoder().decode(output)).toBe("four\n");
    expect(earlierBytes).toBe(10 + "one\ntwo\nthree\n".length);
    expect(gaps).toEqual([]);
    expect(new TextDecoder().decode(lastLines(whole, 3).output)).toBe("three\nfour\n");
    expect(lastLines(whole, 3).gaps).toEqual([18]);
  });

  it("everything is taken when it can hold it", () => {
    expect(lastLines(whole, 5)).toBe(whole);
    expect(lastLines(snapshot(""), 5).output).toHaveLength(0);
    expect(lastLines(snapshot("no line"), 1).output).toHaveLength(7);
  });
});
