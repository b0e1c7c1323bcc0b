// Random histories of one thread: what codex does, with connections that come and go, processes that die, and records
// that are asked for at any moment. What is shown in the end is checked against what codex has.

import fc from "fast-check";
import { expect, it } from "vitest";
import type { Item } from "../../preload/contract/items";
import type { ThreadChange, ThreadSnapshot } from "../../preload/contract/thread";
import type { Turn } from "../codex/protocol/v2/Turn";
import { deltaTarget } from "./itemView/delta";
import { isLeftRunning } from "./keptItem";
import { agentItem, codexTurn, commandItem, runningCommand, userItem } from "./testCodexData";
import { applyChange, marked } from "./testThreads";
import { Transcript } from "./transcript";
import type { RunningNow, TurnPage } from "./transcriptMerge";

interface CodexItem {
  id: string;
  kind: "user" | "message" | "command";
  text: string;
  /** codex keeps only what is done; `gone` was cut off, and nobody has it. */
  state: "running" | "done" | "gone";
  /** What a window has been told of it, with a mark wherever nobody listened; null: nothing. */
  seen: string | null;
}

const missing = marked("", [0]);

interface CodexTurn {
  id: string;
  status: "inProgress" | "completed" | "interrupted";
  items: CodexItem[];
}

type Step =
  | { do: "begin" | "message" | "command" | "cut" | "resume" | "list" | "kill" | "older" }
  | { do: "piece" | "finish"; which: number; text: string }
  | { do: "end"; how: "completed" | "interrupted" };

const plain = (...names: Exclude<Step["do"], "piece" | "finish" | "end">[]) =>
  fc.constantFrom(...names.map((name): Step => ({ do: name })));
const step: fc.Arbitrary<Step> = fc.oneof(
  { weight: 6, arbitrary: plain("begin", "message", "command", "command") },
  {
    weight: 12,
    arbitrary: fc.record({
      do: fc.constantFrom("piece" as const, "piece" as const, "piece" as const, "finish" as const),
      which: fc.nat(5),
      text: fc.string({ minLength: 1, maxLength: 8 }),
    }),
  },
  {
    weight: 1,
    arbitrary: fc
      .constantFrom("completed" as const, "completed" as const, "interrupted" as const)
      .map((how): Step => ({ do: "end", how })),
  },
  { weight: 4, arbitrary: plain("cut", "cut", "resume", "resume", "resume", "list", "older") },
  { weight: 1, arbitrary: plain("kill", "resume") },
);
const history = fc.array(step, { minLength: 5, maxLength: 120, size: "max" });

const pageSize = 3;
/** codex shortens long outputs in its record. */
const recorded = (text: string) => (text.length <= 12 ? text : `${text.slice(0, 5)}…${text.slice(-5)}`);

/** codex, the connection to it, and a window behind that. */
class World {
  readonly turns: CodexTurn[] = [];
  readonly transcript = new Transcript();
  copy: ThreadSnapshot = { head: {} as ThreadSnapshot["head"], turns: [], items: [] };
  isConnected = true;
  /** Where the known turns begin, as the cursor for older ones says it. */
  firstKnown = 0;
  /** All that was ever shown, and has not made way as a whole. */
  readonly shown = new Map<string, Item>();

  play(one: Step): void {
    const turn = this.turns.at(-1);
    const running = turn?.status === "inProgress" ? turn : null;
    switch (one.do) {
      case "begin":
        if (!running) this.#begin();
        break;
      case "message":
      case "command":
        if (running) this.#start(running, one.do);
        break;
      case "piece":
        this.#withRunning(one.which, (of, item) => this.#piece(of, item, one.text));
        break;
      case "finish":
        this.#withRunning(one.which, (of, item) => this.#finish(of, item));
        break;
      case "end":
        if (running) this.#end(running, one.how);
        break;
      case "cut":
        if (this.isConnected) this.#cut();
        this.isConnected = false;
        break;
      case "resume":
      case "list":
        if (one.do === "resume") this.isConnected = true;
        if (this.isConnected) this.#merge();
        break;
      case "older":
        if (this.isConnected) this.#older();
        break;
      case "kill":
        this.#kill();
        break;
      default:
        one satisfies never;
    }
  }

