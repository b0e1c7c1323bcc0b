// The sections as one text in Markdown, for a report. Pure.

import type { DiagnosticSection } from "../../../preload/contract/diagnostics";

export function asMarkdown(sections: readonly DiagnosticSection[], takenAt: string): string {
  return `# Holdfast diagnostics\n\n${takenAt}\n\n${sections.map(sectionMarkdown).join("\n\n")}\n`;
}

function sectionMarkdown({ title, note, facts, table, texts }: DiagnosticSection): string {
  return [
    `## ${oneLine(title)}`,
    note === null ? "" : oneLine(note),
    facts.map(({ name, value }) => `- ${oneLine(name)}: ${code(value)}`).join("\n"),
    table === null ? "" : tableMarkdown(table),
    ...texts.map(({ title: head, text }) => `### ${oneLine(head)}\n\n${block(text)}`),
  ]
    .filter((part) => part !== "")
    .join("\n\n");
}

function tableMarkdown({ columns, rows }: NonNullable<DiagnosticSection["table"]>): string {
  const line = (cells: readonly string[]) => `| ${cells.map(cell).join(" | ")} |`;
  return [line(columns), line(columns.map(() => "---")), ...rows.map(line)].join("\n");
}

function cell(text: string): string {
  return oneLine(text).replaceAll("|", "\\|");
}

function oneLine(text: string): string {
  return text.replace(/\s*[\r\n]+\s*/g, " ").trim();
}

/** A value as it is, however many backticks are in it. */
function code(text: string): string {
  const fence = "`".repeat(longestRun(text) + 1);
  const edge = text.startsWith("`") || text.endsWith("`") || text === "" ? " " : "";
  return `${fence}${edge}${oneLine(text)}${edge}${fence}`;
}

function block(text: string): string {
  const fence = "`".repeat(Math.max(3, longestRun(text) + 1));
  return `${fence}\n${text}\n${fence}`;
}

function longestRun(text: string): number {
  return Math.max(0, ...(text.match(/`+/g) ?? []).map((run) => run.length));
}
