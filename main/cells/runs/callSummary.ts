// A call in a line, for the list of what a run has asked for.

const most = 200;
/** What says most about a call comes first. */
const telling = ["text", "question", "command", "name", "threadId", "folder"] as const;

/** `args`: as the schema of its tool says. */
export function callSummary(args: unknown): string {
  const fields = fieldsOf(args);
  for (const name of telling) {
    const value = fields[name];
    if (typeof value === "string") return inALine(value);
    if (Array.isArray(value)) return inALine(value.join(" "));
  }
  return "";
}

export function threadIdIn(value: unknown): string | null {
  const { threadId } = fieldsOf(value);
  return typeof threadId === "string" ? threadId : null;
}

function inALine(text: string): string {
  // Far more than is shown, so that a text of megabytes is not gone through.
  const line = text
    .slice(0, 20 * most)
    .replace(/\s+/g, " ")
    .trim();
  const characters = [...line];
  return characters.length <= most ? line : `${characters.slice(0, most - 1).join("")}…`;
}

function fieldsOf(value: unknown): Record<string, unknown> {
  return typeof value === "object" && value !== null ? (value as Record<string, unknown>) : {};
}
