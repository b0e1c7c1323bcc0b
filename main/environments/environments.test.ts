import { rename, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import type { RegistryView } from "../../preload/contract/environments";
import { Database } from "../ledger/database";
import { fixed, TestBook } from "./testBook";

let book: TestBook;

beforeEach(() => {
  book = new TestBook();
});

afterEach(async () => {
  await book.close();
});

const nowhere = "ws://127.0.0.1:1";

describe("an environment that is added", () => {
  it("is listed at once, not connected to, and there again after a restart", async () => {
    const id = book.add(nowhere, "  Build box ");
    const view = {
      environmentId: id,
      name: "Build box",
      registry: fixed(nowhere),
      tokens: [],
      connection: { state: "not connected", fault: null },
      info: null,
      check: null,
      refreshing: false,
      server: null,
    };
    expect(book.told).toEqual([[view]]);
    expect(book.environments.name(id)).toBe("Build box");
    await book.restart();
    expect(book.environments.views).toEqual([view]);
  });

  it("is connected to when it is checked, and says how long the answer took and what it is", async () => {
    const executor = await book.executor();
    const id = book.add(executor.url);
    await book.environments.check(id);
    await book.until(() => book.view(id).info !== null);
    const { connection, check, info } = book.view(id);
    expect(connection).toEqual({
      state: "connected",
      identity: executor.url,
      session: expect.any(Number),
      registration: executor.url,
      sinceMs: book.clock.nowMs(),
    });
    expect(check).toMatchObject({ atMs: book.clock.nowMs(), fault: null });
    expect(check?.latencyMs).toBeGreaterThan(0);
    expect(info).toMatchObject({ version: "0.171.0", folder: executor.folder, platform: "linux" });
    expect(book.told.at(-1)).toMatchObject([{ check }]);
  });

  it("is connected to when codex asks where it is, so that its loss is known at once", async () => {
    const executor = await book.executor();
    const id = book.add(executor.url);
    const { url } = await book.environments.locate(id);
    expect(url).toBe(executor.url);
    await book.until(() => book.view(id).connection.state === "connected");
    await executor.kill();
    await book.until(() => book.view(id).connection.state === "reconnecting");
  });

  it("that cannot be reached says why, and its check says so too", async () => {
    const id = book.add(nowhere);
    await book.environments.check(id);
    const fault = {
      code: "connect_failed",
      message: "The exec-server of this environment cannot be reached.",
    };
    expect(book.view(id)).toMatchObject({
      connection: { state: "not connected", fault },
      check: { latencyMs: null, fault },
    });
  });

  it("is asked once when two check it at once", async () => {
    const executor = await book.executor();
    const id = book.add(executor.url);
    await Promise.all([book.environments.check(id), book.environments.check(id)]);
    expect(book.told.filter(([view]) => view?.check !== null)).toHaveLength(1);
  });

  it.each<[string, RegistryView, string]>([
    ["an address that is none", fixed("build box"), '"url" is not an address'],
    ["an address of the web", fixed("https://example.org"), '"url" must begin with ws:// or wss://'],
    [
      "an address with a password",
      fixed("ws://ada:secret@127.0.0.1:1"),
      "must not have a name or a password in it",
    ],
    ["no address", fixed("  "), "nothing is written there"],
    ["a file by half a path", { kind: "file", path: "box.json" }, '"path" must be a full path'],
    ["no command", { kind: "command", command: " ", args: [] }, "nothing is written there"],
    ["an argument with a NUL", { kind: "command", command: "where", args: ["a\0b"] }, "there is a NUL in it"],
  ])("is refused with %s, and nothing is kept", (_what, registry, problem) => {
    const adding = () => book.environments.add("box", registry, []);
    expect(adding).toThrow(
      expect.objectContaining({ code: "environment_invalid", message: expect.stringContaining(problem) }),
    );
    expect(adding).toThrow(expect.objectContaining({ message: expect.not.stringContaining("ada:") }));
    expect(book.environments.views).toEqual([]);
    expect(book.stored.ledger.environments.list()).toEqual([]);
  });

  it("needs a name of its own, which one that is changed may keep", () => {
    const first = book.add(nowhere, "first");
    book.add(nowhere, "second");
    expect(() => book.add(nowhere, "first ")).toThrow(
      expect.objectContaining({ code: "environment_name_taken" }),
    );
    // They read alike.
    for (const name of ["First", "fir  st", " FIRST"]) {
      expect(() => book.add(nowhere, name)).toThrow(
        expect.objectContaining({ message: 'There is an environment with the name "first" already.' }),
      );
    }
    book.environments.change(first, "First", fixed(nowhere));
    expect(() => book.environments.change(first, "second", fixed(nowhere))).toThrow(
      expect.objectContaining({ code: "environment_name_taken" }),
    );
    // With what nobody sees, they look the same.
    expect(() => book.add(nowhere, "se\u200bcond\u202e\n")).toThrow(
      expect.objectContaining({ code: "environment_name_taken" }),
    );
    expect(() => book.add(nowhere, "\u202e\u0007")).toThrow(
      expect.objectContaining({ code: "environment_name_invalid" }),
    );
    book.environments.change(first, "first", fixed("ws://127.0.0.1:2"));
    expect(book.view(first)).toMatchObject({ name: "first", registry: { url: "ws://127.0.0.1:2" } });
  });
});

describe("a refresh", () => {
  it("goes over to what the registry names now, and says meanwhile that it does", async () => {
    const [before, after] = [await book.executor(), await book.executor()];
    const path = join(before.folder, "environment.json");
    const register = async (url: string, identity: string) => {
      await writeFile(`${path}.new`, JSON.stringify({ url, identity }));
      await rename(`${path}.new`, path);
    };
    await register(before.url, "before");
    const id = book.environments.add("box", { kind: "file", path }, []);
    const { files } = book.environments.get(id);
    await book.environments.check(id);
    await register(after.url, "after");
    const refreshing = book.environments.refresh(id);
    expect(book.view(id).refreshing).toBe(true);
    await refreshing;
    expect(book.view(id)).toMatchObject({
      refreshing: false,
      connection: { state: "connected", identity: "after" },
      check: { fault: null },
    });
    await book.until(() => book.view(id).info?.folder === after.folder);
    expect(book.environments.get(id).files).toBe(files);
    expect(book.told.at(-1)).toEqual(book.environments.views);
  });

  it("that fails says why, and the connection in use stays", async () => {
    const executor = await book.executor();
    const path = join(executor.folder, "environment.json");
    await writeFile(path, JSON.stringify({ url: executor.url, identity: "one" }));
    const id = book.environments.add("box", { kind: "file", path }, []);
    await book.environments.check(id);
    await writeFile(path, JSON.stringify({ url: executor.url }));
    await expect(book.environments.refresh(id)).rejects.toMatchObject({ code: "registry_invalid" });
    expect(book.view(id)).toMatchObject({
      refreshing: false,
      connection: { state: "connected", identity: "one" },
    });
  });

  it("takes what was changed into use", async () => {
    const [before, after] = [await book.executor(), await book.executor()];
    const id = book.add(before.url);
    await book.environments.check(id);
    book.environments.change(id, "box", fixed(after.url, "after"));
    expect(book.view(id).connection).toMatchObject({ state: "connected", identity: before.url });
    await book.environments.refresh(id);
    expect(book.view(id).connection).toMatchObject({ state: "connected", identity: "after" });
  });
});

describe("removing", () => {
  it("is refused while something uses it, in words that say what", async () => {
    const id = book.add(nowhere);
    book.use.using = { threads: ["Fix the tests", "Two", "Three", "Four"], terminals: ["make"] };
    await expect(book.environments.remove(id, { evenIfUsed: false })).rejects.toMatchObject({
      code: "environment_in_use",
      message:
        'This environment is in use: 4 threads ("Fix the tests", "Two", "Three" and 1 more); 1 terminal ("make").',
    });
    expect(book.environments.name(id)).toBe("box");
    await book.environments.remove(id, { evenIfUsed: true });
    expect(book.environments.name(id)).toBeNull();
  });

  it("ends what runs in it, and nothing of it is left", async () => {
    const executor = await book.executor();
    const id = book.add(executor.url, "box", [{ name: "token", token: "tok-1234" }]);
    const environment = book.environments.get(id);
    await environment.probe();
    await book.environments.remove(id, { evenIfUsed: false });
    await expect(environment.probe()).rejects.toMatchObject({ reason: "closed" });
    expect(() => book.environments.get(id)).toThrow(expect.objectContaining({ code: "environment_unknown" }));
    expect(book.told.at(-1)).toEqual([]);
    await book.restart();
    expect(book.environments.views).toEqual([]);
    expect(book.stored.ledger.environmentTokens.list()).toEqual([]);
  });
});

describe("the exec-server of an environment on this machine", () => {
  it("is not stopped while something runs in it, and is when that is wished; the environment lets go of it first", async () => {
    const executor = await book.executor();
    const { servers } = book;
    const target = {
      url: executor.url,
      identity: "here",
      registration: "here",
      credential: { kind: "none" as const },
    };
    servers.registry = () => ({ deadlineMs: 1_000, lookUp: async () => target });
    const stops: unknown[] = [];
    servers.stop = async () => {
      stops.push(book.environments.views.map(({ connection }) => connection));
    };
    const id = book.environments.add("here", { kind: "local" }, []);
    await book.environments.check(id);
    book.use.running = { threads: [], terminals: ["make"] };
    await expect(book.environments.stop(id, { evenIfUsed: false })).rejects.toMatchObject({
      code: "environment_in_use",
      message: 'This environment is in use: 1 terminal ("make").',
    });
    expect(book.view(id).connection).toMatchObject({ state: "connected" });
    await book.environments.stop(id, { evenIfUsed: true });
    expect(stops).toEqual([[{ state: "not connected", fault: null }]]);
    await book.environments.check(id);
    expect(book.view(id)).toMatchObject({ connection: { state: "connected" }, server: { state: "stopped" } });
    await book.environments.remove(id, { evenIfUsed: false });
    // It is off the list then.
    expect(stops).toEqual([[{ state: "not connected", fault: null }], []]);
  });

  it("is started and stopped only where Holdfast runs it, and an environment stays where it was added", async () => {
    const id = book.add(nowhere);
    const fault = { code: "environment_not_local" };
    await expect(book.environments.start(id)).rejects.toMatchObject(fault);
    await expect(book.environments.stop(id, { evenIfUsed: true })).rejects.toMatchObject(fault);
    expect(() => book.environments.change(id, "box", { kind: "local" })).toThrow(
      expect.objectContaining({ code: "environment_kind_fixed" }),
    );
  });
});

it("an executor that is gone is said to be reconnected to, and to be gone when that takes too long", async () => {
  const executor = await book.executor();
  const id = book.add(executor.url);
  await book.environments.check(id);
  await executor.kill();
  await book.until(() => book.view(id).connection.state === "reconnecting");
  book.clock.advance(25_000);
  expect(book.view(id)).toMatchObject({
    connection: { state: "not connected", fault: { code: "environment_disconnected" } },
    // What was known of it is still shown, with when that was.
    check: { fault: null },
    info: { version: "0.171.0" },
  });
});

it("a row that cannot be read takes no other with it, and is left where it is", async () => {
  book.add(nowhere, "sound");
  book.stored.ledger.environments.add({ name: "later", registry: { kind: "teleport" } });
  await book.restart();
  expect(book.environments.views.map(({ name }) => name)).toEqual(["sound"]);
  expect(book.environments.unreadable).toEqual(["later"]);
  expect(book.stored.ledger.environments.list()).toHaveLength(2);
});

it("what is begun in an environment is in the ledger, and settled when it ends or Holdfast does", async () => {
  const executor = await book.executor();
  const environment = book.environments.get(book.add(executor.url));
  const spec = {
    cwd: `file://${executor.folder}`,
    env: {},
    inherits: "core",
    terminal: false,
    input: true,
  } as const;
  const told: string[] = [];
  await environment.start({ ...spec, argv: ["cat"] }, ({ type }) => told.push(type));
  await environment.start({ ...spec, argv: ["true"] }, ({ type }) => told.push(type));
  await book.until(() => told.includes("closed"));
  expect(recorded()).toEqual([
    { argv: '["cat"]', outcome: null },
    { argv: '["true"]', outcome: "closed" },
  ]);
  await book.restart();
  // Whether the executor has still told its end, or the session was over first.
  expect(recorded()).toMatchObject([
    { outcome: expect.stringMatching(/^(closed|lost)$/) },
    { outcome: "closed" },
  ]);
});

function recorded(): unknown[] {
  const database = new Database(book.stored.path, { busyTimeoutMs: 1_000, readOnly: true });
  try {
    return database
      .all<object>("SELECT argv, outcome FROM executor_processes ORDER BY rowid")
      .map((row) => ({ ...row }));
  } finally {
    database.close();
  }
}

it("changes of connections that follow closely are told together, and nothing is told twice", async () => {
  const executor = await book.executor();
  const id = book.add(executor.url);
  book.told.length = 0;
  await book.environments.get(id).probe();
  await book.until(() => book.view(id).info !== null);
  expect(book.told.map(([view]) => view?.connection.state)).toEqual(["connecting"]);
  book.clock.advance(50);
  expect(book.told).toHaveLength(2);
  expect(book.told[1]).toEqual(book.environments.views);
  book.clock.advance(1_000);
  expect(book.told).toHaveLength(2);
});
