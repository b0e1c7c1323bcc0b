// What agents tell each other, in the conversations of both.

import { expect, it } from "vitest";
import { agentItem, codexThread, codexTurn, resumed } from "../testCodexData";
import { settle } from "../testThreads";
import {
  begin,
  bench,
  C,
  codex,
  complete,
  finish,
  idle,
  later,
  opened,
  P,
  prepareBench,
  row,
} from "../testTree";
import { readAgainMs } from "./agentWords";

prepareBench();

const line = (payload: object) => `${JSON.stringify({ type: "response_item", payload })}\n`;
const call = (callId: string, name: string, message: string) =>
  line({ type: "function_call", name, arguments: JSON.stringify({ message }), call_id: callId });
const told = (id: string, turnId: string, text: string, atMs: number) =>
  line({
    type: "agent_message",
    id,
    author: "/root",
    recipient: "/root/tester",
    content: [
      { type: "input_text", text: "Message Type: NEW_TASK\nPayload:\n" },
      { type: "encrypted_content", encrypted_content: text },
    ],
    internal_chat_message_metadata_passthrough: { turn_id: turnId, create_time: atMs / 1000 },
  });
const activity = (id: string, kind: string) => ({
  type: "subAgentActivity",
  id,
  kind,
  agentThreadId: C,
  agentPath: "/root/tester",
});
const write = (path: string, ...lines: string[]) =>
  bench.records.set(path, (bench.records.get(path) ?? "") + lines.join(""));

async function parentWithRecord() {
  bench.rule("thread/resume", ({ params }) =>
    resumed(params.threadId, [], { thread: { path: `/records/${params.threadId}` } }),
  );
  write(`/records/${P}`);
  const window = await opened(P);
  begin(P, "p1");
  return window;
}
const toldItems = (window: Awaited<ReturnType<typeof opened>>) =>
  window.copy.items.flatMap((item) => (item.kind === "subAgent" ? [[item.step, item.prompt]] : []));

it("a task and a follow-up are told with their texts, and the newest is the agent's task", async () => {
  const window = await parentWithRecord();
  write(`/records/${P}`, call("s", "spawn_agent", "Run the tests"));
  finish(P, "p1", activity("s", "started"));
  await settle();
  expect(toldItems(window)).toEqual([["started", "Run the tests"]]);
  write(`/records/${P}`, call("f", "followup_task", "Once more"));
  finish(P, "p1", activity("f", "interacted"));
  await settle();
  expect(toldItems(window)).toEqual([
    ["started", "Run the tests"],
    ["followUp", "Once more"],
  ]);
  expect(row(C)?.agent?.task).toBe("Once more");
  window.check();
});

it("a record that codex writes a little later is read again", async () => {
  const window = await parentWithRecord();
  finish(P, "p1", activity("s", "started"));
  await settle();
  expect(toldItems(window)).toEqual([["started", null]]);
  write(`/records/${P}`, call("s", "spawn_agent", "Run the tests"));
  await later(readAgainMs);
  expect(toldItems(window)).toEqual([["started", "Run the tests"]]);
});

it("what codex lists again, without the text, takes no text away", async () => {
  const window = await parentWithRecord();
  write(`/records/${P}`, call("f", "followup_task", "Once more"));
  finish(P, "p1", activity("f", "interacted"));
  await settle();
  bench.records.clear();
  bench.rule("thread/resume", () =>
    resumed(P, [codexTurn("p1", "inProgress", [activity("f", "interacted")])], { status: "active" }),
  );
  await bench.cut();
  await bench.reconnect();
  expect(toldItems(window)).toEqual([["followUp", "Once more"]]);
});

it("the agent's own conversation has its tasks where they came, as messages of the one above", async () => {
  await parentWithRecord();
  finish(P, "p1", activity("s", "started"));
  write(`/records/${C}`, told("a1", "c1", "Run the tests", 1_700_000_001_000));
  bench.rule("thread/resume", () =>
    resumed(
      C,
      [codexTurn("c1", "completed", [{ ...agentItem("m", "They pass"), startedAtMs: 1_700_000_002_000 }])],
      {
        thread: { path: `/records/${C}`, parentThreadId: P },
      },
    ),
  );
  const window = await opened(C);
  expect(window.texts).toEqual(["user completed: Run the tests", "agent completed: They pass"]);
  expect(window.copy.items[0]).toMatchObject({ kind: "user", clientId: null, turnId: "c1" });
  expect(row(C)?.agent?.task).toBe("Run the tests");
  begin(C, "c2");
  write(`/records/${C}`, told("a2", "c2", "Once more", 1_700_000_003_000));
  await later(readAgainMs);
  finish(C, "c2", agentItem("m", "They still pass"));
  idle(C);
  complete(C, "c2");
  await settle();
  expect(window.texts).toEqual([
    "user completed: Run the tests",
    "agent completed: They pass",
    "user completed: Once more",
    "agent completed: They still pass",
  ]);
  expect(row(C)?.agent?.task).toBe("Once more");
  window.check();
});

it("a record that cannot be read, or is nowhere, leaves the conversation as it is", async () => {
  const window = await parentWithRecord();
  bench.records.clear();
  finish(P, "p1", activity("s", "started"));
  await later(readAgainMs);
  expect(toldItems(window)).toEqual([["started", null]]);
  codex().say("thread/started", { thread: codexThread("other", { path: null }) });
  begin(C, "c1");
  await later(readAgainMs);
  expect(row(C)?.state).toBe("running");
});
