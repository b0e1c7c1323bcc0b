// What of an item can be found: the text that is on screen once everything of it is unfolded, in that order. Pure. Markdown
// is read as it is shown, without its marks.

import type { Item } from "../../preload/contract/items";
import { readReviewMessage } from "../../preload/contract/reviewMessage";
import { stripAnsi } from "../conversation/ansi/ansi";
import { parseDiff } from "../conversation/diff/parseDiff";
import { shownPath } from "../conversation/diff/shownPath";
import { indentedJson } from "../conversation/items/indentedJson";

/** `folder`: of the workspace, from which paths are shown. */
export function itemText(item: Item, folder: string | undefined): string {
  switch (item.kind) {
    case "user":
      return lines([...sentText(item.text), ...item.attachments.map(({ name }) => name)]);
    case "agent":
    case "plan":
      return plainMarkdown(item.text);
    case "reasoning":
      return plainMarkdown(item.content.trim() === "" ? item.summary : item.content);
    case "command":
      return commandText(item);
    case "fileChange":
      return lines(
        item.changes.flatMap(({ path, movedTo, diff, change }) => [
          shownPath(path, folder),
          movedTo === null ? "" : shownPath(movedTo, folder),
          ...parseDiff(diff.text, change, diff.droppedUnits > 0).hunks.flatMap((hunk) => [
            hunk.heading,
            ...hunk.lines.map(({ text }) => text),
          ]),
        ]),
      );
    case "toolCall":
      return lines([
        item.server ?? "",
        item.tool,
        item.error ?? "",
        indentedJson(item.argumentsText.text),
        stripAnsi(indentedJson(item.resultText.text)),
      ]);
    case "webSearch":
      return lines([item.query, item.action ?? "", item.url ?? ""]);
    case "image":
      return lines([item.path ?? "", item.caption ?? ""]);
    case "subAgent":
      return lines([
        item.agentName ?? "",
        item.prompt ?? "",
        ...item.states.map(({ message }) => message ?? ""),
      ]);
    case "review":
      return plainMarkdown(item.text);
    case "hook":
      return item.text;
    case "notice":
      return lines([item.text, item.detail ?? ""]);
    case "unknown":
      return lines([item.type, item.json.text]);
    case "compaction":
    case "sleep":
      return "";
    default:
      return item satisfies never;
  }
}

/** Comments on lines are drawn without the marks that the agent gets. */
function sentText(text: string): string[] {
  const comments = readReviewMessage(text);
  return comments === null ? [text] : comments.flatMap((each) => [each.path, each.quote, each.text]);
}

function commandText({ command, purpose, output }: Extract<Item, { kind: "command" }>): string {
  const firstLine = command.split("\n", 1)[0] ?? "";
  // A longer one stands in the card once more, as a whole.
  const isRepeated = command.length > firstLine.length || firstLine.length > 90;
  return lines([firstLine, purpose ?? "", isRepeated ? command : "", stripAnsi(output.text)]);
}

function lines(parts: readonly string[]): string {
  return parts.filter((part) => part !== "").join("\n");
}

const fence = /^ {0,3}(`{3,}|~{3,})/;

/** Without the marks that nobody sees: of headings, emphasis, code, links. What is in a fence stays as it is. */
export function plainMarkdown(text: string): string {
  let open: string | null = null;
  const shown: string[] = [];
  for (const line of text.split("\n")) {
    const mark = fence.exec(line)?.[1];
    if (open !== null) {
      if (mark?.startsWith(open) && line.trim() === mark) open = null;
      else shown.push(line);
    } else if (mark !== undefined) open = mark;
    else shown.push(plainLine(line));
  }
  return shown.join("\n");
}

function plainLine(line: string): string {
  return line
    .replace(/^\s{0,3}(?:#{1,6}\s+|>\s?)/, "")
    .replace(/^(\s*)(?:[-*+]|\d{1,9}[.)])\s+(?:\[[ xX]\]\s+)?/, "$1")
    .replaceAll(/!?\[([^\]]*)\]\([^)\s]*(?:\s+"[^"]*")?\)/g, "$1")
    .replaceAll(/(?<!\*)(\*{1,3})(?=[^\s*])(.+?)(?<=[^\s*])\1(?!\*)/g, "$2")
    .replaceAll(/(?<![\w_])(_{1,3})(?=\S)(.+?)(?<=\S)\1(?![\w_])/g, "$2")
    .replaceAll(/~~(?=\S)(.+?)(?<=\S)~~/g, "$1")
    .replaceAll(/(`+)(.+?)\1/g, "$2");
}
