// What codex asked, in one sentence, for where it can only be told. Pure.

import type { Request } from "../../preload/contract/requests";

const mostUnits = 300;

export function requestWords(request: Request): { text: string; detail: string | null } {
  switch (request.kind) {
    case "command":
      return request.network === null
        ? said("codex asked for your approval to run", request.command)
        : said("codex asked for your approval to reach", request.network);
    case "fileChange":
      return request.files.length === 0
        ? { text: "codex asked for your approval to change files.", detail: request.reason }
        : said("codex asked for your approval to change", request.files.join(", "));
    case "permissions":
      return said("codex asked for more permissions:", request.permissions.join(", "));
    case "questions":
      return said(
        "codex asked you:",
        request.questions.map(({ question }) => question).join(" ") || request.title,
      );
    case "link":
      return said(`${request.server} asked you to open a page:`, request.message || request.url);
    default:
      return request satisfies never;
  }
}

function said(verb: string, what: string): { text: string; detail: string | null } {
  const line = what.replace(/\s+/g, " ").trim();
  const isWhole = line.length <= mostUnits && !what.trim().includes("\n");
  const shown = line.length <= mostUnits ? line : `${line.slice(0, mostUnits)}…`;
  return { text: `${verb} “${shown}”.`, detail: isWhole ? null : what };
}
