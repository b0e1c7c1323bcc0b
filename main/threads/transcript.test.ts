import { describe, expect, it } from "vitest";
import { heldTextUnits, type Item } from "../../preload/contract/items";
import type { ThreadChange, ThreadSnapshot } from "../../preload/contract/thread";
import type { Turn } from "../codex/protocol/v2/Turn";
import { deltaTarget } from "./itemView/delta";
import { agentItem, codexTurn, commandItem, runningCommand, userItem } from "./testCodexData";
import { applyChange, textOf } from "./testThreads";
import { Transcript } from "./transcript";
import type { RunningNow } from "./transcriptMerge";

/** A transcript, and a window's copy of it that is kept by the changes alone. */
class Conversation {
  readonly transcript = new Transcript();
  copy: ThreadSnapshot = { head: {} as ThreadSnapshot["head"], turns: [], items: [] };

  take(changes: ThreadChange[]): this {
    this.copy = structuredClone(changes).reduce(applyChange, this.copy);
    expect({ turns: this.copy.turns, items: this.copy.items }).toEqual({
      turns: this.transcript.turns,
      items: this.transcript.items,
    });
    return this;
  }

  begin(turnId: string) {
    return this.take(this.transcript.turnStarted(asTurn(codexTurn(turnId))));
  }

  end(turnId: string, status = "completed") {
    return this.take(this.transcript.turnCompleted(asTurn(codexTurn(turnId, status)), 9));
  }

  start(turnId: string, item: object) {
    return this.take(this.transcript.itemStarted(turnId, item, 1));
  }

  complete(turnId: string, item: object) {
    return this.take(this.transcript.itemCompleted(turnId, item, 2));
  }

  text(turnId: string, itemId: string, delta: string) {
    return this.delta("item/agentMessage/delta", turnId, itemId, delta);
  }

  output(turnId: string, itemId: string, delta: string) {
    return this.delta("item/commandExecution/outputDelta", turnId, itemId, delta);
  }

  delta(method: string, turnId: string, itemId: string, delta: string) {
    const target = deltaTarget(method, { turnId, itemId, delta });
    if (!target) throw new Error("no delta");
    return this.take(this.transcript.delta(target, 3));
  }

  list(turns: object[], running: RunningNow = "none", nextCursor: string | null = null) {
    const page = { turns: turns.map(asTurn).reverse(), nextCursor };
    return this.take(this.transcript.merge(page, running, 5));
  }

  cut() {
    return this.take(this.transcript.markGap());
  }

  kill() {
    const fault = { code: "process_gone", message: "codex was killed.", retryable: true };
    return this.take(this.transcript.markLost(7, fault));
  }

  get texts(): string[] {
    return this.transcript.items.map(textOf);
  }

  get turns(): string[] {
    return this.transcript.turns.map((turn) => `${turn.id} ${turn.status}`);
  }
}

const asTurn = (turn: unknown) => turn as Turn;
const talk = () => new Conversation();