  #cut(): void {
    this.#take(this.transcript.markGap());
    for (const item of this.turns.flatMap((turn) => turn.items)) {
      if (item.state === "running" && item.seen?.endsWith(missing) === false) item.seen += missing;
    }
  }

  #begin(): void {
    const turn: CodexTurn = { id: `t${this.turns.length + 1}`, status: "inProgress", items: [] };
    this.turns.push(turn);
    this.#heard(() => this.transcript.turnStarted(asTurn(codexTurn(turn.id))));
    const said: CodexItem = { id: "u", kind: "user", text: `Do ${turn.id}`, state: "done", seen: null };
    turn.items.push(said);
    this.#heard(() => this.transcript.itemStarted(turn.id, userItem("u", said.text), 1));
    this.#heard(() => this.transcript.itemCompleted(turn.id, userItem("u", said.text), 1));
  }

  #start(turn: CodexTurn, kind: "message" | "command"): void {
    // The same ids in every turn, as some model servers give them.
    const item: CodexItem = {
      id: `${kind}_${turn.items.length}`,
      kind,
      text: "",
      state: "running",
      seen: null,
    };
    if (this.isConnected) item.seen = "";
    turn.items.push(item);
    const codexItem = kind === "message" ? agentItem(item.id, "") : runningCommand(item.id);
    this.#heard(() => this.transcript.itemStarted(turn.id, codexItem, 1));
  }

  #piece(turn: CodexTurn, item: CodexItem, text: string): void {
    item.text += text;
    if (this.isConnected) item.seen = (item.seen ?? missing) + text;
    const method = item.kind === "message" ? "item/agentMessage/delta" : "item/commandExecution/outputDelta";
    const target = deltaTarget(method, { turnId: turn.id, itemId: item.id, delta: text });
    if (target) this.#heard(() => this.transcript.delta(target, 1));
  }

  #finish(turn: CodexTurn, item: CodexItem): void {
    item.state = "done";
    if (this.isConnected) item.seen = item.text;
    this.#heard(() => this.transcript.itemCompleted(turn.id, asCodexItem(item, item.text), 1));
  }

  #end(turn: CodexTurn, how: "completed" | "interrupted"): void {
    for (const item of turn.items) {
      if (item.state !== "running") continue;
      if (how === "interrupted") item.state = "gone";
      else if (item.kind === "message") this.#finish(turn, item);
    }
    turn.status = how;
    this.#heard(() => this.transcript.turnCompleted(asTurn(codexTurn(turn.id, how)), 1));
  }

  #kill(): void {
    for (const turn of this.turns) {
      if (turn.status === "inProgress") turn.status = "interrupted";
      for (const item of turn.items) if (item.state === "running") item.state = "gone";
    }
    this.isConnected = false;
    this.#take(this.transcript.markLost(1, { code: "gone", message: "Gone.", retryable: true }));
  }

  #merge(): void {
    const first = Math.max(0, this.turns.length - pageSize);
    const page = this.#page(first, this.turns.length);
    const newest = this.turns.at(-1);
    const running: RunningNow = newest?.status === "inProgress" ? { turnId: newest.id } : "none";
    const isAnew = this.transcript.isEmpty || !this.transcript.meets(page);
    if (isAnew) {
      this.firstKnown = first;
      this.shown.clear();
    }
    this.#take(this.transcript.merge(page, running, 1));
    // What has made way is not known any more.
    for (const turn of this.turns)
      for (const item of turn.items) if (!this.transcript.item(`${turn.id}/${item.id}`)) item.seen = null;
  }

  #older(): void {
    const first = Math.max(0, this.firstKnown - pageSize);
    this.#take(this.transcript.prepend(this.#page(first, this.firstKnown), 1));
    this.firstKnown = first;
  }

  #page(first: number, end: number): TurnPage {
    const turns = this.turns.slice(first, end).map((turn) => {
      const done = turn.items.filter((item) => item.state === "done");
      const items = done.map((item) =>
        asCodexItem(item, item.kind === "command" ? recorded(item.text) : item.text),
      );
      return asTurn(codexTurn(turn.id, turn.status, items));
    });
    return { turns: turns.reverse(), nextCursor: first > 0 ? String(first) : null };
  }

  #withRunning(which: number, then: (turn: CodexTurn, item: CodexItem) => void): void {
    const all = this.turns.flatMap((turn) =>
      turn.items.filter((item) => item.state === "running").map((item) => ({ turn, item })),
    );
    const chosen = all[which % Math.max(1, all.length)];
    if (chosen) then(chosen.turn, chosen.item);
  }

  #heard(event: () => ThreadChange[]): void {
    if (this.isConnected) this.#take(event());
  }

  #take(changes: ThreadChange[]): void {
    this.copy = structuredClone(changes).reduce(applyChange, this.copy);
    const { turns, items } = this.transcript;
    expect({ turns: this.copy.turns, items: this.copy.items }).toEqual({ turns, items });
    for (const item of items) this.shown.set(item.id, item);
  }

  /** What has to hold whenever the record has just been merged and nothing runs. */
  check(): void {
    const items = this.transcript.items;
    expect(new Set(items.map((item) => item.id)).size).toBe(items.length);
    const known = this.turns.slice(this.firstKnown);
    expect(this.transcript.turns.map(({ id, status }) => ({ id, status }))).toEqual(
      known.map(({ id, status }) => ({ id, status: status === "inProgress" ? "running" : status })),
    );
    for (const turn of known)
      this.#checkTurn(
        turn,
        items.filter((item) => item.turnId === turn.id),
      );
    for (const [id, last] of this.shown)
      expect(
        items.map((item) => item.id),
        textIn(last),
      ).toContain(id);
  }

  #checkTurn(turn: CodexTurn, shown: Item[]): void {
    const isOld = this.turns.indexOf(turn) < this.turns.length - pageSize;
    const isHere = (item: CodexItem) => shown.some((one) => one.id === `${turn.id}/${item.id}`);
    const done = turn.items
      .filter((item) => item.state === "done" && (!isOld || item.kind !== "command" || isHere(item)))
      .map((item) => `${turn.id}/${item.id}`);
    const ids = shown.map((item) => item.id).filter((id) => done.includes(id));
    // codex's order, where its record is at hand; without it, what was not seen to begin comes in the order of its end.
    // A command that went on after its turn stays where it was seen.
    const isLeft = (id: string) => shown.some((one) => one.id === id && isLeftRunning(one));
    if (!isOld) expect(ids.filter((id) => !isLeft(id))).toEqual(done.filter((id) => !isLeft(id)));
    expect(ids.sort()).toEqual(done.sort());
    for (const item of turn.items) {
      const seen = shown.find((one) => one.id === `${turn.id}/${item.id}`);
      if (!seen) continue;
      const text = markedIn(seen);
      // The end of a command in the background may be missed, and its turn be too old for the record that is asked for.
      if (item.state === "done" && isOld && item.kind === "command" && text.includes(missing)) continue;
      if (item.state === "done") {
        expect(seen.status).toBe("completed");
        if (item.kind !== "command") expect(text).toBe(item.text);
        else if (text !== item.text && text !== recorded(item.text)) {
          // What was seen is more than the record has.
          expect(text).toBe(item.seen);
          expect(textIn(seen).length).toBeGreaterThan(recorded(item.text).length);
        }
        continue;
      }
      expect(seen.status).toBe(item.state === "gone" ? "lost" : "running");
      // What was heard, and a mark wherever something is missing in it.
      expect(text).toBe(item.seen);
    }
  }
}

