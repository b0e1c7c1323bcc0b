// Taking threads away as files: all turns, from codex's own record, also those that no window has loaded.
//
// Races settled here:
// - It is cancelled while a piece is read or written: the piece is the last one, and what was written is deleted.
// - It is cancelled when the file has just taken its place: it is done, and stays.
// - A window asks for news between two changes: news have a revision, so it waits only when it has seen the last one.
// - Holdfast ends: what goes on is cancelled first, and waited for.

import { randomUUID } from "node:crypto";
import type { ExportFormat, ExportView } from "../../../preload/contract/finding";
import type { Clock } from "../../clock";
import type { Turn } from "../../codex/protocol/v2/Turn";
import { asFault, Fault } from "../../fault";
import { toFaultView } from "../../faultView";
import type { Log } from "../../log";
import type { Connection } from "../../supervisor/connection";
import { itemKey } from "../itemView/itemKey";
import type { KeptItem } from "../keptItem";
import { threadTexts } from "./threadText";
import { turnsInOrder } from "./turnsInOrder";
import { WholeFile } from "./wholeFile";

export interface ExportedThread {
  /** null: nothing has been sent in it yet. */
  threadId: string | null;
  workspaceId: string;
  title: string;
}

export interface ExportsOptions {
  clock: Clock;
  log: Log;
  /** Where it is on record which files are being written. */
  records: string;
  /** Throws Fault `thread_unknown`. */
  thread(threadKey: string): ExportedThread;
  connect(workspaceId: string): Promise<Connection>;
  /** Items of the thread that ran or were cut off: codex does not list these. */
  kept(threadId: string): KeptItem[];
}

interface Running {
  view: ExportView;
  cancel: AbortController;
  ended: Promise<void>;
  waiting: Set<() => void>;
}

const newsWithinMs = 20_000;
const mostKept = 20;
const mostRunning = 4;
/** What a clipboard takes without trouble. */
const mostCopiedUnits = 8 * 1024 * 1024;
const readDeadlineMs = 30_000;

export class Exports {
  readonly #options: ExportsOptions;
  readonly #running = new Map<string, Running>();

  constructor(options: ExportsOptions) {
    this.#options = options;
  }

  /** What the file could be called, without its ending. Throws Fault. */
  nameFor(threadKey: string): string {
    return fileName(this.#threadOf(threadKey).title);
  }

  /** Begins; what becomes of it is in its view. Throws Fault. */
  start(threadKey: string, format: ExportFormat, path: string): string {
    const thread = this.#threadOf(threadKey);
    const going = [...this.#running.values()].filter(({ view }) => view.state === "running");
    if (going.length >= mostRunning) {
      throw new Fault("too_many_exports", "Several threads are being exported already.", {
        hint: "Wait until one of them is done, or cancel it.",
      });
    }
    const exportId = randomUUID();
    const running: Running = {
      view: {
        revision: 0,
        state: "running",
        title: thread.title,
        path,
        turns: 0,
        items: 0,
        bytes: 0,
        fault: null,
      },
      cancel: new AbortController(),
      ended: Promise.resolve(),
      waiting: new Set(),
    };
    this.#running.set(exportId, running);
    this.#forgetOld();
    running.ended = this.#run(running, thread, format, path);
    return exportId;
  }

  /** Throws Fault `export_unknown`. */
  async next(exportId: string, seen: number): Promise<ExportView> {
    const running = this.#get(exportId);
    if (running.view.revision <= seen && running.view.state === "running") {
      await new Promise<void>((resolve) => {
        const timer = this.#options.clock.after(newsWithinMs, () => tell());
        const tell = () => {
          timer.cancel();
          running.waiting.delete(tell);
          resolve();
        };
        running.waiting.add(tell);
      });
    }
    return running.view;
  }

  /** Resolves when nothing of it is left, or it was done before. */
  async cancel(exportId: string): Promise<void> {
    const running = this.#get(exportId);
    running.cancel.abort();
    await running.ended;
  }

  /** The whole thread as Markdown. Throws Fault `too_long_to_copy`. */
  async markdown(threadKey: string): Promise<string> {
    const thread = this.#threadOf(threadKey);
    const parts: string[] = [];
    let units = 0;
    await this.#each(thread, "markdown", new AbortController().signal, async (text) => {
      units += text.length;
      if (units > mostCopiedUnits) {
        throw new Fault("too_long_to_copy", "This thread is too long for the clipboard.", {
          hint: "Export it into a file instead.",
        });
      }
      parts.push(text);
    });
    return parts.join("");
  }

