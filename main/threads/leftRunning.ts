// The commands of one thread that an agent has left running after its turn: codex calls them background terminals. They go on
// for as long as codex has the thread in memory, and are ended with it without a word, so a thread that has one is in use.
//
// Races settled here:
// - A turn ends with a command that runs: it is shown at once as the conversation has it, and codex is asked which it is.
// - A turn is stopped: codex says nothing of the commands in it, and those in the background go on. It is asked.
// - A command ends while codex is asked, or just after it has answered: its end, which comes on the same wire, counts.
// - It ends while codex answers, with an answer that was made before: an end that was told is not taken back. Of several
//   answers only that to the last question counts.
// - Stop is pressed twice, here or in two windows: it is asked for once.
// - The connection goes between Stop and its answer: whether it was done is seen by what codex names afterwards.
// - Holdfast or the connection comes back: whatever may have ended meanwhile is asked about.
// - codex does not know the question, or does not answer: what the conversation says is all that is known, and none can be
//   stopped.

import { isDeepStrictEqual } from "node:util";
import type { ThreadRow } from "../../preload/contract/app";
import type { Item } from "../../preload/contract/items";
import type { LeftRunningView, ThreadHead } from "../../preload/contract/thread";
import type { ThreadBackgroundTerminal } from "../codex/protocol/v2/ThreadBackgroundTerminal";
import type { ThreadBackgroundTerminalsListResponse } from "../codex/protocol/v2/ThreadBackgroundTerminalsListResponse";
import { asFault, Fault } from "../fault";
import type { Connection } from "../supervisor/connection";
import type { HostedThread, ThreadHost } from "./host";
import { codexItemId } from "./itemView/itemKey";
import { deliveryUnknown, isConnectionLost, isUnknownMethod, threadFault } from "./threadFaults";

const askedDeadlineMs = 10_000;
/** Far more than anybody leaves running. */
const mostListed = 500;
/** So much of a command's words is shown where there is no room for it. */
const mostWordUnits = 300;

type CommandItem = Extract<Item, { kind: "command" }>;

interface LeavingThread extends HostedThread {
  /** The connection over which codex tells us about the thread. */
  readonly heardOver: Connection | null;
  ready(): Promise<Connection>;
  /** Perhaps nothing keeps it any more. */
  settled(): void;
}

export class LeftRunning {
  readonly #host: ThreadHost;
  readonly #thread: LeavingThread;
  /** As codex has named them last, without those that have ended since; by item. */
  readonly #named = new Map<string, ThreadBackgroundTerminal>();
  readonly #stopping = new Set<string>();
  /** Those of them of which codex may not have heard. */
  readonly #unsure = new Set<string>();
  /** What has ended since codex was asked last; null: it has answered. */
  #endedSince: Set<string> | null = null;

  constructor(host: ThreadHost, thread: LeavingThread) {
    this.#host = host;
    this.#thread = thread;
  }

  get isSome(): boolean {
    return this.#thread.state.facts.leftRunning.length > 0;
  }

  turnOver(turnId: string | null): void {
    const { transcript } = this.#thread.state;
    const id = turnId ?? transcript.lastTurn?.id;
    if (id === undefined || !transcript.itemsOf(id).some(isOpen)) return;
    this.#show();
    this.#ask();
  }

  /** What ran before may have ended where nobody heard it. */
  loaded(): void {
    const { threadId } = this.#thread;
    if (threadId === null) return;
    const isOnRecord = () => this.#host.runningItems.list(threadId).some(({ kind }) => kind === "command");
    if (this.isSome || isOnRecord()) this.#ask();
  }

  /** codex has named them before the thread was loaded here: they keep it in use, and so it is loaded. */
  found(terminals: readonly ThreadBackgroundTerminal[]): void {
    for (const terminal of terminals) this.#named.set(terminal.itemId, terminal);
    this.#show();
  }

  itemEnded(itemId: string | null): void {
    if (itemId === null) return;
    this.#endedSince?.add(itemId);
    if (!this.isSome) return;
    this.#named.delete(itemId);
    this.#stopped(itemId);
    this.#show();
    if (!this.isSome) this.#thread.settled();
  }

  /** The process is gone, or codex has unloaded the thread: nothing of it goes on. */
  ended(): void {
    this.#endedSince = null;
    this.#named.clear();
    this.#stopping.clear();
    this.#unsure.clear();
    this.#settle(true);
  }

  /** Throws when it cannot be stopped. One that has ended already is a success. */
  async stop(itemId: string): Promise<void> {
    const processId = this.#named.get(itemId)?.processId;
    const { threadId } = this.#thread;
    if (!this.#views().some((view) => view.itemId === itemId) || threadId === null) return;
    if (processId === undefined) throw notStoppableFault();
    if (this.#stopping.has(itemId)) return;
    this.#stopping.add(itemId);
    this.#mark(itemId, true);
    try {
      const { client } = await this.#thread.ready();
      await client.request(
        "thread/backgroundTerminals/terminate",
        { threadId, processId },
        { deadlineMs: askedDeadlineMs },
      );
      // Its end is told by itself; one that had ended before is not.
      this.#ask();
    } catch (error) {
      if (deliveryUnknown(error) && this.#stopping.has(itemId)) {
        this.#unsure.add(itemId);
        this.#ask();
      } else this.#goesOn(itemId);
      throw threadFault(error, this.#host.configFault);
    }
  }

  /** The person has all ended with its process, so what it runs has not failed then. */
  allStopped(): void {
    const { state } = this.#thread;
    for (const item of state.transcript.items) {
      if (item.kind !== "command" || item.status !== "running") continue;
      state.publish(
        state.transcript.update(item.id, (known) => withStopped(known, true)),
        true,
      );
    }
  }

  #stopped(itemId: string): void {
    this.#stopping.delete(itemId);
    this.#unsure.delete(itemId);
  }

  #goesOn(itemId: string): void {
    this.#stopped(itemId);
    this.#mark(itemId, false);
  }

  /** That the person wants it ended. Its end is told before the answer is heard, so it is on the item before. */
  #mark(itemId: string, stopped: boolean): void {
    const { state } = this.#thread;
    const { key } = this.#views().find((view) => view.itemId === itemId) ?? { key: null };
    if (key !== null) {
      const marked = (item: Item) => withStopped(item, stopped);
      state.publish(state.transcript.update(key, marked), true);
    }
    this.#show();
  }

