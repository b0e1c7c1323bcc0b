import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { TestGate } from "../client/testGate";
import { fixed, TestBook } from "../testBook";

const token = "tok-of-the-build-box";
const nowhere = "ws://127.0.0.1:1";

let book: TestBook;

beforeEach(() => {
  book = new TestBook();
});

afterEach(async () => {
  // Whatever was done: nothing of it is in what a window is told or what is written down.
  expect(JSON.stringify(book.told)).not.toContain(token);
  expect(book.logged.join("\n")).not.toContain(token);
  expect(onDisk()).not.toContain(token);
  await book.close();
});

/** All bytes of the database's files, also those that no row has any more. */
function onDisk(): string {
  const folder = dirname(book.stored.path);
  return readdirSync(folder)
    .map((name) => readFileSync(join(folder, name), "latin1"))
    .join("\n");
}

function sealed(text: string): string {
  return Buffer.from(book.keyStore.seal(text)).toString("latin1");
}

/** The address of an exec-server that asks for the token, which it reads at its start. */
async function guarded(): Promise<string> {
  const folder = mkdtempSync(join(tmpdir(), "holdfast-token-"));
  const file = join(folder, "token");
  writeFileSync(file, token);
  const { url } = await book.executor(["--ws-auth", "capability-token", "--ws-token-file", file]);
  rmSync(folder, { recursive: true });
  return url;
}

describe("with a key store", () => {
  it("a token is kept sealed, and used again after a restart", async () => {
    const id = book.add(await guarded(), "box", [{ name: "token", token: ` ${token}\n` }]);
    expect(book.view(id).tokens).toEqual([{ name: "token", kept: "key store" }]);
    await book.environments.check(id);
    expect(book.view(id).check).toMatchObject({ fault: null });
    await book.restart();
    expect(book.view(id).tokens).toEqual([{ name: "token", kept: "key store" }]);
    await book.environments.check(id);
    expect(book.view(id).check).toMatchObject({ fault: null });
    expect((await book.environments.locate(id)).token?.reveal()).toBe(token);
    expect(onDisk()).toContain(sealed(token));
  });

  it("one that was replaced or forgotten is nowhere in the database's files, also not sealed", () => {
    const long = `${token}-${"x".repeat(16_000)}`;
    const id = book.add(nowhere, "box", [{ name: "token", token: long }]);
    expect(onDisk()).toContain(sealed(token));
    book.environments.setToken(id, "token", "another");
    expect(onDisk()).not.toContain(sealed(token));
    expect(onDisk()).toContain(sealed("another"));
    book.environments.setToken(id, "token", null);
    expect(onDisk()).not.toContain(sealed("another"));
    expect(book.view(id).tokens).toEqual([]);
  });

  it("those of an environment that is removed go with it", async () => {
    const id = book.add(nowhere, "box", [{ name: "token", token }]);
    await book.environments.remove(id, { evenIfUsed: false });
    expect(onDisk()).not.toContain(sealed(token));
  });

  it("one that it does not give out is shown as unreadable, until it does or it is given again", async () => {
    const id = book.add(await guarded(), "box", [{ name: "token", token }]);
    book.keyStore.isForeign = true;
    await book.environments.check(id);
    expect(book.view(id)).toMatchObject({
      tokens: [{ name: "token", kept: "unreadable" }],
      check: { fault: { code: "credential_unreadable" } },
    });
    // It is locked no more.
    book.keyStore.isForeign = false;
    await book.environments.check(id);
    expect(book.view(id)).toMatchObject({ tokens: [{ kept: "key store" }], check: { fault: null } });
    await book.environments.get(id).letGo();
    book.keyStore.isForeign = true;
    await book.environments.check(id);
    book.environments.setToken(id, "token", "another");
    expect(book.view(id)).toMatchObject({ tokens: [{ kept: "key store" }] });
  });

  it("one that comes out of it as something else is unreadable, and goes nowhere", async () => {
    const executor = await book.executor();
    const id = book.add(executor.url, "box", [{ name: "token", token }]);
    for (const text of ["", "tök€n", "two\r\nlines", "\0"]) {
      book.keyStore.unseal = () => text;
      await book.environments.check(id);
      expect(book.view(id)).toMatchObject({
        tokens: [{ kept: "unreadable" }],
        check: { fault: { code: "credential_unreadable" } },
      });
    }
  });

  it("that fails in whatever way is as good as none", async () => {
    const id = book.add(nowhere, "box", [{ name: "token", token }]);
    book.keyStore.ready = Promise.reject(new Error("no bus"));
    await book.environments.check(id);
    expect(book.view(id).check).toMatchObject({ fault: { code: "credential_unreadable" } });
    Object.defineProperty(book.keyStore, "isAvailable", {
      get: () => {
        throw new Error("no bus");
      },
    });
    book.environments.setToken(id, "token", token);
    expect(book.view(id).tokens).toEqual([{ name: "token", kept: "this run" }]);
  });

  it("that is not ready yet is waited for", async () => {
    const url = await guarded();
    const id = book.add(url, "box", [{ name: "token", token }]);
    const gate = new TestGate();
    const passing = gate.pass();
    book.keyStore.ready = passing;
    const checking = book.environments.check(id);
    await book.until(() => book.view(id).connection.state === "connecting");
    expect(book.view(id).check).toBeNull();
    gate.open();
    await checking;
    expect(book.view(id).check).toMatchObject({ fault: null });
  });
});