describe("live", () => {
  it("adds pieces to what was started, and replaces them by what was completed", () => {
    const it = talk()
      .begin("t1")
      .start("t1", agentItem("m", ""))
      .text("t1", "m", "Hel")
      .text("t1", "m", "lo");
    expect(it.texts).toEqual(["agent running: Hello"]);
    it.complete("t1", agentItem("m", "Hello."));
    expect(it.texts).toEqual(["agent completed: Hello."]);
  });

  it("shows a message that comes whole once", () => {
    const it = talk().begin("t1").start("t1", agentItem("m", "All")).complete("t1", agentItem("m", "All"));
    expect(it.texts).toEqual(["agent completed: All"]);
  });

  it("makes a place for pieces before their start, and says that something is missing", () => {
    const it = talk().begin("t1").text("t1", "m", "lo");
    expect(it.texts).toEqual(["agent running: […]lo"]);
    it.start("t1", agentItem("m", ""));
    expect(it.texts).toEqual(["agent running: […]lo"]);
    it.complete("t1", agentItem("m", "Hello"));
    expect(it.texts).toEqual(["agent completed: Hello"]);
  });

  it("takes pieces before the turn's own start", () => {
    const it = talk().text("t1", "m", "lo").begin("t1");
    expect(it.turns).toEqual(["t1 running"]);
    expect(it.texts).toEqual(["agent running: […]lo"]);
  });

  it("ignores pieces after the end", () => {
    const it = talk().begin("t1").start("t1", agentItem("m", "")).complete("t1", agentItem("m", "Hello"));
    expect(it.text("t1", "m", "lo").texts).toEqual(["agent completed: Hello"]);
    it.end("t1");
    expect(it.text("t1", "m", "lo").text("t1", "new", "x").texts).toEqual(["agent completed: Hello"]);
  });

  it("keeps the same id in two turns apart", () => {
    const it = talk()
      .begin("t1")
      .start("t1", agentItem("msg_1", ""))
      .complete("t1", agentItem("msg_1", "One"))
      .end("t1")
      .begin("t2")
      .start("t2", agentItem("msg_1", ""))
      .text("t2", "msg_1", "Tw");
    expect(it.texts).toEqual(["agent completed: One", "agent running: Tw"]);
  });

  it("keeps messages of one turn apart that a model server gives the same id", () => {
    const it = talk()
      .begin("t1")
      .start("t1", agentItem("msg_1", ""))
      .text("t1", "msg_1", "First")
      .complete("t1", agentItem("msg_1", "First"))
      .start("t1", runningCommand("c"))
      .complete("t1", commandItem("c", "done"))
      .start("t1", agentItem("msg_1", ""))
      .text("t1", "msg_1", "Seco");
    expect(it.texts).toEqual([
      "agent completed: First",
      "command completed: make > done",
      "agent running: Seco",
    ]);
    it.complete("t1", agentItem("msg_1", "Second"));
    // codex's own record has the second text in the place of the first.
    it.list([codexTurn("t1", "inProgress", [agentItem("msg_1", "Second"), commandItem("c", "done")])], {
      turnId: "t1",
    });
    expect(it.texts).toEqual([
      "agent completed: First",
      "command completed: make > done",
      "agent completed: Second",
    ]);
    it.start("t1", agentItem("msg_1", "")).text("t1", "msg_1", "Third");
    expect(it.texts.at(-1)).toBe("agent running: Third");
    // With something new before it that only the record knows.
    it.list(
      [
        codexTurn("t1", "completed", [
          agentItem("msg_1", "Third."),
          commandItem("c", "done"),
          agentItem("n", "N"),
        ]),
      ],
      "none",
    );
    expect(it.texts.filter((text) => text.startsWith("agent"))).toEqual([
      "agent completed: First",
      "agent completed: Second",
      "agent completed: Third.",
      "agent completed: N",
    ]);
  });

  it("does not take the second of three with one id for the third, which runs", () => {
    const it = talk().begin("t1");
    for (const said of ["First", "Second"]) {
      it.start("t1", agentItem("m", "")).text("t1", "m", said).complete("t1", agentItem("m", said));
    }
    it.start("t1", agentItem("m", "")).text("t1", "m", "Thi");
    it.list([codexTurn("t1", "inProgress", [agentItem("m", "Second")])], { turnId: "t1" });
    it.text("t1", "m", "rd");
    expect(it.texts).toEqual(["agent completed: First", "agent completed: Second", "agent running: Third"]);
  });

  it("does not take a message of the record for another one when its start merely comes late", () => {
    const it = talk().list([codexTurn("t1", "inProgress", [agentItem("m", "Hello")])], { turnId: "t1" });
    it.start("t1", agentItem("m", "")).text("t1", "m", "Hello").complete("t1", agentItem("m", "Hello"));
    expect(it.texts).toEqual(["agent completed: Hello"]);
  });

  it("keeps what was seen when the completed item has nothing", () => {
    const it = talk()
      .begin("t1")
      .start("t1", runningCommand("c"))
      .output("t1", "c", "half")
      .complete("t1", commandItem("c", null, { status: "failed", exitCode: null }))
      .start("t1", { type: "reasoning", id: "r", summary: [], content: [] })
      .delta("item/reasoning/summaryTextDelta", "t1", "r", "Thinking")
      .complete("t1", { type: "reasoning", id: "r", summary: [], content: [] });
    expect(it.texts).toEqual(["command failed: make > half", "reasoning completed: Thinking"]);
  });

  it("stops growing where only a broken server goes on", () => {
    const it = talk().begin("t1").start("t1", agentItem("m", ""));
    const piece = "x".repeat(600_000);
    for (let count = 0; count < 4; count += 1) it.text("t1", "m", piece);
    const item = it.transcript.items[0];
    expect(item?.kind === "agent" && item.text.length).toBe(1_200_000);
  });
});