  async shutDown(): Promise<void> {
    for (const { cancel } of this.#running.values()) cancel.abort();
    await Promise.all([...this.#running.values()].map(({ ended }) => ended));
  }

  /** Never rejects. */
  async #run(running: Running, thread: ExportedThread, format: ExportFormat, path: string): Promise<void> {
    const { signal } = running.cancel;
    let file: WholeFile | null = null;
    try {
      file = await WholeFile.begin(path, this.#options.records);
      const into = file;
      await this.#each(thread, format, signal, async (text, turns, items) => {
        await into.write(text);
        const { view } = running;
        this.#change(running, { turns: view.turns + turns, items: view.items + items, bytes: into.bytes });
      });
      signal.throwIfAborted();
      await file.finish();
      this.#change(running, { state: "done", bytes: file.bytes });
    } catch (error) {
      await this.#drop(file);
      if (signal.aborted) this.#change(running, { state: "cancelled" });
      else this.#change(running, { state: "failed", fault: toFaultView(asFault(error)) });
    }
  }

  async #drop(file: WholeFile | null): Promise<void> {
    try {
      await file?.drop();
    } catch (error) {
      // It stays on record, and the next start tries again.
      this.#options.log.warn("a half written file could not be deleted", { error: String(error) });
    }
  }

  async #each(
    thread: ExportedThread,
    format: ExportFormat,
    signal: AbortSignal,
    take: (text: string, turns: number, items: number) => Promise<void>,
  ): Promise<void> {
    const { connect, clock } = this.#options;
    const { threadId, workspaceId } = thread;
    if (threadId === null) throw nothingYet();
    const text = threadTexts[format];
    const { client } = await connect(workspaceId);
    const read = await client.request("thread/read", { threadId }, { deadlineMs: readDeadlineMs });
    await take(text.begin(read.thread, clock.nowMs()), 0, 0);
    let number = 0;
    const kept = new Map(this.#options.kept(threadId).map((each) => [each.item.id, each]));
    for await (const turns of turnsInOrder(() => connect(workspaceId), threadId, signal)) {
      for (const turn of turns) {
        number += 1;
        for (const { id } of turn.items) kept.delete(itemKey(turn.id, id));
        const notRecorded = [...kept.values()].filter(({ item }) => item.turnId === turn.id);
        for (const { item } of notRecorded) kept.delete(item.id);
        const items = turn.items.length + notRecorded.length;
        await take(text.turn(turn, number, notRecorded), 1, items);
        signal.throwIfAborted();
      }
    }
    // codex was ended before it wrote these turns down.
    const lost = new Set([...kept.values()].map(({ item }) => item.turnId));
    for (const turnId of lost) {
      const notRecorded = [...kept.values()].filter(({ item }) => item.turnId === turnId);
      number += 1;
      await take(text.turn(unlistedTurn(turnId, notRecorded), number, notRecorded), 1, notRecorded.length);
    }
    await take(text.end(), 0, 0);
  }

  #threadOf(threadKey: string): ExportedThread {
    const thread = this.#options.thread(threadKey);
    if (thread.threadId === null) throw nothingYet();
    return thread;
  }

  #get(exportId: string): Running {
    const running = this.#running.get(exportId);
    if (running) return running;
    throw new Fault("export_unknown", "Nothing is known of this export any more.");
  }

  #change(running: Running, change: Partial<ExportView>): void {
    running.view = { ...running.view, ...change, revision: running.view.revision + 1 };
    for (const tell of [...running.waiting]) tell();
  }

  #forgetOld(): void {
    for (const [exportId, { view }] of this.#running) {
      if (this.#running.size <= mostKept) return;
      if (view.state !== "running") this.#running.delete(exportId);
    }
  }
}

function unlistedTurn(id: string, kept: readonly KeptItem[]): Turn {
  const startedAtMs = kept[0]?.item.startedAtMs ?? null;
  return {
    id,
    rootTurnId: id,
    items: [],
    itemsView: "full",
    status: "interrupted",
    error: null,
    startedAt: startedAtMs === null ? null : Math.floor(startedAtMs / 1000),
    completedAt: null,
    durationMs: null,
  };
}

function nothingYet(): Fault {
  return new Fault("nothing_to_export", "Nothing has been said in this thread yet.", {
    hint: "Send a message first.",
  });
}

/** Names of files are bounded in bytes; an ending is still to come. */
function shortened(name: string): string {
  let short = "";
  let bytes = 0;
  for (const character of [...name].slice(0, 80)) {
    bytes += Buffer.byteLength(character);
    if (bytes > 200) break;
    short += character;
  }
  return short;
}

/** A title as the name of a file on any platform. */
export function fileName(title: string): string {
  const name = title
    .normalize("NFC")
    // biome-ignore lint/suspicious/noControlCharactersInRegex: those are what must not be in a name
    .replaceAll(/[\u0000-\u001f\u007f<>:"/\\|?*]+/g, " ")
    .replaceAll(/\s+/g, " ")
    .replace(/^[. ]+|[. ]+$/g, "");
  const short = shortened(name).trim();
  const reserved = /^(con|prn|aux|nul|com\d|lpt\d)$/i.test(short);
  return short === "" || reserved ? "Thread" : short;
}
