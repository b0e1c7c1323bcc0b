import { describe, expect, it } from "vitest";
import { callsIn, messagesIn } from "./toldInRecord";

const line = (payload: object) => JSON.stringify({ type: "response_item", payload });
const call = (name: string, args: object, callId = "call_1") =>
  line({
    type: "function_call",
    name,
    namespace: "collaboration",
    arguments: JSON.stringify(args),
    call_id: callId,
  });
const told = (content: object[], more: object = {}) =>
  line({
    type: "agent_message",
    id: "amsg_1",
    author: "/root",
    recipient: "/root/tester",
    content,
    internal_chat_message_metadata_passthrough: { turn_id: "t1", create_time: 1700000000.5 },
    ...more,
  });
const head = {
  type: "input_text",
  text: "Message Type: NEW_TASK\nTask name: /root/tester\nSender: /root\nPayload:\n",
};
const sealed = (text: string) => ({ type: "encrypted_content", encrypted_content: text });
const cipher = `gAAAAA${"x0-_".repeat(60)}`;

describe("calls by which agents are told something", () => {
  it("are a start, a follow-up or a message, each with its text", () => {
    const record = [
      call("spawn_agent", { task_name: "tester", message: "Run the tests" }, "a"),
      call("followup_task", { target: "tester", message: "Again" }, "b"),
      call("send_message", { target: "tester", message: "Hi there" }, "c"),
      call("exec_command", { cmd: "ls" }, "d"),
    ].join("\n");
    expect(callsIn(record).map(({ callId, step, text }) => [callId, step, text])).toEqual([
      ["a", "started", "Run the tests"],
      ["b", "followUp", "Again"],
      ["c", "messaged", "Hi there"],
    ]);
  });

  it("with a text that only the model can read: the kind without the text", () => {
    expect(callsIn(call("followup_task", { target: "tester", message: cipher }))).toMatchObject([
      { step: "followUp", text: null },
    ]);
  });

  it("in half a line, or of a strange shape, are none", () => {
    const whole = call("spawn_agent", { message: "x" });
    const strange = [whole.slice(10), "", line({ type: "function_call", call_id: 7, name: "spawn_agent" })];
    expect(callsIn(strange.join("\n"))).toEqual([]);
    expect(callsIn(line({ type: "function_call", call_id: "c", name: "toString" }))).toEqual([]);
    expect(callsIn(call("spawn_agent", { message: 5 }))).toMatchObject([{ text: null }]);
  });
});

describe("messages from the agent above", () => {
  it("are what stands behind codex's own head, plain or sealed by a model that seals nothing", () => {
    const plain = [{ type: "input_text", text: `${head.text}Two\nlines` }];
    for (const content of [[head, sealed("Two\nlines")], plain])
      expect(messagesIn(told(content))).toEqual([
        { id: "amsg_1", turnId: "t1", atMs: 1700000000500, text: "Two\nlines" },
      ]);
  });

  it("are not what other agents say, nor what cannot be read", () => {
    const content = [head, sealed("Hello")];
    expect(messagesIn(told(content, { author: "/root/tester", recipient: "/root" }))).toEqual([]);
    expect(messagesIn(told(content, { author: "/root/writer" }))).toEqual([]);
    expect(messagesIn(told([head, sealed(cipher)]))).toEqual([]);
    expect(messagesIn(told(content, { internal_chat_message_metadata_passthrough: null }))).toEqual([]);
  });
});