describe("the end of a turn", () => {
  it("closes what ran when the turn was interrupted: codex says no more of it", () => {
    const it = talk()
      .begin("t1")
      .start("t1", agentItem("m", ""))
      .text("t1", "m", "Half")
      .start("t1", runningCommand("c"))
      .end("t1", "interrupted");
    expect(it.turns).toEqual(["t1 interrupted"]);
    expect(it.texts).toEqual(["agent lost: Half", "command lost: make > "]);
    expect(it.list([codexTurn("t1", "interrupted", [])]).texts).toEqual([
      "agent lost: Half",
      "command lost: make > ",
    ]);
  });

  it("lets a command in the background go on, and closes the rest", () => {
    const it = talk()
      .begin("t1")
      .start("t1", agentItem("m", "Half"))
      .start("t1", runningCommand("c"))
      .output("t1", "c", "one ")
      .end("t1");
    expect(it.texts).toEqual(["agent lost: Half", "command running: make > one "]);
    it.begin("t2").output("t1", "c", "two ");
    it.list([codexTurn("t1", "completed", [agentItem("m", "Half.")]), codexTurn("t2")], { turnId: "t2" });
    expect(it.texts).toEqual(["agent completed: Half.", "command running: make > one two "]);
    it.complete("t1", commandItem("c", "one two three"));
    expect(it.texts[1]).toBe("command completed: make > one two three");
  });

  it("takes the output of a background command that was not known", () => {
    const it = talk()
      .list([codexTurn("t1", "completed", [])])
      .output("t1", "c", "late");
    expect(it.texts).toEqual(["command running:  > […]late"]);
  });

  it("tells a failure once, and does not come back by a late start", () => {
    const it = talk().begin("t1");
    const error = { message: "Overloaded", codexErrorInfo: "serverOverloaded", additionalDetails: null };
    it.take(it.transcript.turnCompleted(asTurn(codexTurn("t1", "failed", [], { error })), 9));
    expect(it.transcript.lastTurn).toMatchObject({
      status: "failed",
      fault: { code: "turn_serverOverloaded" },
    });
    expect(it.begin("t1").turns).toEqual(["t1 failed"]);
  });

  it("does not leave a turn running that codex says has ended", () => {
    const it = talk().begin("t1");
    it.take(it.transcript.turnCompleted(asTurn(codexTurn("t1", "inProgress")), 9));
    expect(it.turns).toEqual(["t1 completed"]);
  });
});

