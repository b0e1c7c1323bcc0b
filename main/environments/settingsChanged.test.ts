import { rename, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { fixed, TestBook } from "./testBook";

let book: TestBook;

beforeEach(() => {
  book = new TestBook();
});

afterEach(async () => {
  await book.close();
});

const nowhere = "ws://127.0.0.1:1";
const notTried = { connection: { state: "not connected", fault: null }, check: null };

describe("what failed before it was changed", () => {
  it("is not said of the new address, which the next check is of", async () => {
    const executor = await book.executor();
    const id = book.add(nowhere);
    await book.environments.check(id);
    expect(book.view(id).check?.fault).not.toBeNull();
    book.environments.change(id, "box", fixed(executor.url));
    expect(book.told.at(-1)).toMatchObject([notTried]);
    await book.environments.check(id);
    expect(book.view(id)).toMatchObject({ connection: { state: "connected" }, check: { fault: null } });
  });

  it("is not said once there is another token, and again when that does not help", async () => {
    const id = book.add(nowhere);
    await book.environments.check(id);
    book.environments.setToken(id, "token", "abc");
    expect(book.view(id)).toMatchObject(notTried);
    await book.environments.check(id);
    const fault = { code: "connect_failed" };
    expect(book.view(id)).toMatchObject({ connection: { fault }, check: { fault } });
  });

  it("is still said when only its name is another", async () => {
    const id = book.add(nowhere);
    await book.environments.check(id);
    book.environments.change(id, "other", fixed(nowhere));
    expect(book.view(id)).toMatchObject({ name: "other", check: { fault: { code: "connect_failed" } } });
  });

  it("is not said either when it fails only later: the check that waited for it asks again", async () => {
    const executor = await book.executor();
    const path = join(executor.folder, "environment.json");
    await writeFile(`${path}.new`, JSON.stringify({ url: executor.url, identity: "box" }));
    await rename(`${path}.new`, path);
    const id = book.add(nowhere);
    const checked = book.environments.check(id);
    expect(book.view(id).connection.state).toBe("connecting");
    book.environments.change(id, "box", { kind: "file", path });
    await Promise.all([checked, book.environments.check(id)]);
    expect(book.view(id)).toMatchObject({ connection: { identity: "box" }, check: { fault: null } });
    const shown = book.told
      .flat()
      .map(({ check, connection }) => [check?.fault, "fault" in connection && connection.fault]);
    expect(shown.flat().filter(Boolean)).toEqual([]);
  });

  it("takes nothing from what a connection that is there has answered", async () => {
    const executor = await book.executor();
    const id = book.add(executor.url);
    await book.environments.check(id);
    const { check } = book.view(id);
    book.environments.change(id, "box", fixed(nowhere));
    expect(book.view(id)).toMatchObject({ connection: { state: "connected" }, check });
  });
});
