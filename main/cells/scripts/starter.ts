// What a new script begins with, and what a list says of one.

export const starterName = "New script";

export const starterSource = `// What this script does, in a sentence.

const { threadId } = await tools.startThread({ text: "Say in one line what this project is." });
const turn = await tools.waitForTurn({ threadId });
text(turn.answer);
`;

const summaryCharacters = 200;

/** The first comment in it, as one line; null: it does not begin with one. */
export function summaryOf(source: string): string | null {
  // Far more than is shown, so that a source of a megabyte is not gone through.
  const start = source.slice(0, 4_000).trimStart();
  const block = /^\/\*+([\s\S]*?)\*\//.exec(start)?.[1]?.replace(/^\s*\*/gm, "");
  const lines = /^(?:\/\/[^\n]*(?:\n[^\S\n]*|$))+/.exec(start)?.[0]?.replace(/^[^\S\n]*\/\/+/gm, "");
  const text = (block ?? lines ?? "").replace(/\s+/g, " ").trim();
  if (text === "") return null;
  const characters = [...text];
  return characters.length <= summaryCharacters
    ? text
    : `${characters.slice(0, summaryCharacters - 1).join("")}…`;
}
