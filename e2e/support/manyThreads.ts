// As many threads as wanted in codex's list, without so many having been run: one is, by the real codex against the scripted
// model; the rest are copies of its record (its rollout file), each with an id, a title and times of its own, written beside
// it while codex does not run. codex takes them into its list as it does with what another program has left there.

import { randomUUID } from "node:crypto";
import { readdir, readFile, utimes, writeFile } from "node:fs/promises";
import path from "node:path";
import { TestAppServer } from "../../main/demo/testAppServer";
import { type ModelServer, message, reply } from "./modelServer";
import { realCodex } from "./realCodex";

export interface ManyThreadsOptions {
  codexHome: string;
  cwd: string;
  /** Its queue must be empty. */
  model: ModelServer;
  count: number;
}

const writtenAtOnce = 32;

/** The newest thread is number 1. */
export function titleOfThread(number: number): string {
  return `Limit of bucket ${String(number).padStart(5, "0")}`;
}

export async function makeManyThreads({ codexHome, cwd, model, count }: ManyThreadsOptions): Promise<void> {
  const codex = await TestAppServer.launch({
    command: await realCodex(),
    environment: { CODEX_HOME: codexHome },
    cwd,
  });
  let threadId: string;
  try {
    const started = await codex.request("thread/start", { cwd });
    threadId = (started.thread as { id: string }).id;
    model.queue(reply(message("As it was.")));
    await codex.turn(threadId, titleOfThread(1), { clientUserMessageId: randomUUID() });
  } finally {
    await codex.close();
  }
  const sessions = path.join(codexHome, "sessions");
  const found = (await readdir(sessions, { recursive: true })).find((file) => file.includes(threadId));
  if (found === undefined) throw new Error("codex has no record of the thread");
  const folder = path.join(sessions, path.dirname(found));
  const record = await readFile(path.join(sessions, found), "utf8");
  const nowMs = Date.now();
  let next = 2;
  const writeRest = async () => {
    for (let number = next++; number <= count; number = next++) {
      // A second apart, the higher numbers the older ones.
      const at = new Date(nowMs - number * 1000);
      const id = timedId(at.getTime());
      const text = record
        .replaceAll(threadId, id)
        .replaceAll(titleOfThread(1), titleOfThread(number))
        .replace(/(?<="timestamp":")[^"]+/g, at.toISOString());
      const stamp = at.toISOString().slice(0, 19).replaceAll(":", "-");
      const file = path.join(folder, `rollout-${stamp}-${id}.jsonl`);
      await writeFile(file, text);
      await utimes(file, at, at);
    }
  };
  await Promise.all(Array.from({ length: writtenAtOnce }, writeRest));
}

/** A UUIDv7. */
function timedId(atMs: number): string {
  const time = atMs.toString(16).padStart(12, "0");
  return `${time.slice(0, 8)}-${time.slice(8)}-7${randomUUID().slice(15)}`;
}
