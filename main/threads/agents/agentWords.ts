// Puts what agents tell each other where it belongs: into the item of the one that told it, and into the conversation of the
// one that was told.
//
// Races settled here:
// - codex writes its record by itself, a little before or after it sends what it is about: it is read at what is sent, once
//   more a little later, and at the end of the turn. What is there already is not put there twice.
// - Several things call for the same record at once: one reading for all, and one more when it had begun before the last.
// - The conversation is let go while its record is read: what is not in it is not put into it.

import { open } from "node:fs/promises";
import type { Item } from "../../../preload/contract/items";
import type { Clock, Timer } from "../../clock";
import { asFault } from "../../fault";
import type { Log } from "../../log";
import type { HostedThread } from "../host";
import { codexItemId, itemKey } from "../itemView/itemKey";
import { callsIn, messagesIn, type ToldMessage } from "./toldInRecord";

export interface AgentWordsOptions {
  clock: Clock;
  log: Log;
  /** Items of this conversation now have their texts. */
  told(thread: HostedThread, items: readonly Item[]): void;
  /** The end of the file, at most so many bytes of it. Rejects as the file system does. */
  readEnd?: (path: string, mostBytes: number) => Promise<string>;
}

export const readAgainMs = 400;
/** What was told just now stands at the end. */
const liveBytes = 512 * 1024;
/** What a conversation that was loaded may speak of. */
const loadedBytes = 6 * 1024 * 1024;

interface Reading {
  underWay: boolean;
  wantedBytes: number;
  timer: Timer | null;
}

export class AgentWords {
  readonly #options: AgentWordsOptions;
  readonly #readEnd: NonNullable<AgentWordsOptions["readEnd"]>;
  readonly #paths = new Map<string, string>();
  readonly #readings = new Map<string, Reading>();

  constructor(options: AgentWordsOptions) {
    this.#options = options;
    this.#readEnd = options.readEnd ?? readEndOf;
  }

  /** Where codex writes its record of the thread; null: nowhere. */
  recordedAt(threadId: string, path: string | null): void {
    if (path === null) this.#paths.delete(threadId);
    else this.#paths.set(threadId, path);
  }

  /** Something has been told just now, by this thread or to it. */
  justTold(thread: HostedThread): void {
    this.#want(thread, liveBytes);
    const reading = this.#reading(thread);
    if (reading === null) return;
    reading.timer ??= this.#options.clock.after(readAgainMs, () => {
      reading.timer = null;
      this.#want(thread, liveBytes);
    });
  }

  /** A conversation has been loaded, or a turn of it has ended. */
  wanted(thread: HostedThread, isLoaded: boolean): void {
    this.#want(thread, isLoaded ? loadedBytes : liveBytes);
  }

  dispose(): void {
    for (const { timer } of this.#readings.values()) timer?.cancel();
    this.#readings.clear();
  }

  #reading({ threadId }: HostedThread): Reading | null {
    if (threadId === null || !this.#paths.has(threadId)) return null;
    const reading = this.#readings.get(threadId) ?? { underWay: false, wantedBytes: 0, timer: null };
    this.#readings.set(threadId, reading);
    return reading;
  }

  #want(thread: HostedThread, bytes: number): void {
    const reading = this.#reading(thread);
    if (reading === null) return;
    reading.wantedBytes = Math.max(reading.wantedBytes, bytes);
    if (reading.underWay) return;
    reading.underWay = true;
    // It never rejects.
    void this.#read(thread, reading);
  }

  async #read(thread: HostedThread, reading: Reading): Promise<void> {
    while (reading.wantedBytes > 0) {
      const path = this.#paths.get(thread.threadId ?? "");
      const bytes = reading.wantedBytes;
      reading.wantedBytes = 0;
      if (path === undefined) break;
      try {
        this.#put(thread, await this.#readEnd(path, bytes));
      } catch (error) {
        this.#options.log.info("codex's record of a thread could not be read", {
          threadId: thread.threadId,
          error: asFault(error).message,
        });
      }
    }
    reading.underWay = false;
  }

  #put(thread: HostedThread, record: string): void {
    const items = [...this.#putCalls(thread, record), ...this.#putMessages(thread, record)];
    if (items.length > 0) this.#options.told(thread, items);
  }

  #putCalls({ state }: HostedThread, record: string): Item[] {
    const calls = new Map(callsIn(record).map((call) => [call.callId, call]));
    const changed: Item[] = [];
    for (const item of state.transcript.items) {
      if (item.kind !== "subAgent" || item.prompt !== null) continue;
      const call = calls.get(codexItemId(item.turnId, item.id));
      if (!call || (call.text === null && call.step === item.step)) continue;
      changed.push({ ...item, step: call.step, activity: call.activity, prompt: call.text });
    }
    for (const item of changed) state.publish(state.transcript.add(item), true);
    return changed;
  }

  #putMessages({ state }: HostedThread, record: string): Item[] {
    const items = messagesIn(record).map(viewOf);
    return items.filter((item) => {
      const changes = state.transcript.insert(item);
      state.publish(changes, true);
      return changes.length > 0;
    });
  }
}

function viewOf({ id, turnId, atMs, text }: ToldMessage): Item {
  return {
    id: itemKey(turnId, id),
    turnId,
    status: "completed",
    startedAtMs: atMs,
    completedAtMs: atMs,
    kind: "user",
    clientId: null,
    text,
    attachments: [],
  };
}

async function readEndOf(path: string, mostBytes: number): Promise<string> {
  const file = await open(path, "r");
  try {
    const { size } = await file.stat();
    const length = Math.min(size, mostBytes);
    const { buffer, bytesRead } = await file.read(Buffer.alloc(length), 0, length, size - length);
    return buffer.toString("utf8", 0, bytesRead);
  } finally {
    await file.close();
  }
}
