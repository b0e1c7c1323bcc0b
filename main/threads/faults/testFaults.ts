// For tests: a table of what goes wrong with codex, case by case. After each case the thread must be good for what a person
// wants next: a message goes out, is answered, and the thread is at rest.

import { afterEach, describe, expect, it } from "vitest";
import { codexTurn, listed, resumed, userItem } from "../testCodexData";
import { bench, codex, complete, finish, later, past, prepareBench, start, status, T } from "../testRuntime";
import { settle, type TestWindow } from "../testThreads";

export interface FaultCase {
  /** What happens, and what is right then. */
  name: string;
  play(): Promise<void>;
  /** The thread that has to work afterwards, when it is another one; null when nothing but the case itself is to be checked. */
  thenWorks?: string | null;
}

let count = 0;

/** Of a table with all its cases, each with threads of its own. */
export function faults(kind: string, cases: readonly FaultCase[]): void {
  describe(kind, () => {
    for (const { name, play, thenWorks = T } of cases) {
      it(name, async () => {
        await play();
        if (thenWorks !== null) await checkWorks(thenWorks);
      });
    }
  });
}

/** Call once in a file. */
export function prepareFaults(): void {
  prepareBench();
  afterEach(() => {
    count = 0;
  });
}

export function send(text: string, mode: "turn" | "steer" = "turn", key = T): string {
  const clientId = newClientId();
  bench.threads.send(key, { clientId, text, attachments: [], mode });
  return clientId;
}

export function newClientId(): string {
  count += 1;
  return `00000000-0000-4000-8000-${String(count).padStart(12, "0")}`;
}

/** The turn in which codex has this message, told from its start to the end of the message. */
export function said(turnId: string, text: string, clientId: string | null): void {
  const item = userItem(`u-${turnId}`, text, clientId);
  start(turnId, item);
  finish(turnId, item);
}

export function ends(turnId: string, how = "completed"): void {
  status(how === "failed" ? "systemError" : "idle");
  complete(turnId, how);
}

/** codex's record of the thread is the past and these. */
export function recordIs(
  turns: ReturnType<typeof codexTurn>[],
  facts: Parameters<typeof resumed>[2] = {},
): void {
  bench.rule("thread/resume", () => resumed(T, [past, ...turns], facts));
  bench.rule("thread/turns/list", () => listed([past, ...turns]));
}

/** No window says that something is going on. */
export function expectAtRest(window: TestWindow, state = "idle"): void {
  expect(window.head).toMatchObject({ run: null, state, requests: [] });
}

async function checkWorks(key: string): Promise<void> {
  bench.hold("turn/start");
  const window = bench.open(key);
  await settle();
  const before = codex().all("turn/start").length;
  const clientId = send("And now?", "turn", key);
  await later(3_000);
  const asked = codex().all("turn/start").slice(before);
  expect(
    asked.map(({ params }) => params.clientUserMessageId),
    "the next message goes out, once",
  ).toEqual([clientId]);
  const { threadId } = asked[0]?.params ?? { threadId: "" };
  asked[0]?.answer({ turn: codexTurn("t900") });
  const say = (method: string, more: object) => codex().say(method, { threadId, ...more });
  say("thread/status/changed", { status: { type: "active", activeFlags: [] } });
  say("turn/started", { turn: codexTurn("t900") });
  const item = userItem("u-900", "And now?", clientId);
  say("item/completed", { turnId: "t900", item, completedAtMs: 1 });
  expect(window.head.run?.turnId).toBe("t900");
  say("thread/status/changed", { status: { type: "idle" } });
  say("turn/completed", { turn: codexTurn("t900", "completed") });
  await settle();
  expect(bench.ledger.submissions.get(clientId)?.state).toBe("delivered");
  expect(window.head.run).toBeNull();
  expect(window.texts.filter((text) => text.includes("And now?"))).toEqual(["user completed: And now?"]);
}
