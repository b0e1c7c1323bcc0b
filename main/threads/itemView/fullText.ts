// The whole text behind a bounded one, for `items.fullText`.

import { prettyJson, recordOf, recordsOf, stringOf, stringsOf } from "../loose";
import { agentText, userText } from "./message";
import { argumentsText, contentText, functionOutputText, mcpResultText } from "./toolCall";

/** UTF-16 units that one answer may carry. */
export const fullTextUnits = 16 * 1024 * 1024;

export interface FullText {
  text: string;
  /** False when something is missing: the text is longer than an answer may be, or codex itself kept only part. */
  complete: boolean;
}

/**
 * `part` is "output", "result", "arguments", "text", "json", or "diff:<path>" of one changed file. Null when the item
 * has no such part.
 */
export function fullTextOf(item: unknown, part: string): FullText | null {
  const record = recordOf(item);
  if (part === "json") return bounded(prettyJson(item));
  if (part.startsWith("diff:")) {
    if (record.type !== "fileChange") return null;
    const path = part.slice("diff:".length);
    const change = recordsOf(record.changes).find((other) => stringOf(other.path) === path);
    return change === undefined ? null : bounded(stringOf(change.diff));
  }
  switch (`${stringOf(record.type)} ${part}`) {
    case "commandExecution output": {
      const output = stringOf(record.aggregatedOutput);
      return bounded(output, !isCutByCodex(output));
    }
    case "mcpToolCall arguments":
    case "dynamicToolCall arguments":
      return bounded(argumentsText(record.arguments));
    case "mcpToolCall result":
      return bounded(mcpResultText(record.result));
    case "dynamicToolCall result":
      return bounded(contentText(Array.isArray(record.contentItems) ? record.contentItems : []));
    case "functionCallOutput result":
      return bounded(functionOutputText(record.output));
    case "agentMessage text":
      return bounded(agentText(record));
    case "userMessage text":
      return bounded(userText(record));
    case "plan text":
      return bounded(stringOf(record.text));
    case "reasoning text":
      return bounded([...stringsOf(record.summary), ...stringsOf(record.content)].join("\n\n"));
    default:
      return null;
  }
}

/** The end of the text, as everywhere where text is cut; never half a character. */
function bounded(text: string, complete = true): FullText {
  if (text.length <= fullTextUnits) return { text, complete };
  const end = text.slice(text.length - fullTextUnits);
  const first = end.charCodeAt(0);
  const halfCharacter = first >= 0xdc00 && first <= 0xdfff;
  return { text: halfCharacter ? end.slice(1) : end, complete: false };
}

/**
 * codex keeps the beginning and the end of a long output (1 MiB while it runs, 64 KiB in its record) and says so on a
 * line between them. A short output with such a line merely contains these words.
 */
export function isCutByCodex(output: string): boolean {
  return (
    output.length > 8_000 &&
    /^\.\.\. (?:\d+ bytes omitted|command output truncated for persistence) \.\.\.$/m.test(output)
  );
}
