import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { makeTestLedger, type TestLedger } from "./testLedger";

let test: TestLedger;

beforeEach(() => {
  test = makeTestLedger();
});

afterEach(() => test.remove());

const kept = () => Object.fromEntries(test.ledger.threadEnvironments.list());

describe("where a thread works", () => {
  it("is there after a restart, exactly as it was chosen, until another place is", () => {
    const cwd = "C:\\Users\\Ada\\\u0000\ud800 ü";
    test.ledger.threadEnvironments.set("thread-1", { environmentId: "box", cwd });
    test.ledger.threadEnvironments.set("thread-2", { environmentId: "box", cwd: "/srv" });
    test.reopen();
    expect(kept()).toEqual({
      "thread-1": { environmentId: "box", cwd },
      "thread-2": { environmentId: "box", cwd: "/srv" },
    });
    test.ledger.threadEnvironments.set("thread-1", { environmentId: "crate", cwd: "/srv" });
    test.ledger.threadEnvironments.set("thread-2", null);
    expect(kept()).toEqual({ "thread-1": { environmentId: "crate", cwd: "/srv" } });
  });

  it("moves from the key to the id, over what was there", () => {
    test.ledger.threadEnvironments.set("key", { environmentId: "box", cwd: "/srv" });
    test.ledger.threadEnvironments.set("thread-1", { environmentId: "crate", cwd: "/opt" });
    test.ledger.threadEnvironments.move("key", "thread-1");
    test.ledger.threadEnvironments.move("nothing", "thread-2");
    expect(kept()).toEqual({ "thread-1": { environmentId: "box", cwd: "/srv" } });
  });
});
