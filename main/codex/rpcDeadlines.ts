// How long an answer is waited for when the caller does not say. A deadline is for a codex that hangs, so it is well above
// what a busy machine takes; it is not a measure of what is quick.

const defaultDeadlineMs = 30_000;

const deadlinesMs: Readonly<Record<string, number>> = {
  // These start the thread's MCP servers and may wait for them; codex gives a server up to a minute or what its config says.
  "thread/start": 120_000,
  "thread/resume": 120_000,
  "thread/fork": 120_000,
  // Answered at once or not at all; a person is looking at "Stopping".
  "turn/interrupt": 15_000,
  // They look through every thread on disk, the first time after an update perhaps all over again.
  "thread/list": 60_000,
  "thread/search": 60_000,
  // Asks every MCP server, and some are far away.
  "mcpServerStatus/list": 60_000,
  "mcpServer/oauth/login": 60_000,
  // Sends logs out.
  "feedback/upload": 180_000,
  // Answered when the command has ended. A caller who lets it run longer says so.
  "command/exec": 600_000,
};

export function deadlineOf(method: string): number {
  return deadlinesMs[method] ?? defaultDeadlineMs;
}
