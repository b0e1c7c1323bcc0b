// For tests of scripts: what goes on in the threads that they use, and who waits for it.

import { beforeEach } from "vitest";
import { asFault, type Fault } from "../../fault";
import { agentItem, codexThread, codexTurn, started, userItem } from "../../threads/testCodexData";
import { begin, bench, codex, complete, finish, prepareBench, status, T } from "../../threads/testRuntime";
import { settle } from "../../threads/testThreads";
import type { ToolResult } from "../tools/tools";
import { TestVerbs } from "./testVerbs";

export let script: TestVerbs;

/** Each test of the file gets threads of its own, and a script that can do something with them. */
export function prepareScript(): void {
  prepareBench();
  beforeEach(() => {
    script = TestVerbs.over(bench);
  });
}

type Outcome = ToolResult<"waitForTurn">;

/** A wait whose outcome can be looked at. */
export async function wait(
  args: { timeoutMs?: number } = {},
  asked: { signal?: AbortSignal; runId?: string } = {},
) {
  const seen: { end: Outcome | Fault | null } = { end: null };
  script.call("waitForTurn", { threadId: T, ...args }, asked).then(
    (outcome) => {
      seen.end = outcome;
    },
    (error: unknown) => {
      seen.end = asFault(error);
    },
  );
  await settle();
  return seen;
}

export const agent = (turnId: string, text: string, phase: string | null = null) => {
  finish(turnId, { ...agentItem(`a-${text}`, text), phase });
};

/** A message of the person's, which codex has taken as this turn. */
export async function sent(text: string, turnId: string, mode: "turn" | "queue" = "turn"): Promise<string> {
  const clientId = crypto.randomUUID();
  bench.threads.send(T, { clientId, text, attachments: [], mode });
  await settle();
  if (mode === "turn")
    codex()
      .last("turn/start")
      .answer({ turn: codexTurn(turnId) });
  await settle();
  return clientId;
}

/** A turn that goes on, begun with a message of the person's. Returns the message's client id. */
export async function goesOn(turnId: string, text = "Go"): Promise<string> {
  const clientId = await sent(text, turnId);
  begin(turnId);
  shows(turnId, text, clientId);
  return clientId;
}

/** codex, when it is asked, says that a turn runs. */
export function saysActive(): void {
  const active = { status: { type: "active", activeFlags: [] } };
  bench.rule("thread/read", () => ({ thread: codexThread(T, active) }));
}

export function shows(turnId: string, text: string, clientId: string | null): void {
  finish(turnId, userItem(`u-${turnId}`, text, clientId));
}

export function ends(turnId: string, how = "completed"): void {
  status(how === "failed" ? "systemError" : "idle");
  complete(turnId, how);
}

/** As which the first run is shown. */
export const byRun = { runId: "run-1", scriptName: "Script of run-1" };
export const turnStarts = () => codex().all("turn/start");

/** codex makes threads and begins turns as it is asked. */
export function codexWorks(): void {
  let count = 0;
  bench.rule("thread/start", () => {
    count += 1;
    return started(`new-${count}`);
  });
  bench.rule("turn/start", ({ params }) => {
    queueMicrotask(() =>
      codex().say("turn/started", { threadId: params.threadId, turn: codexTurn(`t-${params.threadId}`) }),
    );
    return { turn: codexTurn(`t-${params.threadId}`) };
  });
}

/** In a thread that codexWorks has made: the turn ends in which the message with this client id was said. */
export function newEnds(threadId: string, text: string, clientId: unknown): void {
  const turnId = `t-${threadId}`;
  codex().say("item/completed", {
    threadId,
    turnId,
    item: userItem(`u-${threadId}`, text, String(clientId)),
    completedAtMs: 1,
  });
  codex().say("thread/status/changed", { threadId, status: { type: "idle" } });
  codex().say("turn/completed", { threadId, turn: codexTurn(turnId, "completed") });
}