describe("a connection that was away", () => {
  const half = () => talk().begin("t1").start("t1", agentItem("m", "")).text("t1", "m", "Eva");

  it("keeps what was seen, marks the gap, goes on behind it, and ends with the whole", () => {
    const it = half().cut();
    it.list([codexTurn("t1", "inProgress", [userItem("u", "Hi")])], { turnId: "t1" });
    expect(it.texts).toEqual(["user completed: Hi", "agent running: Eva[…]"]);
    it.text("t1", "m", "ate");
    expect(it.texts[1]).toBe("agent running: Eva[…]ate");
    it.complete("t1", agentItem("m", "Evaluate"));
    expect(it.texts).toEqual(["user completed: Hi", "agent completed: Evaluate"]);
  });

  it("takes what ended meanwhile from the record", () => {
    const it = half().cut();
    it.list([codexTurn("t1", "completed", [agentItem("m", "Evaluate"), agentItem("n", "Done")])]);
    expect(it.texts).toEqual(["agent completed: Evaluate", "agent completed: Done"]);
    expect(it.turns).toEqual(["t1 completed"]);
  });

  it("shows nothing twice when pieces arrive before the record that has them too", () => {
    const it = half().cut().text("t1", "m", "luate");
    it.list([codexTurn("t1", "inProgress", [agentItem("m", "Evaluate")])], { turnId: "t1" });
    expect(it.texts).toEqual(["agent completed: Evaluate"]);
    it.text("t1", "m", "luate");
    expect(it.texts).toEqual(["agent completed: Evaluate"]);
  });

  it("does not fall back behind what was heard since a record that is older", () => {
    const it = half().text("t1", "m", "luate");
    it.list([codexTurn("t1", "inProgress", [agentItem("m", "Eva")])], { turnId: "t1" });
    expect(it.texts).toEqual(["agent running: Evaluate"]);
  });

  it("leaves a turn that has ended ended, whatever an older record says", () => {
    const it = half().complete("t1", agentItem("m", "Evaluate")).end("t1");
    it.list([codexTurn("t1", "inProgress", [])]);
    expect(it.turns).toEqual(["t1 completed"]);
    expect(it.texts).toEqual(["agent completed: Evaluate"]);
  });

  it("shows a turn as cut off that is listed as going on while nothing runs", () => {
    const it = talk().list([codexTurn("t1", "inProgress", [userItem("u", "Hi")])]);
    expect(it.turns).toEqual(["t1 interrupted"]);
    // Its start comes after all: it had only just begun.
    expect(it.begin("t1").turns).toEqual(["t1 running"]);
  });

  it("closes a turn that codex has no record of and that does not run", () => {
    const it = half()
      .cut()
      .list([codexTurn("t0", "completed", [])]);
    expect(it.turns).toEqual(["t0 completed", "t1 interrupted"]);
    expect(it.texts).toEqual(["agent lost: Eva[…]"]);
  });

  it("keeps the longer output, and says so when its end may be missing", () => {
    const it = talk().begin("t1").start("t1", runningCommand("c")).output("t1", "c", "long long output");
    it.cut().list([codexTurn("t1", "completed", [commandItem("c", "long…put")])]);
    expect(it.texts).toEqual(["command completed: make > long long output[…]"]);
    const done = talk().begin("t1").complete("t1", commandItem("c", "long long output"));
    done.list([codexTurn("t1", "completed", [commandItem("c", "long…put")])]);
    expect(done.texts).toEqual(["command completed: make > long long output"]);
  });

  it("says so too when the end of the longer output was cut off by the end of its turn", () => {
    const it = talk().begin("t1").start("t1", runningCommand("c")).output("t1", "c", "long long output");
    it.end("t1", "interrupted").list([codexTurn("t1", "interrupted", [commandItem("c", "long…put")])]);
    expect(it.texts).toEqual(["command completed: make > long long output[…]"]);
  });

  it("compares outputs by what there was, not by what is held", () => {
    const it = talk().begin("t1").start("t1", runningCommand("c"));
    for (let count = 0; count < 5; count += 1) it.output("t1", "c", "x".repeat(heldTextUnits));
    const held = it.transcript.items[0] as Extract<Item, { kind: "command" }>;
    it.list([codexTurn("t1", "completed", [commandItem("c", "y".repeat(65_000))])]);
    expect(it.transcript.items[0]).toMatchObject({ output: held.output, status: "completed" });
  });
});

describe("a process that died", () => {
  it("leaves everything on screen, closed and with the reason", () => {
    const it = talk()
      .begin("t1")
      .complete("t1", userItem("u", "Hi"))
      .complete("t1", agentItem("m", "One"))
      .start("t1", runningCommand("c"))
      .output("t1", "c", "half")
      .kill();
    expect(it.turns).toEqual(["t1 interrupted"]);
    expect(it.transcript.lastTurn?.fault?.code).toBe("process_gone");
    const shown = ["user completed: Hi", "agent completed: One", "command lost: make > half"];
    expect(it.texts).toEqual(shown);
    // codex comes back with less than was seen.
    it.list([codexTurn("t1", "interrupted", [userItem("u", "Hi")])]);
    expect(it.texts).toEqual(shown);
    expect(it.transcript.lastTurn?.fault?.code).toBe("process_gone");
  });

  it("was no failure of a turn that codex has completed after all", () => {
    const it = talk()
      .begin("t1")
      .kill()
      .list([codexTurn("t1", "completed", [agentItem("m", "Done")])]);
    expect(it.transcript.lastTurn).toMatchObject({ status: "completed", fault: null });
  });
});

