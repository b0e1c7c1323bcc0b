import { rmSync } from "node:fs";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { Database } from "./database";
import { makeTestFolder } from "./testLedger";

let folder: string;
let database: Database;

beforeEach(() => {
  folder = makeTestFolder();
  database = new Database(join(folder, "test.db"), { busyTimeoutMs: 0 });
  database.exec("CREATE TABLE parents (id INTEGER PRIMARY KEY, text TEXT) STRICT");
  database.exec("CREATE TABLE children (parent INTEGER NOT NULL REFERENCES parents (id)) STRICT");
});

afterEach(() => {
  database.close();
  rmSync(folder, { recursive: true });
});

const add = (text: string) => database.run("INSERT INTO parents (text) VALUES (?)", text);
const texts = () =>
  database.all<{ text: string }>("SELECT text FROM parents ORDER BY id").map((row) => row.text);
const synchronous = () => database.get<{ synchronous: number }>("PRAGMA synchronous")?.synchronous;
const normal = 1;
const full = 2;

describe("a database", () => {
  it("is under a write-ahead log, with full flushes and foreign keys", () => {
    expect(database.get("PRAGMA journal_mode")).toEqual({ journal_mode: "wal" });
    expect(database.get("PRAGMA foreign_keys")).toEqual({ foreign_keys: 1 });
    expect(synchronous()).toBe(full);
    expect(() => database.run("INSERT INTO children (parent) VALUES (7)")).toThrow(
      expect.objectContaining({ code: "ledger_constraint" }),
    );
  });

  it("flushes less only for what is written relaxed, even when that fails", () => {
    expect(database.relaxed(synchronous)).toBe(normal);
    expect(synchronous()).toBe(full);
    const failing = () =>
      database.relaxed(() => {
        add("lost");
        throw new Error("no");
      });
    expect(failing).toThrow("no");
    expect(synchronous()).toBe(full);
    expect(texts()).toEqual([]);
  });

  it("flushes fully when something relaxed is part of something that is not", () => {
    database.transaction(() => {
      expect(database.relaxed(synchronous)).toBe(full);
    });
  });

  it("keeps all of nested transactions or nothing", () => {
    const failing = () =>
      database.transaction(() => {
        add("outer");
        database.transaction(() => add("inner"));
        throw new Error("no");
      });
    expect(failing).toThrow("no");
    expect(texts()).toEqual([]);
    database.transaction(() => {
      add("outer");
      database.transaction(() => add("inner"));
    });
    expect(texts()).toEqual(["outer", "inner"]);
  });

  it("keeps others from writing from the start of a transaction, so that what it has read stays true", () => {
    const other = new Database(database.path, { busyTimeoutMs: 0 });
    database.transaction(() => {
      expect(texts()).toEqual([]);
      expect(() => other.run("INSERT INTO parents (text) VALUES ('other')")).toThrow(
        expect.objectContaining({ code: "ledger_busy" }),
      );
      add("own");
    });
    other.run("INSERT INTO parents (text) VALUES ('other')");
    other.close();
    expect(texts()).toEqual(["own", "other"]);
  });

  it("says that the disk is full, undoes what it began, and goes on when there is room", () => {
    add("before");
    const pages = database.get<{ page_count: number }>("PRAGMA page_count")?.page_count ?? 0;
    database.exec(`PRAGMA max_page_count = ${pages}`);
    const filling = () =>
      database.transaction(() => {
        add("begun");
        for (let count = 0; count < 100; count++) add("x".repeat(4096));
      });
    expect(filling).toThrow(expect.objectContaining({ code: "ledger_full", retryable: true }));
    expect(texts()).toEqual(["before"]);
    database.exec("PRAGMA max_page_count = 100000");
    database.transaction(() => add("after"));
    expect(texts()).toEqual(["before", "after"]);
  });

  it("reports what is wrong with a statement as a fault", () => {
    expect(() => database.all("SELECT * FROM nowhere")).toThrow(
      expect.objectContaining({ code: "ledger_failed", detail: expect.stringContaining("nowhere") }),
    );
  });
});