  #ask(): void {
    const { heardOver: connection, threadId } = this.#thread;
    if (connection === null || threadId === null) return;
    const ended = new Set<string>();
    this.#endedSince = ended;
    const isLast = () => this.#thread.heardOver === connection && this.#endedSince === ended;
    const onAnswer = (answer: ThreadBackgroundTerminalsListResponse) => {
      if (isLast()) this.#listed(answer, ended);
    };
    connection.client
      .request(
        "thread/backgroundTerminals/list",
        { threadId, limit: mostListed },
        { deadlineMs: askedDeadlineMs, onAnswer },
      )
      .catch((error: unknown) => {
        const words = isUnknownMethod(error) ? "not known to this codex" : asFault(error).code;
        this.#host.log.info("commands left running could not be listed", { threadId, error: words });
        // It is asked again over the next connection. Over this one nobody will tell: they can be stopped again.
        if (isLast() && !isConnectionLost(error)) for (const itemId of this.#unsure) this.#goesOn(itemId);
      });
  }

  #listed({ data, nextCursor }: ThreadBackgroundTerminalsListResponse, ended: ReadonlySet<string>): void {
    this.#endedSince = null;
    this.#named.clear();
    // codex lists them in no order that means anything.
    for (const terminal of data) if (!ended.has(terminal.itemId)) this.#named.set(terminal.itemId, terminal);
    for (const itemId of this.#stopping) if (!this.#named.has(itemId)) this.#stopped(itemId);
    this.#settle(nextCursor === null);
    for (const itemId of this.#unsure) this.#goesOn(itemId);
    if (!this.isSome) this.#thread.settled();
  }

  /** What the conversation says is made to agree with what codex has named. */
  #settle(isWhole: boolean): void {
    const { state } = this.#thread;
    const goesOn = (item: Item) => this.#named.has(codexIdOf(item));
    state.publish(state.transcript.leftRunning(goesOn, isWhole, this.#host.clock.nowMs()), true);
    this.#show();
  }

  #show(): void {
    const { state } = this.#thread;
    const leftRunning = this.#views();
    if (!isDeepStrictEqual(leftRunning, state.facts.leftRunning)) state.update({ leftRunning });
  }

  #views(): LeftRunningView[] {
    const { transcript } = this.#thread.state;
    const views: LeftRunningView[] = [];
    const shown = new Set<string>();
    for (const item of transcript.items) {
      if (item.kind !== "command") continue;
      const itemId = codexIdOf(item);
      const named = this.#named.get(itemId);
      if (named) shown.add(itemId);
      const isLeft = item.byAgent && item.status === "running" && !transcript.isOfRunningTurn(item);
      if (isLeft) views.push(this.#view(itemId, item.id, item.command, named?.processId ?? null));
    }
    // Of a part of the conversation that is not loaded: older than what is.
    const older = [...this.#named.values()].filter(({ itemId }) => !shown.has(itemId));
    return [
      ...older.map(({ itemId, command, processId }) => this.#view(itemId, null, command, processId)),
      ...views,
    ];
  }

  #view(itemId: string, key: string | null, command: string, processId: string | null): LeftRunningView {
    const stopping = this.#stopping.has(itemId);
    return { itemId, key, command: command.slice(0, mostWordUnits), processId, stopping };
  }
}

/** The words of the commands for the thread's row; the same list as long as they are the same. */
export function leftWords({ leftRunning }: ThreadHead, known: ThreadRow | undefined): string[] | undefined {
  if (leftRunning.length === 0) return undefined;
  const words = leftRunning.map(({ command }) => command);
  return isDeepStrictEqual(words, known?.leftRunning) ? known?.leftRunning : words;
}

/** Of items that codex has given the same id, each but the first has a number behind it. */
function codexIdOf({ turnId, id }: Item): string {
  return codexItemId(turnId, id).replace(/#\d+$/, "");
}

/** `leftRunning`: codex does not keep who has stopped it, and so it is kept here like those that go on after their turn. */
function withStopped(item: Item, stopped: boolean): Item {
  return item.kind === "command" ? { ...item, stopped, leftRunning: true } : item;
}

/** It runs, or seems to have been cut off together with its turn. */
function isOpen(item: Item): item is CommandItem {
  return item.kind === "command" && (item.status === "running" || item.status === "lost");
}

function notStoppableFault(): Fault {
  return new Fault("command_not_stoppable", "codex has not said how this command can be stopped.", {
    hint: "Restart codex for this workspace to end it, or end it in a terminal.",
    retryable: true,
  });
}
