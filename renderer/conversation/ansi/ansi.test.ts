import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { type AnsiStyle, applySgr, parseAnsi, stripAnsi, tailOf } from "./ansi";

const esc = "\u001b";

function spans(text: string) {
  return parseAnsi(text).map((line) => line.map((span) => [span.text, span.style]));
}

describe("colours", () => {
  test("text without escapes is one plain span a line", () => {
    expect(spans("one\ntwo\n")).toEqual([[["one", null]], [["two", null]]]);
  });

  test("a colour holds over line ends until it is reset", () => {
    const lines = parseAnsi(`${esc}[31mred\nstill${esc}[0m plain`);
    expect(lines[0]?.[0]?.style?.fg).toBe(1);
    expect(lines[1]?.[0]?.style?.fg).toBe(1);
    expect(lines[1]?.[1]).toEqual({ text: " plain", style: null });
  });

  test.each<[string, Partial<AnsiStyle>]>([
    ["1;32", { bold: true, fg: 2 }],
    ["97", { fg: 15 }],
    ["38;5;9", { fg: 9 }],
    ["38;5;196", { fg: { r: 255, g: 0, b: 0 } }],
    ["38;5;232", { fg: { r: 8, g: 8, b: 8 } }],
    ["48;2;1;2;300", { bg: { r: 1, g: 2, b: 255 } }],
    ["38:2::10:20:30", { fg: { r: 10, g: 20, b: 30 } }],
    ["38;2;1;2;3;4", { fg: { r: 1, g: 2, b: 3 }, underline: true }],
    ["7;9;3;2", { inverse: true, strike: true, italic: true, dim: true }],
  ])("SGR %s", (params, expected) => {
    const style = applySgr(applySgr({} as AnsiStyle, "0"), params);
    expect(style).toMatchObject(expected);
  });

  test("an empty parameter list resets", () => {
    const style = applySgr(applySgr(applySgr({} as AnsiStyle, "0"), "1;31"), "");
    expect(style).toEqual(applySgr({} as AnsiStyle, "0"));
  });
});

describe("what steers a terminal", () => {
  test("a carriage return writes over the line, as progress bars do", () => {
    expect(stripAnsi("10 %\r50 %\r100 %\ndone")).toBe("100 %\ndone");
    expect(stripAnsi("longer text\rshort")).toBe("short" + "r text");
    expect(stripAnsi(`longer text\r${esc}[Kshort`)).toBe("short");
    expect(stripAnsi(`a\r${esc}[2Kb`)).toBe("b");
  });

  test("CRLF is a line end", () => {
    expect(stripAnsi("a\r\nb\r\n")).toBe("a\nb");
  });

  test("backspaces go back", () => {
    expect(stripAnsi("abc\b\bX")).toBe("aXc");
  });

  test("titles, links, cursor moves, charset switches and bells leave nothing behind", () => {
    expect(stripAnsi(`${esc}]0;title\u0007a${esc}]8;;https://x.example${esc}\\link${esc}]8;;${esc}\\`)).toBe(
      "alink",
    );
    expect(stripAnsi(`${esc}[?2004ha${esc}[3Ab${esc}(Bc\u0007${esc}=d`)).toBe("abcd");
  });

  test("a sequence that is cut off is swallowed, and one that was never closed ends with its line", () => {
    expect(stripAnsi(`ok${esc}[38;5`)).toBe("ok");
    expect(stripAnsi(`${esc}]0;never closed\nnext`)).toBe("\nnext");
  });

  test("C1 controls are dropped", () => {
    expect(stripAnsi("a\u009b31mb\u0085c")).toBe("a31mbc");
  });
});

test("nothing that is printed is lost, and no control character comes through, whatever the input", () => {
  const piece = fc.oneof(
    fc.string(),
    fc.constantFrom(`${esc}[31m`, `${esc}[0m`, "\r", "\n", `${esc}]`, "\b", "é", "🙂"),
  );
  fc.assert(
    fc.property(fc.array(piece, { maxLength: 30 }), (pieces) => {
      for (const line of parseAnsi(pieces.join(""))) {
        for (const span of line) {
          for (const char of span.text) {
            const code = char.codePointAt(0) ?? 0;
            expect(code === 9 || (code >= 32 && code !== 127 && !(code >= 128 && code <= 159))).toBe(true);
          }
        }
      }
    }),
  );
  fc.assert(
    fc.property(fc.array(fc.stringMatching(/^[ -~]*$/), { maxLength: 20 }), (lines) => {
      const text = lines.join("\n");
      expect(stripAnsi(text)).toBe(text.endsWith("\n") ? text.slice(0, -1) : text);
    }),
  );
});

describe("the tail", () => {
  test("the last lines, cut at line ends", () => {
    expect(tailOf("1\n2\n3\n4\n", 2, 1000)).toEqual({ tail: "3\n4\n", hidden: true });
    expect(tailOf("1\n2", 5, 1000)).toEqual({ tail: "1\n2", hidden: false });
    expect(tailOf("1\n2", 2, 1000)).toEqual({ tail: "1\n2", hidden: false });
    expect(tailOf("", 5, 1000)).toEqual({ tail: "", hidden: false });
    expect(tailOf("\n\n\n", 2, 1000)).toEqual({ tail: "\n\n", hidden: true });
  });

  test("bounded in units, at a line end where there is one", () => {
    expect(tailOf("aaaa\nbbbb\ncccc", 100, 9)).toEqual({ tail: "bbbb\ncccc", hidden: true });
    expect(tailOf("x".repeat(50), 100, 10)).toEqual({ tail: "x".repeat(10), hidden: true });
  });
});
