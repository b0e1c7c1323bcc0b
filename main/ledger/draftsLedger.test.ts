import fc from "fast-check";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import type { Attachment } from "../../preload/contract/items";
import { makeTestLedger, type TestLedger } from "./testLedger";

let test: TestLedger;

beforeEach(() => {
  test = makeTestLedger();
});

afterEach(() => {
  test.remove();
});

const image: Attachment = { kind: "image", path: "/tmp/\ud83d\ude00.png", name: "a\n\ud800.png", bytes: 12 };
/** Any UTF-16 at all: unpaired surrogates, NULs, noncharacters. */
const anyText = fc
  .array(fc.oneof(fc.nat(0xffff), fc.constantFrom(0, 0x0a, 0x41, 0xd800, 0xdbff, 0xdc00, 0xdfff, 0xfeff)), {
    maxLength: 40,
  })
  .map((units) => String.fromCharCode(...units));

describe("a draft", () => {
  it.each([
    ["tabs and line breaks", "\tif (a)\r\n\n\t\tb\u2028\u2029 \n"],
    ["an opening mention", "@w"],
    ["an unpaired surrogate", "a\ud83d b \udc00"],
    ["a NUL", "a\0b\0"],
    ["a NUL and a pair", "\0\ud83d\ude00"],
    ["what looks like a byte order mark", "\ufeffhello"],
    ["characters that look composed", "e\u0301 \u00e9"],
  ])("comes back exactly: %s", (_name, text) => {
    test.ledger.drafts.put("thread", text, [image]);
    expect(test.reopen().drafts.get("thread")).toEqual({
      key: "thread",
      text,
      attachments: [image],
      updatedAtMs: test.clock.nowMs(),
    });
  });

  it("comes back exactly, whatever it is", () => {
    fc.assert(
      fc.property(anyText, anyText, (text, name) => {
        test.ledger.drafts.put("thread", text, [{ kind: "mention", path: name, name }]);
        const draft = test.ledger.drafts.get("thread");
        expect(draft?.text).toBe(text);
        expect(draft?.attachments).toEqual([{ kind: "mention", path: name, name }]);
      }),
      { numRuns: 300 },
    );
  });

  it("comes back exactly when it is megabytes long", () => {
    for (const text of [
      "0123456789abcdef".repeat(512 * 1024),
      `\ud800${"\ud83d\ude00".repeat(1024 * 1024)}`,
    ]) {
      test.ledger.drafts.put("thread", text, []);
      // Not toBe: a failure would print megabytes.
      expect(test.ledger.drafts.get("thread")?.text === text).toBe(true);
    }
  });

  it("replaces the one before, and is none when it is empty", () => {
    const { drafts } = test.ledger;
    drafts.put("a", "one", []);
    drafts.put("a", "two", []);
    drafts.put("b", "", [image]);
    expect(drafts.get("a")?.text).toBe("two");
    expect(drafts.keys()).toEqual(["a", "b"]);
    drafts.put("a", "", []);
    drafts.put("b", "", []);
    expect(drafts.get("a")).toBeNull();
    expect(drafts.keys()).toEqual([]);
  });

  it("keeps white space that somebody typed", () => {
    test.ledger.drafts.put("a", "\n", []);
    expect(test.ledger.drafts.get("a")?.text).toBe("\n");
  });
});

describe("moving a draft", () => {
  it("gives it the new key only", () => {
    const { drafts } = test.ledger;
    drafts.put("new:w", "text", [image]);
    drafts.move("new:w", "thread");
    expect(drafts.keys()).toEqual(["thread"]);
    expect(drafts.get("thread")).toMatchObject({ text: "text", attachments: [image] });
    expect(drafts.listParked()).toEqual([]);
  });

  it("does nothing when there is none, or it is there already", () => {
    const { drafts } = test.ledger;
    drafts.put("thread", "kept", []);
    drafts.move("new:w", "thread");
    drafts.move("thread", "thread");
    expect(drafts.get("thread")?.text).toBe("kept");
    expect(drafts.listParked()).toEqual([]);
  });

  it("parks what is in the way", () => {
    const { drafts } = test.ledger;
    drafts.put("thread", "typed elsewhere", []);
    drafts.put("new:w", "moved", []);
    drafts.move("new:w", "thread");
    expect(drafts.get("thread")?.text).toBe("moved");
    expect(drafts.listParked()).toMatchObject([{ key: "thread", text: "typed elsewhere" }]);
  });
});

describe("parking a draft", () => {
  it("puts it aside exactly and starts empty", () => {
    const { drafts } = test.ledger;
    drafts.put("thread", "bad \ud800", [image]);
    const typedAtMs = test.clock.nowMs();
    test.clock.advance(1_000);
    const parked = drafts.park("thread");
    expect(parked).toEqual({
      parkedId: parked?.parkedId,
      key: "thread",
      text: "bad \ud800",
      attachments: [image],
      updatedAtMs: typedAtMs,
      parkedAtMs: typedAtMs + 1_000,
    });
    expect(drafts.get("thread")).toBeNull();
    expect(test.reopen().drafts.listParked()).toEqual([parked]);
  });

  it("keeps every one that was parked until it is deleted", () => {
    const { drafts } = test.ledger;
    for (const text of ["one", "two"]) {
      drafts.put("thread", text, []);
      drafts.park("thread");
    }
    expect(drafts.park("thread")).toBeNull();
    const [newest, oldest] = drafts.listParked();
    expect([newest?.text, oldest?.text]).toEqual(["two", "one"]);
    drafts.deleteParked(newest?.parkedId ?? 0);
    expect(drafts.listParked()).toEqual([oldest]);
  });
});

describe("a transaction", () => {
  it("undoes everything when it throws", () => {
    const { drafts } = test.ledger;
    drafts.put("a", "kept", []);
    const failing = () =>
      test.ledger.transaction(() => {
        drafts.move("a", "b");
        drafts.put("c", "new", []);
        throw new Error("no");
      });
    expect(failing).toThrow("no");
    expect(drafts.keys()).toEqual(["a"]);
    // And the next one is not part of it.
    test.ledger.transaction(() => drafts.delete("a"));
    expect(test.reopen().drafts.keys()).toEqual([]);
  });
});