describe("without a key store", () => {
  beforeEach(() => {
    book.keyStore.isAvailable = false;
  });

  it("a token is kept for this run, and is known to be missing after it", async () => {
    const id = book.add(await guarded(), "box", [{ name: "token", token }]);
    expect(book.view(id).tokens).toEqual([{ name: "token", kept: "this run" }]);
    await book.environments.check(id);
    expect(book.view(id).check).toMatchObject({ fault: null });
    expect(onDisk()).not.toContain(sealed(token));
    await book.restart();
    expect(book.view(id).tokens).toEqual([{ name: "token", kept: "unreadable" }]);
    await book.environments.check(id);
    expect(book.view(id).check).toMatchObject({ fault: { code: "credential_unreadable" } });
  });

  it("one that was sealed before and is given again is sealed no more", async () => {
    book.keyStore.isAvailable = true;
    const id = book.add(nowhere, "box", [{ name: "token", token }]);
    book.keyStore.isAvailable = false;
    book.environments.setToken(id, "token", "another");
    expect(book.view(id).tokens).toEqual([{ name: "token", kept: "this run" }]);
    expect(onDisk()).not.toContain(sealed(token));
  });
});

it("each environment has tokens of its own, which its registry can name", async () => {
  const url = await guarded();
  const registry = { url, identity: "box", credential: { stored: "build" } };
  const args = ["-e", `process.stdout.write(${JSON.stringify(JSON.stringify(registry))})`];
  const command = { kind: "command", command: process.execPath, args } as const;
  const one = book.environments.add("one", command, [{ name: "build", token }]);
  const two = book.environments.add("two", command, [{ name: "other", token }]);
  await book.environments.check(one);
  await book.environments.check(two);
  expect(book.view(one).check).toMatchObject({ fault: null });
  expect(book.view(two).check).toMatchObject({ fault: { code: "credential_missing" } });
});

it("a new token holds from the next connection", async () => {
  const id = book.add(await guarded());
  await book.environments.check(id);
  expect(book.view(id).check).toMatchObject({
    fault: { code: "connect_rejected", message: "The exec-server asks for a token, and none is set." },
  });
  book.environments.setToken(id, "token", token);
  await book.environments.check(id);
  expect(book.view(id).check).toMatchObject({ fault: null });
});

describe("a token is refused, and nothing is kept,", () => {
  it.each([
    ["with a space in it", nowhere, "two words", "token_invalid"],
    ["with a line end in it", nowhere, "one\ntwo", "token_invalid"],
    ["with nothing in it", nowhere, "  ", "token_invalid"],
    ["for a line that others can read", "ws://build-box.example:4711", token, "token_unsafe"],
  ])("%s", (_what, url, text, code) => {
    const id = book.add(url);
    expect(() => book.environments.setToken(id, "token", text)).toThrow(expect.objectContaining({ code }));
    expect(() => book.add(url, "other", [{ name: "token", token: text }])).toThrow();
    expect(book.environments.views).toMatchObject([{ name: "box", tokens: [] }]);
  });

  it("in an address, which is kept and shown in clear", () => {
    const url = `wss://build-box.example/?token=${token}`;
    expect(() => book.add(url)).toThrow(expect.objectContaining({ code: "environment_invalid" }));
    const id = book.add(nowhere);
    expect(() => book.environments.change(id, "box", fixed(url))).toThrow();
    expect(book.view(id).registry).toEqual(fixed(nowhere));
    expect(book.view(book.add("wss://build-box.example/?team=1", "other")).tokens).toEqual([]);
  });

  it("when its address is changed to one whose line others can read", () => {
    const id = book.add(nowhere, "box", [{ name: "token", token }]);
    expect(() => book.environments.change(id, "box", fixed("ws://build-box.example:4711"))).toThrow(
      expect.objectContaining({ code: "environment_invalid" }),
    );
    expect(book.view(id).registry).toEqual(fixed(nowhere));
  });
});

describe("the way to an environment", () => {
  it("is looked at with its own token where none is given", async () => {
    const url = await guarded();
    const id = book.add(url, "box", [{ name: "token", token }]);
    const saved = await book.environments.inspectWay({ url, token: null, environmentId: id });
    expect(saved.map(({ outcome }) => outcome)).toEqual(["ok", "ok", "ok", "ok", "ok", "ok"]);
    const none = await book.environments.inspectWay({ url, token: null, environmentId: null });
    expect(none[3]).toMatchObject({ step: "token", outcome: "failed" });
    const typed = await book.environments.inspectWay({ url, token: "wrong", environmentId: id });
    expect(typed[3]).toMatchObject({ step: "token", outcome: "failed" });
    expect(book.view(id).connection).toEqual({ state: "not connected", fault: null });
  });
});