describe("codex's record", () => {
  const turn = (id: string) => codexTurn(id, "completed", [agentItem("m", `Text ${id}`)]);
  const shown = (it: Conversation) => it.transcript.turns.map((one) => one.id);

  it("goes before a turn that began while it was asked for", () => {
    expect(
      shown(
        talk()
          .begin("t3")
          .list([turn("t1"), turn("t2")], { turnId: "t3" }),
      ),
    ).toEqual(["t1", "t2", "t3"]);
    expect(
      shown(
        talk()
          .begin("t3")
          .end("t3")
          .list([turn("t1"), turn("t2")]),
      ),
    ).toEqual(["t1", "t2", "t3"]);
  });

  it("goes behind what was known before, when that is all there is", () => {
    expect(
      shown(
        talk()
          .list([turn("t1")])
          .list([turn("t2")]),
      ),
    ).toEqual(["t1", "t2"]);
  });

  it("replaces what was known when turns between the two may be missing", () => {
    const it = talk().list([turn("t1"), turn("t2")]);
    it.take(it.transcript.add({ ...noticeIn("t2"), id: "note" }));
    expect(it.transcript.meets({ turns: [asTurn(turn("t8"))], nextCursor: "c" })).toBe(false);
    it.list([turn("t8"), turn("t9")], "none", "more");
    expect(shown(it)).toEqual(["t8", "t9"]);
    expect(it.texts).toEqual(["agent completed: Text t8", "agent completed: Text t9"]);
  });

  it("keeps older pages, and what only was seen here", () => {
    const it = talk().list([turn("t3"), turn("t4")], "none", "more");
    const older = { turns: [turn("t2"), turn("t1")].map(asTurn), nextCursor: null };
    it.take(it.transcript.prepend(older, 1));
    it.take(it.transcript.add({ ...noticeIn("t3"), id: "note" }));
    it.begin("t5");
    it.list([turn("t3"), turn("t4"), turn("t6")], { turnId: "t6" }, "more");
    expect(shown(it)).toEqual(["t1", "t2", "t3", "t4", "t5", "t6"]);
    expect(it.texts.filter((text) => text.includes("notice"))).toHaveLength(1);
  });

  it("puts an older page first, without what is known", () => {
    const it = talk().list([turn("t2"), turn("t3")], "none", "more");
    const older = { turns: [turn("t2"), turn("t1"), codexTurn("t0")].map(asTurn), nextCursor: null };
    it.take(it.transcript.prepend(older, 1));
    expect(it.turns).toEqual(["t0 interrupted", "t1 completed", "t2 completed", "t3 completed"]);
    expect(it.transcript.prepend(older, 1)).toEqual([]);
  });

  it("brings back the turn of a command in the background that was heard of without it", () => {
    const it = talk()
      .list([turn("t2")], "none", "more")
      .output("t1", "c", "late");
    expect(it.texts).toEqual(["agent completed: Text t2", "command running:  > […]late"]);
    const older = {
      turns: [codexTurn("t1", "completed", [agentItem("m", "One")])].map(asTurn),
      nextCursor: null,
    };
    it.take(it.transcript.prepend(older, 1));
    expect(it.texts).toEqual([
      "agent completed: One",
      "command running:  > […]late",
      "agent completed: Text t2",
    ]);
  });

  it("changes nothing when it says nothing new", () => {
    const it = talk().list([turn("t1")]);
    expect(it.transcript.merge({ turns: [asTurn(turn("t1"))], nextCursor: null }, "none", 8)).toEqual([]);
  });

  it("keeps a remark from before the first turn before it", () => {
    const it = talk();
    it.take(it.transcript.add({ ...noticeIn(""), id: "note" }));
    it.list([turn("t1")]);
    expect(it.texts).toEqual(["notice completed: note", "agent completed: Text t1"]);
  });
});

it("finds the person's messages by their client id, and forgets the ones that are taken out", () => {
  const it = talk()
    .begin("t1")
    .complete("t1", userItem("u", "Hi", "client"));
  expect(it.transcript.sentMessage("client")?.id).toBe("t1/u");
  it.take(it.transcript.remove(["t1/u"]));
  expect(it.transcript.sentMessage("client")).toBeNull();
  expect(it.transcript.remove(["t1/u"])).toEqual([]);
  it.list([codexTurn("t1", "completed", [userItem("u", "Hi", "client")])]);
  expect(it.transcript.sentMessage("client")?.id).toBe("t1/u");
});

function noticeIn(turnId: string): Extract<Item, { kind: "notice" }> {
  return {
    id: "note",
    turnId,
    status: "completed",
    startedAtMs: 1,
    completedAtMs: 1,
    kind: "notice",
    tone: "info",
    text: "note",
    detail: null,
  };
}
