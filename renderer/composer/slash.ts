// Commands by their names in the message field: "/" as its first character, and nothing but a name after it. What is no
// command's name is a message like any other. Pure.

export interface SlashCommand {
  name: string;
  /** Among all commands. */
  commandId: string;
  /** What else it is called by those who come from another program, the codex CLI first: found by it, shown by its name. */
  also?: readonly string[];
}

export const slashCommands: readonly SlashCommand[] = [
  { name: "new", commandId: "new-thread", also: ["clear"] },
  { name: "review", commandId: "review" },
  { name: "compact", commandId: "compact-thread" },
  { name: "fork", commandId: "fork-thread" },
  { name: "model", commandId: "choose-model" },
  { name: "sandbox", commandId: "choose-sandbox", also: ["yolo", "full-access"] },
  { name: "approvals", commandId: "choose-approvals", also: ["permissions"] },
  { name: "plan", commandId: "plan-mode" },
  { name: "stop", commandId: "stop", also: ["interrupt", "cancel", "abort"] },
  { name: "edit", commandId: "edit-last", also: ["undo", "rewind", "backtrack"] },
  { name: "rename", commandId: "rename-thread" },
  { name: "archive", commandId: "archive-thread" },
  { name: "delete", commandId: "delete-thread" },
  { name: "export", commandId: "export-markdown", also: ["save"] },
  { name: "export-json", commandId: "export-json" },
  { name: "copy", commandId: "copy-markdown" },
  { name: "find", commandId: "find" },
  { name: "search", commandId: "search", also: ["resume", "history"] },
  { name: "file", commandId: "go-to-file", also: ["open"] },
  { name: "worktree", commandId: "new-worktree" },
  { name: "cleanup", commandId: "show-cleanup" },
  { name: "changes", commandId: "changes", also: ["diff"] },
  { name: "commit", commandId: "write-commit" },
  { name: "terminal", commandId: "new-terminal" },
  { name: "mcp", commandId: "codex-servers", also: ["servers", "tools"] },
  { name: "skills", commandId: "codex-skills" },
  { name: "usage", commandId: "codex-usage", also: ["status", "limits"] },
  { name: "diagnostics", commandId: "diagnostics", also: ["debug"] },
  { name: "environments", commandId: "environments" },
  { name: "scripts", commandId: "cells", also: ["cells"] },
  { name: "settings", commandId: "settings", also: ["config"] },
  { name: "keys", commandId: "shortcuts", also: ["help", "shortcuts"] },
  { name: "login", commandId: "account", also: ["logout", "account"] },
  { name: "quit", commandId: "quit", also: ["exit"] },
];

/** What is typed of a name; null: it is none. */
export function slashAt(text: string, caret: number): string | null {
  const match = /^\/([a-z-]*)$/i.exec(text.trimEnd());
  return match && caret <= text.trimEnd().length && caret > 0 ? (match[1] ?? "").toLowerCase() : null;
}

/** Those whose names begin so, those that others call so, then those that have it somewhere in their names. */
export function slashMatches(query: string, isUsable: (commandId: string) => boolean): SlashCommand[] {
  const usable = slashCommands.filter(({ commandId }) => isUsable(commandId));
  if (query === "") return usable;
  const fits = ({ name, also = [] }: SlashCommand) => {
    if (name.startsWith(query)) return 0;
    if (also.some((other) => other.startsWith(query))) return 1;
    return name.includes(query) ? 2 : null;
  };
  return [0, 1, 2].flatMap((fit) => usable.filter((command) => fits(command) === fit));
}
