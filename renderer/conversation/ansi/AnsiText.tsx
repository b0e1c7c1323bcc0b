import { Fragment, memo } from "react";
import { type AnsiColour, type AnsiSpan, type AnsiStyle, parseAnsi } from "./ansi";

function colourOf(colour: AnsiColour): { className: string; value: string | undefined } {
  if (typeof colour === "number") return { className: `ansi-${colour}`, value: undefined };
  return { className: "ansi-own", value: `rgb(${colour.r} ${colour.g} ${colour.b})` };
}

function Span({ text, style }: { text: string; style: AnsiStyle }) {
  const names: string[] = [];
  const own: Record<string, string> = {};
  const [fg, bg] = style.inverse ? [style.bg, style.fg] : [style.fg, style.bg];
  if (fg !== null) {
    const { className, value } = colourOf(fg);
    names.push(className);
    if (value) own["--ansi-own"] = value;
  }
  if (bg !== null || style.inverse) {
    names.push("ansi-marked");
    const value =
      bg === null ? "var(--color-ink)" : typeof bg === "number" ? `var(--ansi-${bg})` : colourOf(bg).value;
    if (value) own["--ansi-mark"] = value;
  }
  if (style.bold) names.push("font-semibold");
  if (style.dim) names.push("opacity-70");
  if (style.italic) names.push("italic");
  if (style.underline && style.strike) names.push("[text-decoration:underline_line-through]");
  else if (style.underline) names.push("underline");
  else if (style.strike) names.push("line-through");
  return (
    <span className={names.join(" ")} style={own}>
      {text}
    </span>
  );
}

function spansOf(line: AnsiSpan[]) {
  let at = 0;
  return line.map((span) => {
    const key = at;
    at += span.text.length;
    return span.style === null ? (
      <Fragment key={key}>{span.text}</Fragment>
    ) : (
      <Span key={key} text={span.text} style={span.style} />
    );
  });
}

/** Output of a command: its colours, and nothing that it could do to the window. Neighbouring plain lines are one text. */
export const AnsiText = memo(function AnsiText({ text }: { text: string }) {
  const lines = parseAnsi(text);
  const parts: (string | AnsiSpan[])[] = [];
  for (const [index, line] of lines.entries()) {
    const lineEnd = index < lines.length - 1 ? "\n" : "";
    const plain = line.every((span) => span.style === null);
    if (plain) {
      const words = line.map((span) => span.text).join("") + lineEnd;
      const last = parts.at(-1);
      if (typeof last === "string") parts[parts.length - 1] = last + words;
      else parts.push(words);
    } else parts.push(lineEnd === "" ? line : [...line, { text: lineEnd, style: null }]);
  }
  return parts.map((part, index) => (
    // biome-ignore lint/suspicious/noArrayIndexKey: a part is its place
    <Fragment key={index}>{typeof part === "string" ? part : spansOf(part)}</Fragment>
  ));
});
