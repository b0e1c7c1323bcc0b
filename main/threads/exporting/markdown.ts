// A thread as Markdown that reads well as text and as a page: each turn a heading, each item in the words in which a window
// shows it, output and diffs in fences that nothing in them can close. Pure, and total: an item that this version does not
// know is there as JSON.

import type { FileChange, Item } from "../../../preload/contract/items";
import { itemName } from "../../../preload/contract/items";
import type { Thread } from "../../codex/protocol/v2/Thread";
import type { Turn } from "../../codex/protocol/v2/Turn";
import { viewItem } from "../itemView";
import { signedLines } from "../itemView/fileChange";
import { fullTextOf } from "../itemView/fullText";
import type { KeptItem } from "../keptItem";
import { prettyJson, recordOf, stringOf } from "../loose";
import { withPlansInPlace } from "../planPlace";
import { titleOf } from "../titles";

export function markdownHead(thread: Thread, exportedAtMs: number): string {
  const facts = [
    `- Thread: \`${thread.id}\``,
    `- Folder: ${code(thread.cwd)}`,
    `- Begun: ${timeWords((thread.createdAt ?? 0) * 1000)}`,
    ...(thread.model ? [`- Model: ${code(thread.model)}`] : []),
    `- Exported: ${timeWords(exportedAtMs)}`,
  ];
  return `# ${oneLine(titleOf(thread))}\n\n${facts.join("\n")}\n`;
}

/** `number`: counted from 1. `kept`: what codex's record does not have of it. */
export function markdownTurn(turn: Turn, number: number, kept: readonly KeptItem[] = []): string {
  const at = turn.startedAt === null ? "" : ` (${timeWords(turn.startedAt * 1000)})`;
  const parts = [`## Turn ${number}${at}`];
  const inOrder: { key: string; text: string }[] = withPlansInPlace(turn.items).map((raw) => {
    const item = viewItem(raw, { turnId: turn.id, running: turn.status === "inProgress" });
    return { key: item.id, text: markdownItem(item, raw) };
  });
  for (const { item, after } of kept) {
    const before = inOrder.findIndex(({ key }) => key === after);
    const text = markdownItem(item, null);
    inOrder.splice(before === -1 ? inOrder.length : before + 1, 0, { key: item.id, text });
  }
  parts.push(...inOrder.map(({ text }) => text));
  const ending = endingOf(turn);
  if (ending !== null) parts.push(ending);
  return `\n${parts.filter((part) => part !== "").join("\n\n")}\n`;
}

function endingOf(turn: Turn): string | null {
  if (turn.status === "interrupted") return "*The turn was interrupted.*";
  if (turn.status === "inProgress") return "*The turn was still running when this was written.*";
  if (turn.status !== "failed") return null;
  const message = stringOf(recordOf(turn.error).message);
  return message === "" ? "*The turn failed.*" : `*The turn failed:* ${oneLine(message)}`;
}

/** `raw`: codex's own; null: codex has none, and what was heard of it is all there is. */
function markdownItem(item: Item, raw: unknown): string {
  const body = bodyOf(item, raw);
  return body === "" ? "" : `### ${itemName(item)}${stateOf(item)}\n\n${body}`;
}

function stateOf(item: Item): string {
  if (item.status === "completed") return "";
  return ` (${item.status === "lost" ? "cut off" : item.status})`;
}

