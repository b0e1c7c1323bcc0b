// For tests: a world in which a thread and its child agent have a random history, step by step: codex as its model is, the
// wire to it, and the people who look.

import fc from "fast-check";
import { CodexModel } from "./testCodexModel";
import { childId, parentId } from "./testCodexRecord";
import { settle, TestThreads, type TestWindow } from "./testThreads";

type Where = { in: "parent" | "child" };
export type Step =
  | ({ do: "begin" | "compact" | "ask" | "stop" | "message again" | "message" | "command" } & Where)
  | ({ do: "piece" | "finish"; which: number } & Where)
  | ({ do: "end"; how: "completed" | "interrupted" | "failed" } & Where)
  | { do: "send"; mode: "turn" | "steer" }
  | { do: "answer"; lost: boolean }
  | { do: "deliver" | "lose the end"; count: number }
  | { do: "wait"; seconds: number }
  | { do: "restart"; codexLives: boolean }
  | ({ do: "watch" | "leave" } & Where)
  | {
      do:
        | "spawn"
        | "unload"
        | "cut"
        | "reconnect"
        | "kill"
        | "answers late"
        | "answers go"
        | "events overtake"
        | "say again"
        | "load older";
    };

const where = fc.constantFrom("parent" as const, "parent" as const, "parent" as const, "child" as const);
const on = <Name extends string>(...names: Name[]) => fc.record({ do: fc.constantFrom(...names), in: where });
const plain = <Name extends string>(...names: Name[]) => fc.record({ do: fc.constantFrom(...names) });

export const step: fc.Arbitrary<Step> = fc.oneof(
  {
    weight: 8,
    arbitrary: on("begin", "message", "message", "command", "ask", "ask", "message again", "compact"),
  },
  {
    weight: 8,
    arbitrary: fc.record({
      do: fc.constantFrom("piece" as const, "piece" as const, "finish" as const),
      which: fc.nat(4),
      in: where,
    }),
  },
  {
    weight: 4,
    arbitrary: fc.record({
      do: fc.constant("end" as const),
      how: fc.constantFrom(
        "completed" as const,
        "completed" as const,
        "interrupted" as const,
        "failed" as const,
      ),
      in: where,
    }),
  },
  {
    weight: 3,
    arbitrary: fc.record({
      do: fc.constant("send" as const),
      mode: fc.constantFrom("turn" as const, "steer" as const),
    }),
  },
  { weight: 4, arbitrary: fc.record({ do: fc.constant("answer" as const), lost: fc.boolean() }) },
  {
    weight: 12,
    arbitrary: fc.record({ do: fc.constant("deliver" as const), count: fc.integer({ min: 1, max: 12 }) }),
  },
  {
    weight: 3,
    arbitrary: fc.record({ do: fc.constant("wait" as const), seconds: fc.constantFrom(1, 3, 8, 40) }),
  },
  { weight: 4, arbitrary: on("watch", "leave", "stop") },
  {
    weight: 3,
    arbitrary: plain("spawn", "answers late", "answers go", "events overtake", "say again"),
  },
  { weight: 4, arbitrary: plain("cut", "reconnect", "reconnect", "load older", "unload") },
  {
    weight: 1,
    arbitrary: fc.record({
      do: fc.constant("lose the end" as const),
      count: fc.integer({ min: 1, max: 3 }),
    }),
  },
  { weight: 1, arbitrary: plain("kill") },
  { weight: 1, arbitrary: fc.record({ do: fc.constant("restart" as const), codexLives: fc.boolean() }) },
);

export class World {
  readonly bench = new TestThreads();
  readonly codex = new CodexModel(this.bench);
  readonly windows: { key: string; window: TestWindow }[] = [];
  readonly sent: string[] = [];

  async begin(): Promise<void> {
    const { bench } = this;
    bench.ledger.threads.upsert([
      {
        threadId: parentId,
        workspaceId: bench.workspaceId,
        profileId: "user",
        title: "Title",
        preview: "Hello",
        createdAtMs: 1,
        updatedAtMs: 1,
        archived: false,
        lastKnownState: "idle",
        parentThreadId: null,
        source: "app",
      },
    ]);
    bench.threads.rows.remember(bench.workspaceId);
    await bench.reconnect();
    this.watch(parentId);
    await this.codex.deliverAll();
  }

