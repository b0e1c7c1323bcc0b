// The logs of processes that are gone: the newest are kept for whoever wants to know, the others are removed at the start.

import { readdir, rm, stat } from "node:fs/promises";
import { join } from "node:path";

/** codex writes little at the level that Holdfast asks for; this is some weeks of work. */
export const keptLogs = 60;
const logName = /^(?:codex|exec-server|watchdog|worktree-setup)-([0-9a-f-]{36})\.log$/;

/** `inUse`: the handles that are not gone; their logs stay. Rejects when the folder cannot be read. */
export async function removeOldLogs(
  logs: string,
  inUse: ReadonlySet<string>,
  keep = keptLogs,
): Promise<void> {
  const names = (await readdir(logs)).filter((name) => {
    const handleId = logName.exec(name)?.[1];
    return handleId !== undefined && !inUse.has(handleId);
  });
  const files = await Promise.all(
    names.map(async (name) => ({ name, changedAtMs: (await stat(join(logs, name))).mtimeMs })),
  );
  const old = files.sort((a, b) => b.changedAtMs - a.changedAtMs).slice(keep);
  await Promise.all(old.map(({ name }) => rm(join(logs, name), { force: true })));
}