function bodyOf(item: Item, raw: unknown): string {
  const whole = (part: string, otherwise: string) => fullTextOf(raw, part)?.text ?? otherwise;
  switch (item.kind) {
    case "user":
      return joined([
        // What a person wrote is no Markdown: it is quoted, every line as it was.
        quoted(whole("text", item.text)),
        ...item.attachments.map(({ kind, name, path }) =>
          kind === "image" ? `Image: ${code(path || name)}` : `File: ${code(path || name)}`,
        ),
      ]);
    case "agent":
      return whole("text", item.text);
    case "plan":
      return whole("text", item.text);
    case "reasoning":
      return quoted(whole("text", joined([item.summary, item.content])));
    case "command":
      return joined([
        item.purpose === null ? "" : `${item.purpose}:`,
        fenced(item.command, "sh"),
        fenced(whole("output", item.output.text), ""),
        endOfCommand(item),
      ]);
    case "fileChange":
      return joined(
        item.changes.map((change) =>
          joined([
            changeWords(change),
            fenced(signedLines(whole(`diff:${change.path}`, change.diff.text), change.change), "diff"),
          ]),
        ),
      );
    case "toolCall":
      return joined([
        code(item.server === null ? item.tool : `${item.server}.${item.tool}`),
        fenced(whole("arguments", item.argumentsText.text), "json"),
        fenced(whole("result", item.resultText.text), ""),
        item.error === null ? "" : `Failed: ${oneLine(item.error)}`,
      ]);
    case "webSearch":
      return joined([
        item.query === "" ? "" : quoted(item.query),
        item.url === null ? "" : `<${item.url}>`,
        item.action ?? "",
      ]);
    case "image":
      return joined([item.path === null ? "" : code(item.path), item.caption ?? ""]);
    case "subAgent":
      return joined([
        item.activity,
        item.prompt === null ? "" : quoted(item.prompt),
        ...item.states.map(({ agent, state, message }) =>
          joined([`- ${oneLine(agent)}: ${state}`, message === null ? "" : quoted(message)]),
        ),
      ]);
    case "review":
      return joined([item.phase === "entered" ? "A review began." : "The review ended.", item.text]);
    case "compaction":
      return "The context was compacted here.";
    case "sleep":
      return `Waited ${item.durationMs} ms.`;
    case "hook":
      return fenced(item.text, "");
    case "notice":
      return joined([item.text, item.detail === null ? "" : fenced(item.detail, "")]);
    case "unknown":
      return joined([`An item of the type ${code(item.type)}:`, fenced(prettyJson(raw), "json")]);
    default:
      return item satisfies never;
  }
}

function endOfCommand({ exitCode, durationMs }: Extract<Item, { kind: "command" }>): string {
  const words = [
    exitCode === null ? null : `exit ${exitCode}`,
    durationMs === null ? null : `${durationMs} ms`,
  ].filter((each) => each !== null);
  return words.length === 0 ? "" : `*${words.join(", ")}*`;
}

function changeWords({ path, change, movedTo, added, removed }: FileChange): string {
  const verbs = { add: "Added", delete: "Deleted", update: "Edited" };
  const moved = movedTo === null ? "" : `, moved to ${code(movedTo)}`;
  return `${verbs[change]} ${code(path)}${moved} (+${added} −${removed})`;
}

/** A fence that is longer than any in the text. Empty for an empty text. */
export function fenced(text: string, language: string): string {
  if (text.trim() === "") return "";
  let longest = 2;
  for (const [ticks] of text.matchAll(/`{3,}/g)) longest = Math.max(longest, ticks.length);
  const fence = "`".repeat(longest + 1);
  return `${fence}${language}\n${text}${text.endsWith("\n") ? "" : "\n"}${fence}`;
}

/** In ticks of which there are more than in it, so that a name with ticks is a name still. */
export function code(text: string): string {
  let longest = 0;
  for (const [ticks] of text.matchAll(/`+/g)) longest = Math.max(longest, ticks.length);
  const ticks = "`".repeat(longest + 1);
  const room = text.startsWith("`") || text.endsWith("`") ? " " : "";
  return `${ticks}${room}${oneLine(text)}${room}${ticks}`;
}

function quoted(text: string): string {
  if (text.trim() === "") return "";
  return text
    .split("\n")
    .map((line) => (line === "" ? ">" : `> ${line}`))
    .join("\n");
}

function joined(parts: readonly string[]): string {
  return parts.filter((part) => part !== "").join("\n\n");
}

function oneLine(text: string): string {
  return text.replaceAll(/\s*[\r\n]+\s*/g, " ").trim();
}

function timeWords(atMs: number): string {
  return atMs > 0 ? new Date(atMs).toISOString().replace(/\.\d+Z$/, "Z") : "not known";
}
