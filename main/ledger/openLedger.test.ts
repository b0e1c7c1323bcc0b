import {
  chmodSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  truncateSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { DatabaseSync } from "@photostructure/sqlite";
import fc from "fast-check";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { ManualClock } from "../clock";
import { Fault } from "../fault";
import { silentLog } from "../log";
import { Database } from "./database";
import { migrations } from "./migrations";
import { type OpenedLedger, type OpenLedgerOptions, openLedger } from "./openLedger";
import { addWorkspace, makeTestFolder } from "./testLedger";

let folder: string;
let path: string;

beforeEach(() => {
  folder = makeTestFolder();
  path = join(folder, "home", "holdfast.db");
});

afterEach(() => {
  rmSync(folder, { recursive: true });
});

const startMs = Date.UTC(2026, 0, 31, 23, 59, 58, 999);

function open(options: Partial<OpenLedgerOptions> = {}) {
  return openLedger({ path, clock: new ManualClock(startMs), log: silentLog, ...options });
}

function faultOf(task: () => unknown): Fault {
  try {
    task();
  } catch (error) {
    if (error instanceof Fault) return error;
    throw error;
  }
  throw new Error("nothing was thrown");
}

/** A sound ledger with a few hundred rows, closed. */
function fillLedger(): void {
  const { ledger } = open();
  addWorkspace(ledger);
  ledger.transaction(() => {
    for (let count = 0; count < 300; count++) ledger.drafts.put(`thread-${count}`, "word ".repeat(100), []);
  });
  ledger.close();
}

function filesIn(name: string): string[] {
  return readdirSync(join(folder, name)).sort();
}

const mode = (file: string) => statSync(file).mode & 0o777;

describe("a new ledger", () => {
  it("is made with its folder, for this user only", () => {
    const { ledger, damagedFile } = open();
    expect(damagedFile).toBeUndefined();
    addWorkspace(ledger);
    expect(filesIn("home")).toEqual(["holdfast.db", "holdfast.db-shm", "holdfast.db-wal"]);
    expect(mode(join(folder, "home"))).toBe(0o700);
    for (const file of filesIn("home")) expect(mode(join(folder, "home", file))).toBe(0o600);
    ledger.close();
  });

  it("closes the folder and the file to others when they were open", () => {
    fillLedger();
    chmodSync(join(folder, "home"), 0o755);
    chmodSync(path, 0o644);
    open().ledger.close();
    expect(mode(join(folder, "home"))).toBe(0o700);
    expect(mode(path)).toBe(0o600);
  });

  it("leaves a folder that all may use as it is", () => {
    mkdirSync(join(folder, "home"));
    chmodSync(join(folder, "home"), 0o1777);
    open().ledger.close();
    expect(mode(join(folder, "home"))).toBe(0o777);
    expect(mode(path)).toBe(0o600);
  });

  it("is one file after it is closed, and the same when it is opened again", () => {
    fillLedger();
    expect(filesIn("home")).toEqual(["holdfast.db"]);
    const { ledger, damagedFile } = open();
    expect(damagedFile).toBeUndefined();
    expect(ledger.drafts.keys()).toHaveLength(300);
    ledger.close();
  });

  it("keeps what it has when it was not closed", () => {
    const abandoned = new Database(seedFile(), { busyTimeoutMs: 0 });
    abandoned.run("INSERT INTO settings (key, value) VALUES ('a', '1')");
    const copy = join(folder, "copy", "holdfast.db");
    mkdirSync(join(folder, "copy"));
    for (const suffix of ["", "-wal"]) writeFileSync(copy + suffix, readFileSync(path + suffix));
    abandoned.close();
    const { ledger, damagedFile } = open({ path: copy });
    expect(damagedFile).toBeUndefined();
    expect(ledger.settings.get("a")).toBe(1);
    ledger.close();
  });

  it("is used no more once it is closed", () => {
    const { ledger } = open();
    ledger.close();
    ledger.close();
    expect(faultOf(() => ledger.settings.get("a")).code).toBe("ledger_closed");
    expect(faultOf(() => ledger.transaction(() => 1)).code).toBe("ledger_closed");
  });
});

function seedFile(): string {
  open().ledger.close();
  return path;
}

describe("a damaged ledger", () => {
  const damages: [name: string, damage: () => void][] = [
    ["4 KB of NULs", () => writeFileSync(path, Buffer.alloc(4096))],
    ["empty", () => truncateSync(path, 0)],
    ["cut off within the header", () => truncateSync(path, 60)],
    ["cut off within the first page", () => truncateSync(path, 3000)],
    ["cut off within the pages", () => truncateSync(path, Math.floor(statSync(path).size / 2) + 100)],
    ["another kind of file", () => writeFileSync(path, "Dear diary,\n".repeat(500))],
    ["overwritten pages behind a good header", () => overwrite(4096 * 2, 4096 * 6)],
    ["an overwritten first page behind a good header", () => overwrite(100, 4096)],
    ["a format number of the future in the header", () => overwrite(18, 19, 3)],
    ["a schema format of the future in the header", () => overwrite(47, 48, 9)],
    ["NULs behind the first page", () => overwrite(4096, statSync(path).size, 0)],
  ];

  function overwrite(from: number, to: number, byte = 0xa5): void {
    const bytes = readFileSync(path);
    bytes.fill(byte, from, to);
    writeFileSync(path, bytes);
  }

  it.each(damages)("is set aside and replaced: %s", (_name, damage) => {
    fillLedger();
    damage();
    const before = readFileSync(path);

    const { ledger, damagedFile } = open();

    expect(damagedFile).toBe(`${path}.damaged-20260131T235958Z`);
    expect(readFileSync(`${path}.damaged-20260131T235958Z`).equals(before)).toBe(true);
    expect(ledger.drafts.keys()).toEqual([]);
    addWorkspace(ledger);
    ledger.close();
    expect(open().damagedFile).toBeUndefined();
  });

  it("never keeps Holdfast from starting, whatever was written into the file", () => {
    fillLedger();
    const sound = readFileSync(path);
    const damage = fc.record({
      at: fc.nat(sound.length - 1),
      bytes: fc.uint8Array({ minLength: 1, maxLength: 5000 }),
    });
    fc.assert(
      fc.property(fc.array(damage, { minLength: 1, maxLength: 4 }), (damages) => {
        const bytes = Buffer.from(sound);
        for (const { at, bytes: written } of damages) bytes.set(written.subarray(0, bytes.length - at), at);
        writeFileSync(path, bytes);
        let opened: OpenedLedger;
        try {
          opened = open();
        } catch (error) {
          // Only when the version itself, in an otherwise good header, was hit.
          expect(error).toMatchObject({ code: "ledger_newer" });
          return;
        }
        // It is in use, be it the old one or a new one.
        opened.ledger.drafts.put("a", "b", []);
        expect(opened.ledger.drafts.get("a")?.text).toBe("b");
        opened.ledger.close();
        if (opened.damagedFile) expect(readFileSync(opened.damagedFile).equals(bytes)).toBe(true);
      }),
      { numRuns: 40 },
    );
  });

  it("goes with its write-ahead log, both as they were", () => {
    const { ledger } = open();
    addWorkspace(ledger);
    const log = readFileSync(`${path}-wal`);
    expect(log.length).toBeGreaterThan(0);
    ledger.close();
    const damaged = Buffer.from(readFileSync(path).fill(0xa5, 100));
    writeFileSync(path, damaged);
    writeFileSync(`${path}-wal`, log);

    const opened = open();
    expect(readFileSync(String(opened.damagedFile)).equals(damaged)).toBe(true);
    expect(readFileSync(`${opened.damagedFile}-wal`).equals(log)).toBe(true);
    expect(opened.ledger.workspaces.list()).toEqual([]);
    opened.ledger.close();
  });

  it("does not give its write-ahead log to a new one", () => {
    const { ledger } = open();
    addWorkspace(ledger);
    const log = readFileSync(`${path}-wal`);
    ledger.close();
    rmSync(path);
    writeFileSync(`${path}-wal`, log);

    const opened = open();
    expect(opened.damagedFile).toBe(`${path}.damaged-20260131T235958Z-wal`);
    expect(readFileSync(`${path}.damaged-20260131T235958Z-wal`).equals(log)).toBe(true);
    expect(opened.ledger.workspaces.list()).toEqual([]);
    opened.ledger.close();
  });

  it("never takes the name of an earlier one", () => {
    for (const name of ["", "-2", "-3"]) {
      seedFile();
      writeFileSync(path, `damage ${name}`);
      const { ledger, damagedFile } = open();
      ledger.close();
      expect(damagedFile).toBe(`${path}.damaged-20260131T235958Z${name}`);
      expect(readFileSync(String(damagedFile), "utf8")).toBe(`damage ${name}`);
    }
  });

  it("may be another program's database", () => {
    seedFile();
    rmSync(path);
    const other = new DatabaseSync(path);
    other.exec("CREATE TABLE songs (name TEXT); INSERT INTO songs VALUES ('Holdfast')");
    other.close();
    const { ledger, damagedFile } = open();
    ledger.close();
    const kept = new DatabaseSync(String(damagedFile));
    expect(kept.prepare("SELECT name FROM songs").get()).toMatchObject({ name: "Holdfast" });
    kept.close();
  });
});

describe("migrations", () => {
  const latest = migrations.length;
  const second = {
    version: latest + 1,
    sql: "ALTER TABLE workspaces ADD COLUMN colour TEXT; UPDATE workspaces SET colour = 'blue';",
  };
  const third = { version: latest + 2, sql: "CREATE TABLE later (id TEXT PRIMARY KEY) STRICT" };
  const versionIn = (file: string) => readFileSync(file).readInt32BE(60);

  it("are taken from every earlier version, keeping what was there", () => {
    const earlierSteps = migrations.map((_, index) => migrations.slice(0, index + 1));
    const versions = [...earlierSteps, [...migrations, second], [...migrations, second, third]];
    for (const [index, steps] of versions.entries()) {
      for (const earlier of versions.slice(0, index)) {
        rmSync(join(folder, "home"), { recursive: true, force: true });
        const { ledger } = open({ steps: earlier });
        const id = addWorkspace(ledger);
        ledger.close();

        const opened = open({ steps });
        expect(opened.damagedFile).toBeUndefined();
        expect(opened.ledger.workspaces.get(id).name).toBe("engine");
        // At once, not only when it is closed: an older Holdfast may look at any time.
        expect(versionIn(path)).toBe(steps.length);
        opened.ledger.close();
      }
    }
  });

  it("are all taken for a new file", () => {
    open({ steps: [...migrations, second, third] }).ledger.close();
    const database = new DatabaseSync(path);
    expect(database.prepare("SELECT count(*) AS count FROM later").get()).toEqual({ count: 0 });
    database.close();
  });

  it("are undone together when one fails, and nothing is set aside", () => {
    fillLedger();
    const broken = {
      version: latest + 2,
      sql: "CREATE TABLE half (id TEXT); INSERT INTO nowhere VALUES (1);",
    };
    const fault = faultOf(() => open({ steps: [...migrations, second, broken] }));
    expect(fault.code).toBe("ledger_failed");
    expect(versionIn(path)).toBe(latest);
    const { ledger, damagedFile } = open({ steps: [...migrations, second] });
    expect(damagedFile).toBeUndefined();
    expect(ledger.drafts.keys()).toHaveLength(300);
    ledger.close();
  });

  it("refuse a file of a newer Holdfast and leave it as it is", () => {
    fillLedger();
    open({ steps: [...migrations, second] }).ledger.close();
    const before = readFileSync(path);
    const fault = faultOf(() => open());
    expect(fault.code).toBe("ledger_newer");
    expect(fault.hint).toContain("newer version");
    expect(readFileSync(path).equals(before)).toBe(true);
    expect(filesIn("home")).toEqual(["holdfast.db"]);
  });

  it("refuse it also while only its write-ahead log tells the version", () => {
    seedFile();
    const newer = new DatabaseSync(path);
    newer.exec("PRAGMA wal_autocheckpoint = 0; PRAGMA user_version = 777");
    const before = readFileSync(path);
    const log = readFileSync(`${path}-wal`);
    expect(before.readInt32BE(60)).toBe(latest);

    expect(faultOf(() => open()).code).toBe("ledger_newer");
    expect(readFileSync(path).equals(before)).toBe(true);
    expect(readFileSync(`${path}-wal`).equals(log)).toBe(true);
    newer.close();
  });

  it("refuse a newer one that does not say it is Holdfast's, if it is sound", () => {
    seedFile();
    rmSync(path);
    const other = new DatabaseSync(path);
    other.exec("CREATE TABLE things (id TEXT); PRAGMA user_version = 9999");
    other.close();
    const before = readFileSync(path);
    expect(faultOf(() => open()).code).toBe("ledger_newer");
    expect(readFileSync(path).equals(before)).toBe(true);
  });
});

describe("a place that cannot be used", () => {
  it("is named when the folder is a file", () => {
    writeFileSync(join(folder, "home"), "");
    const fault = faultOf(() => open());
    expect(fault.code).toBe("ledger_unusable");
    expect(fault.hint).toContain(join(folder, "home"));
  });

  it("is named when the file is a folder, which stays", () => {
    mkdirSync(path, { recursive: true });
    expect(faultOf(() => open()).code).toBe("ledger_unusable");
    expect(statSync(path).isDirectory()).toBe(true);
  });

  it.runIf(existsSync("/proc/self"))("is named when the file system takes no files", () => {
    expect(faultOf(() => open({ path: "/proc/self/holdfast.db" })).code).toBe("ledger_unusable");
  });
});

describe("a disk that is full when the ledger is closed", () => {
  it("loses nothing", () => {
    const { ledger } = open();
    ledger.drafts.put("a", "written", []);
    // The file cannot grow, the log could: what SQLite meets on a full disk.
    const failing = vi.spyOn(Database.prototype, "exec").mockImplementation((sql) => {
      throw new Fault("ledger_full", sql);
    });
    ledger.close();
    expect(failing).toHaveBeenCalledWith("PRAGMA busy_timeout = 0");
    failing.mockRestore();
    const opened = open();
    expect(opened.ledger.drafts.get("a")?.text).toBe("written");
    opened.ledger.close();
  });
});

describe("another program in the same file", () => {
  it("is waited for, and then named", () => {
    const { ledger } = open({ busyTimeoutMs: 20 });
    const other = new Database(path, { busyTimeoutMs: 0 });
    other.exec("BEGIN IMMEDIATE");
    const fault = faultOf(() => ledger.settings.set("a", 1));
    expect(fault.code).toBe("ledger_busy");
    expect(fault.retryable).toBe(true);
    other.exec("COMMIT");
    ledger.settings.set("a", 1);
    expect(ledger.settings.get("a")).toBe(1);
    other.close();
    ledger.close();
  });

  it("does not hold up closing", () => {
    const { ledger } = open({ busyTimeoutMs: 60_000 });
    ledger.settings.set("a", 1);
    const reader = new Database(path, { busyTimeoutMs: 0 });
    reader.exec("BEGIN");
    reader.all("SELECT * FROM settings");
    ledger.close();
    reader.close();
    const opened = open();
    expect(opened.ledger.settings.get("a")).toBe(1);
    opened.ledger.close();
  });
});
