// Commands by their names in the message field: "/" as its first character, and nothing but a name after it. What is no
// command's name is a message like any other. Pure.

export interface SlashCommand {
  name: string;
  /** Among all commands. */
  commandId: string;
}

export const slashCommands: readonly SlashCommand[] = [
  { name: "new", commandId: "new-thread" },
  { name: "review", commandId: "review" },
  { name: "compact", commandId: "compact-thread" },
  { name: "fork", commandId: "fork-thread" },
  { name: "model", commandId: "choose-model" },
  { name: "sandbox", commandId: "choose-sandbox" },
  { name: "approvals", commandId: "choose-approvals" },
  { name: "plan", commandId: "plan-mode" },
  { name: "stop", commandId: "stop" },
  { name: "edit", commandId: "edit-last" },
  { name: "rename", commandId: "rename-thread" },
  { name: "archive", commandId: "archive-thread" },
  { name: "delete", commandId: "delete-thread" },
  { name: "export", commandId: "export-markdown" },
  { name: "export-json", commandId: "export-json" },
  { name: "copy", commandId: "copy-markdown" },
  { name: "diff", commandId: "changes" },
  { name: "find", commandId: "find" },
  { name: "search", commandId: "search" },
  { name: "file", commandId: "go-to-file" },
  { name: "resume", commandId: "all-threads" },
  { name: "worktree", commandId: "new-worktree" },
  { name: "cleanup", commandId: "show-cleanup" },
  { name: "environments", commandId: "environments" },
  { name: "scripts", commandId: "cells" },
  { name: "mcp", commandId: "codex-servers" },
  { name: "status", commandId: "codex-usage" },
  { name: "settings", commandId: "settings" },
  { name: "keys", commandId: "shortcuts" },
  { name: "login", commandId: "account" },
  { name: "quit", commandId: "quit" },
];

/** What is typed of a name; null: it is none. */
export function slashAt(text: string, caret: number): string | null {
  const match = /^\/([a-z-]*)$/i.exec(text.trimEnd());
  return match && caret <= text.trimEnd().length && caret > 0 ? (match[1] ?? "").toLowerCase() : null;
}

/** Those whose names begin so, then those that have it somewhere. */
export function slashMatches(query: string, isUsable: (commandId: string) => boolean): SlashCommand[] {
  const usable = slashCommands.filter(({ commandId }) => isUsable(commandId));
  const begin = usable.filter(({ name }) => name.startsWith(query));
  const within = usable.filter(({ name }) => !name.startsWith(query) && name.includes(query));
  return query === "" ? usable : [...begin, ...within];
}
