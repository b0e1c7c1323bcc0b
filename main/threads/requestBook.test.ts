import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { Fault } from "../fault";
import { addWorkspace, makeTestLedger, type TestLedger } from "../ledger/testLedger";
import { silentLog } from "../log";
import { RequestBook, type RequestChannel } from "./requestBook";
import { commandApproval } from "./testCodexData";

const method = "item/commandExecution/requestApproval";

/** One connection to codex: a request has one answer on it, as RpcClient sees to. */
class Channel implements RequestChannel {
  readonly handleId: string;
  readonly sent: unknown[] = [];
  isOpen = true;
  readonly #waiting = new Set<number | string>();

  constructor(handleId = "h1") {
    this.handleId = handleId;
  }

  asked(id: number | string) {
    this.#waiting.add(id);
  }

  respond(id: number | string, result: unknown): boolean {
    if (!this.isOpen || !this.#waiting.delete(id)) return false;
    this.sent.push({ id, result });
    return true;
  }

  respondError(id: number | string, code: number): boolean {
    if (!this.isOpen || !this.#waiting.delete(id)) return false;
    this.sent.push({ id, code });
    return true;
  }
}

let test: TestLedger;
let changed: string[];
let book: RequestBook;

function newBook(): RequestBook {
  return new RequestBook({
    clock: test.clock,
    log: silentLog,
    records: test.ledger.requests,
    changed: (threadId) => changed.push(threadId),
  });
}

function addHandle(handleId: string): void {
  test.ledger.handles.intend({
    handleId,
    sessionId: "s",
    workspaceId: "w",
    profileId: "user",
    marker: handleId,
    command: { file: "codex", args: [], workingDirectory: "/" },
    channel: { kind: "stdio" },
    teardown: null,
    logPath: null,
  });
}

function ask(
  channel: Channel,
  id: number | string,
  params: object = commandApproval("T", "t1"),
  as = method,
) {
  channel.asked(id);
  return book.received(channel, { id, method: as, params }, () => ["a.txt"]);
}

const keys = () => book.waiting.map((request) => request.key);

beforeEach(() => {
  test = makeTestLedger();
  addWorkspace(test.ledger);
  addHandle("h1");
  addHandle("h2");
  changed = [];
  book = newBook();
});

afterEach(() => test.remove());

describe("answers", () => {
  it("go to the very request that was clicked, whatever its id looks like", () => {
    const channel = new Channel();
    ask(channel, 0);
    ask(channel, "a1");
    ask(channel, "0");
    expect(keys()).toEqual(["h1:number:0", "h1:string:a1", "h1:string:0"]);
    expect(book.answer("h1:string:a1", "decline")).toBe("sent");
    expect(book.answer("h1:number:0", "accept")).toBe("sent");
    expect(channel.sent).toEqual([
      { id: "a1", result: { decision: "decline" } },
      { id: 0, result: { decision: "accept" } },
    ]);
    expect(book.waiting.map(({ key, answering }) => [key, answering])).toEqual([
      ["h1:number:0", true],
      ["h1:string:a1", true],
      ["h1:string:0", false],
    ]);
  });

  it("are given once: the second click, or window, is told that it has gone", () => {
    const channel = new Channel();
    ask(channel, 7);
    expect(book.answer("h1:number:7", "accept")).toBe("sent");
    expect(book.answer("h1:number:7", "decline")).toBe("gone");
    expect(channel.sent).toEqual([{ id: 7, result: { decision: "accept" } }]);
  });

  it("find nothing once codex has settled it elsewhere, in the same tick", () => {
    const channel = new Channel();
    ask(channel, 7);
    book.resolved("h1", 7);
    expect(book.answer("h1:number:7", "accept")).toBe("gone");
    expect(channel.sent).toEqual([]);
    expect(book.waiting).toEqual([]);
    expect(test.ledger.requests.get("h1", 7)?.state).toBe("resolved");
  });

  it("are on disk before they are sent; what cannot be written down is not sent", () => {
    const channel = new Channel();
    channel.asked(7);
    const records = {
      receive: test.ledger.requests.receive.bind(test.ledger.requests),
      answer: () => {
        throw new Fault("disk_full", "The disk is full.");
      },
    } as unknown as typeof test.ledger.requests;
    book = new RequestBook({ clock: test.clock, log: silentLog, records, changed: () => {} });
    book.received(channel, { id: 7, method, params: commandApproval("T", "t1") }, () => []);
    expect(() => book.answer("h1:number:7", "accept")).toThrow(
      expect.objectContaining({ code: "ledger_failed" }),
    );
    expect(channel.sent).toEqual([]);
    expect(book.waiting[0]?.answering).toBe(false);
  });

  it("that codex did not offer leave the request open", () => {
    ask(new Channel(), 7);
    expect(() => book.answer("h1:number:7", "nonsense")).toThrow(Fault);
    expect(book.waiting).toHaveLength(1);
  });

  it("are shown as on their way in a new view, so that a window's copy can tell", () => {
    ask(new Channel(), 7);
    const before = book.waiting[0];
    book.answer("h1:number:7", "accept");
    expect(before?.answering).toBe(false);
    expect(book.waiting[0]?.answering).toBe(true);
  });

  it("can be given although the request could not be written down when it came", () => {
    const channel = new Channel("h3");
    expect(ask(channel, 7).type).toBe("shown");
    expect(() => book.answer("h3:number:7", "accept")).toThrow(
      expect.objectContaining({ code: "ledger_failed" }),
    );
    addHandle("h3");
    expect(book.answer("h3:number:7", "accept")).toBe("sent");
    expect(test.ledger.requests.get("h3", 7)).toMatchObject({ state: "answered" });
  });
});

describe("after a reconnect codex asks again", () => {
  it("what was not answered is shown once, and answered over the new connection", () => {
    const first = new Channel();
    ask(first, 0);
    first.isOpen = false;
    book.resumed("T");
    const second = new Channel();
    expect(ask(second, 0).type).toBe("shown");
    expect(book.waiting).toHaveLength(1);
    expect(book.answer("h1:number:0", "accept")).toBe("sent");
    expect(second.sent).toEqual([{ id: 0, result: { decision: "accept" } }]);
  });

  it("what was answered when the connection had gone gets that answer, and nobody is asked", () => {
    const first = new Channel();
    ask(first, 0);
    first.isOpen = false;
    expect(book.answer("h1:number:0", "decline")).toBe("sent");
    const second = new Channel();
    expect(ask(second, 0)).toMatchObject({ type: "answeredAgain", request: { threadId: "T" } });
    expect(second.sent).toEqual([{ id: 0, result: { decision: "decline" } }]);
  });

  it("what was answered and is not asked again is over, and still answered should codex ask later", () => {
    ask(new Channel(), 0);
    book.answer("h1:number:0", "accept");
    book.resumed("other");
    expect(book.waiting).toHaveLength(1);
    book.resumed("T");
    expect(book.waiting).toEqual([]);
    const second = new Channel();
    expect(ask(second, 0).type).toBe("answeredAgain");
    expect(second.sent).toEqual([{ id: 0, result: { decision: "accept" } }]);
    expect(book.waiting).toEqual([]);
  });

  it("what an earlier run of Holdfast has shown has been waiting since then", () => {
    ask(new Channel(), 7);
    const askedAtMs = test.clock.nowMs();
    test.clock.advance(60_000);
    test.reopen();
    book = newBook();
    ask(new Channel(), 7);
    ask(new Channel(), 8);
    expect(book.waiting.map((request) => request.askedAtMs)).toEqual([askedAtMs, askedAtMs + 60_000]);
  });

  it("what an earlier run of Holdfast has answered gets that answer", () => {
    ask(new Channel(), 0);
    book.answer("h1:number:0", "decline");
    test.reopen();
    book = newBook();
    const channel = new Channel();
    expect(ask(channel, 0).type).toBe("answeredAgain");
    expect(channel.sent).toEqual([{ id: 0, result: { decision: "decline" } }]);
  });

  it("the same id of another process, or about something else, is another request", () => {
    ask(new Channel(), 0);
    book.answer("h1:number:0", "accept");
    book.processGone("h1");
    expect(ask(new Channel("h2"), 0).type).toBe("shown");
    book.answer("h2:number:0", "accept");
    book.resolved("h2", 0);
    expect(ask(new Channel("h2"), 0, commandApproval("T", "t2")).type).toBe("shown");
    expect(book.waiting).toHaveLength(1);
  });
});

describe("requests are withdrawn", () => {
  beforeEach(() => {
    const channel = new Channel();
    ask(channel, 1);
    ask(channel, 2, commandApproval("T", "t2"));
    ask(channel, 3, commandApproval("other", "t1"));
    const elicitation = {
      threadId: "T",
      turnId: null,
      serverName: "s",
      mode: "url",
      url: "https://x.y",
      message: "m",
      elicitationId: "e",
    };
    ask(channel, 4, elicitation, "mcpServer/elicitation/request");
    ask(new Channel("h2"), 1, commandApproval("far", "t1"));
    changed = [];
  });

  it("when their turn has ended", () => {
    book.turnEnded("T", "t1");
    expect(keys()).toEqual(["h1:number:2", "h1:number:3", "h1:number:4", "h2:number:1"]);
    expect(changed).toEqual(["T"]);
    expect(test.ledger.requests.get("h1", 1)?.state).toBe("withdrawn");
    expect(book.answer("h1:number:1", "accept")).toBe("gone");
  });

  it("when nothing runs in the thread, except what belongs to no turn", () => {
    book.idle("T");
    expect(keys()).toEqual(["h1:number:3", "h1:number:4", "h2:number:1"]);
  });

  it("when their process has gone, also in the ledger", () => {
    book.processGone("h1");
    expect(keys()).toEqual(["h2:number:1"]);
    expect(test.ledger.requests.listOpen("h1")).toEqual([]);
    expect(test.ledger.requests.listOpen("h2")).toHaveLength(1);
  });
});

describe("what is asked", () => {
  it("is refused when Holdfast does not know it, and said", () => {
    const channel = new Channel();
    expect(ask(channel, 99, { threadId: "T" }, "future/unknownRequest")).toMatchObject({
      type: "unknown",
      threadId: "T",
    });
    expect(channel.sent).toEqual([{ id: 99, code: -32601 }]);
    expect(book.waiting).toEqual([]);
  });

  it("shows the files of the change that is asked about", () => {
    const params = { threadId: "T", turnId: "t1", itemId: "call_9", startedAtMs: 1, reason: null };
    ask(new Channel(), 5, params, "item/fileChange/requestApproval");
    expect(book.waiting[0]).toMatchObject({ kind: "fileChange", files: ["a.txt"], itemId: "t1/call_9" });
  });
});