  async play(one: Step): Promise<void> {
    const { bench, codex } = this;
    const thread = "in" in one ? codex.threads.get(one.in === "parent" ? parentId : childId) : undefined;
    switch (one.do) {
      case "begin":
        if (thread) codex.begin(thread);
        break;
      case "message":
      case "command":
      case "message again":
        if (thread)
          codex.start(thread, one.do === "command" ? "command" : "message", one.do === "message again");
        break;
      case "ask":
        if (thread) codex.ask(thread);
        break;
      case "compact":
        if (thread) codex.compact(thread);
        break;
      case "piece":
        if (thread) codex.piece(thread, one.which);
        break;
      case "finish":
        if (thread) codex.finish(thread, one.which);
        break;
      case "end":
        if (thread) codex.end(thread, one.how);
        break;
      case "spawn":
        codex.spawn();
        break;
      case "unload":
        codex.unload();
        break;
      case "send":
        this.#send(one.mode);
        break;
      case "answer":
        // What a person answers they have seen.
        codex.deliver(50);
        this.#answer();
        codex.readAnswers(one.lost);
        if (one.lost) await this.#cut();
        break;
      case "stop":
        if (thread && this.isKnown(thread.id)) await bench.threads.runtime(thread.id).stop();
        break;
      case "deliver":
        codex.deliver(one.count);
        break;
      case "answers late":
        codex.answersLate = true;
        break;
      case "answers go":
        codex.answersLate = false;
        codex.letAnswersGo();
        break;
      case "events overtake":
        codex.eventsOvertake = !codex.eventsOvertake;
        break;
      case "lose the end":
        codex.loseEnd(one.count);
        break;
      case "say again":
        codex.repeatLast();
        break;
      case "wait":
        await this.wait(one.seconds);
        break;
      case "cut":
        await this.#cut();
        break;
      case "reconnect":
        await bench.reconnect();
        break;
      case "kill":
        codex.die();
        await bench.kill();
        break;
      case "restart":
        await this.#restart(one.codexLives);
        break;
      case "watch":
        if (thread && this.isKnown(thread.id) && this.windows.length < 3) this.watch(thread.id);
        break;
      case "leave":
        this.#leave(one.in === "parent" ? parentId : childId);
        break;
      case "load older":
        // A lost connection is told to who asked.
        void bench.threads
          .runtime(parentId)
          .loadOlder()
          .catch(() => undefined);
        break;
      default:
        one satisfies never;
    }
    await settle();
    codex.readAnswers();
    for (const { window } of this.windows) window.check();
  }

  get known(): string[] {
    return [...this.codex.threads.keys()].filter((id) => this.isKnown(id));
  }

  isKnown(id: string): boolean {
    return this.bench.threads.rows.find(id) !== null;
  }

  watch(key: string): void {
    this.windows.push({ key, window: this.bench.open(key) });
  }

  #leave(key: string): void {
    const at = this.windows.findIndex((one) => one.key === key);
    const [left] = at < 0 ? [] : this.windows.splice(at, 1);
    if (left) this.bench.close(left.window);
  }

  #send(mode: "turn" | "steer"): void {
    if (mode === "turn" && this.bench.threads.runtime(parentId).state.running) return;
    const clientId = `00000000-0000-4000-8000-${String(this.sent.length).padStart(12, "0")}`;
    this.sent.push(clientId);
    this.bench.threads.send(parentId, { clientId, text: `Text ${clientId}`, attachments: [], mode });
  }

  #answer(): void {
    const request = this.bench.waiting.find(({ answering }) => !answering);
    const decision = request?.decisions[0];
    if (request && decision) this.bench.threads.answer({ requestKey: request.key, decisionId: decision.id });
  }

  async #cut(): Promise<void> {
    this.codex.cut();
    await this.bench.cut();
  }

  async #restart(codexLives: boolean): Promise<void> {
    const { bench, codex, windows } = this;
    windows.length = 0;
    if (codexLives) codex.cut();
    else codex.die();
    await bench.restart({ codexLives });
    await bench.reconnect();
    void bench.threads.adopted(bench.workspaceId, codexLives ? bench.connection : null);
    await settle();
  }

  async wait(seconds: number, telling = false): Promise<void> {
    for (let left = seconds; left > 0; left -= 1) {
      this.bench.clock.advance(1_000);
      await settle();
      if (telling) await this.codex.deliverAll();
    }
  }
}
