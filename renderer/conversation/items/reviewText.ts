import type { TurnView } from "../../../preload/contract/thread";

/** codex's words for a review that was ended before it said anything. */
const withoutResult = "Reviewer failed to output a response.";

/** What a review found, with places written from the workspace on; null: it did not come to a result. */
export function reviewText(text: string, root: string | null, status: TurnView["status"]): string | null {
  const said = text.trim();
  if (said === "" || (said === withoutResult && status !== "completed")) return null;
  return withFindings(root === null || root === "/" ? said : fromRoot(said, root));
}

/** Each finding with its title and its place apart from what is said of it. */
function withFindings(text: string): string {
  return text.replaceAll(
    /^- ([^\n*`]+) — ([^\n`]+?):(\d+)-(\d+)$/gm,
    (_line, title: string, file: string, from: string, to: string) =>
      `- **${title}** — \`${file}:${from === to ? from : `${from}-${to}`}\`\n`,
  );
}

function fromRoot(text: string, root: string): string {
  const parts = text.split(root);
  return parts.reduce((joined, part) => {
    // A folder that only begins with the same words is another one.
    const isWithin = /^[\\/]/.test(part) && !/[\w\\/.-]$/.test(joined);
    return isWithin ? joined + part.slice(1) : joined + root + part;
  });
}
