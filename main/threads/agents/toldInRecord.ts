// What agents tell each other, out of the record that codex writes of each thread (its rollout: one JSON object a line). codex
// sends none of it: its items say only that something was told. A model that encrypts these texts keeps them to itself: then
// nobody but the model can read them, and there is nothing to show. Pure, and total.

import type { Item } from "../../../preload/contract/items";
import {
  baseName,
  type LooseRecord,
  numberOrNull,
  recordOf,
  recordsOf,
  stringOf,
  wordsOrNull,
} from "../loose";

type Step = Extract<Item, { kind: "subAgent" }>["step"];

/** A call by which an agent told another one something. */
export interface ToldCall {
  callId: string;
  step: Step;
  activity: string;
  text: string | null;
}

/** Something that the agent above has told this one. */
export interface ToldMessage {
  id: string;
  turnId: string;
  atMs: number | null;
  text: string;
}

const tools: Readonly<Record<string, { step: Step; activity: string }>> = {
  spawn_agent: { step: "started", activity: "Agent started" },
  followup_task: { step: "followUp", activity: "Agent was given a follow-up" },
  send_message: { step: "messaged", activity: "Agent was sent a message" },
};

export function callsIn(record: string): ToldCall[] {
  return payloadsOf(record, '"function_call"').flatMap((payload) => {
    const callId = wordsOrNull(payload.call_id);
    const name = stringOf(payload.name);
    const tool = Object.hasOwn(tools, name) ? tools[name] : undefined;
    if (payload.type !== "function_call" || callId === null || tool === undefined) return [];
    return [{ callId, ...tool, text: readable(recordOf(parsed(payload.arguments)).message) }];
  });
}

export function messagesIn(record: string): ToldMessage[] {
  return payloadsOf(record, '"agent_message"').flatMap((payload) => {
    const facts = recordOf(payload.internal_chat_message_metadata_passthrough);
    const id = wordsOrNull(payload.id);
    const turnId = wordsOrNull(facts.turn_id);
    const text = payloadText(payload);
    if (payload.type !== "agent_message" || id === null || turnId === null || text === null) return [];
    if (!isFromAbove(stringOf(payload.author), stringOf(payload.recipient))) return [];
    const seconds = numberOrNull(facts.create_time);
    return [{ id, turnId, atMs: seconds === null ? null : Math.round(seconds * 1000), text }];
  });
}

function isFromAbove(author: string, recipient: string): boolean {
  return author !== "" && recipient === `${author}/${baseName(recipient)}`;
}

/** codex writes a head before it: the kind, the task, the sender, and "Payload:". */
function payloadText(payload: LooseRecord): string | null {
  const parts = recordsOf(payload.content);
  const sealed = parts.find((part) => part.type === "encrypted_content");
  if (sealed) return readable(sealed.encrypted_content);
  const whole = parts.map((part) => stringOf(part.text)).join("");
  const head = /^Message Type: [\s\S]*?\nPayload:\n/.exec(whole);
  return head ? readable(whole.slice(head[0].length)) : null;
}

const longestWord = 64;

/** Ciphertext is one long word. */
function readable(text: unknown): string | null {
  const words = wordsOrNull(text);
  return words !== null && (words.length <= longestWord || /\s/.test(words)) ? words : null;
}

function payloadsOf(record: string, word: string): LooseRecord[] {
  return record
    .split("\n")
    .filter((line) => line.includes(word))
    .map((line) => recordOf(recordOf(parsed(line)).payload));
}

/** Half a line, at either end of what was read, is none. */
function parsed(json: unknown): unknown {
  try {
    return JSON.parse(stringOf(json));
  } catch {
    return null;
  }
}