function asCodexItem(item: CodexItem, text: string): Record<string, unknown> {
  if (item.kind === "user") return userItem(item.id, text);
  return item.kind === "message" ? agentItem(item.id, text) : commandItem(item.id, text);
}

function textIn(item: Item): string {
  if (item.kind === "command") return item.output.text;
  return "text" in item ? item.text : "";
}

function markedIn(item: Item): string {
  if (item.kind === "command") return marked(item.output.text, item.gaps);
  return "gaps" in item ? marked(item.text, item.gaps) : textIn(item);
}

const asTurn = (turn: unknown) => turn as Turn;

it("shows in the end what codex has, nothing twice, and nothing vanishes without a mark", () => {
  fc.assert(
    fc.property(history, (steps) => {
      const world = new World();
      for (const one of steps) world.play(one);
      world.play({ do: "resume" });
      world.check();
      world.play({ do: "end", how: "completed" });
      world.play({ do: "list" });
      world.check();
    }),
    { numRuns: 300 },
  );
});

it("holds at every moment at which the record has just been merged", () => {
  fc.assert(
    fc.property(history, (steps) => {
      const world = new World();
      for (const one of steps) {
        world.play(one);
        if ((one.do === "resume" || one.do === "list") && world.isConnected) world.check();
      }
    }),
    { numRuns: 300 },
  );
});
