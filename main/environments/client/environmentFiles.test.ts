// Files and credentials against a real exec-server.

import { mkdir, readFile, symlink, truncate, writeFile } from "node:fs/promises";
import { inspect } from "node:util";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import type { Log } from "../../log";
import { Environment } from "./environment";
import type { EnvironmentFiles } from "./environmentFiles";
import { childUri, toFileUri } from "./fileUri";
import { Secret } from "./secret";
import { shell, TestListener, TestWorld } from "./testEnvironment";
import { gone, isAlive, startExecServer, type TestExecServer } from "./testExecServer";

let world: TestWorld;
let environment: Environment;
let files: EnvironmentFiles;
let folder: string;
let root: string;

beforeEach(async () => {
  world = await TestWorld.open();
  folder = (await world.registered("same")).server.folder;
  root = toFileUri(folder);
  environment = new Environment(world.options);
  files = environment.files;
});

afterEach(async () => {
  await environment.close();
  await world.close();
});

describe("files of an environment", () => {
  it("are listed, folders first, whatever their names are", async () => {
    await mkdir(`${folder}/zoo`);
    await writeFile(`${folder}/ü #%?.txt`, "strange");
    await writeFile(`${folder}/a.txt`, "plain");
    await symlink("zoo", `${folder}/link`);
    await symlink("nowhere", `${folder}/broken`);
    expect(await files.list(root)).toEqual([
      { name: "link", kind: "folder" },
      { name: "zoo", kind: "folder" },
      { name: "a.txt", kind: "file" },
      { name: "ü #%?.txt", kind: "file" },
    ]);
    expect((await files.read(childUri(root, "ü #%?.txt"))).toString()).toBe("strange");
    expect(await files.facts(childUri(root, "a.txt"))).toMatchObject({
      kind: "file",
      isLink: false,
      bytes: 5,
    });
    expect(await files.facts(childUri(root, "link"))).toMatchObject({ kind: "folder", isLink: true });
    expect(await files.realPath(childUri(root, "link"))).toBe(childUri(root, "zoo"));
  });

  it("are written, copied and removed", async () => {
    const file = childUri(root, "new");
    await files.write(file, Buffer.from("first"));
    await files.write(file, Buffer.from("second"));
    await files.copy(file, childUri(root, "copy"), { recursive: false });
    expect(await readFile(`${folder}/copy`, "utf8")).toBe("second");
    await files.remove(file, { recursive: false });
    await expect(files.facts(file)).rejects.toMatchObject({ code: "not_found" });
    await expect(files.read(file)).rejects.toMatchObject({ code: "not_found" });
  });

  it("are not removed by the whole folder, nor made with parents, unless that was said", async () => {
    const deep = childUri(childUri(root, "a"), "b");
    await expect(files.createFolder(deep, { parents: false })).rejects.toThrow();
    await files.createFolder(deep, { parents: true });
    await expect(files.remove(childUri(root, "a"), { recursive: false })).rejects.toThrow();
    expect(await files.facts(deep)).toMatchObject({ kind: "folder" });
    await files.remove(childUri(root, "a"), { recursive: true });
    await expect(files.remove(childUri(root, "a"), { recursive: true })).rejects.toMatchObject({
      code: "not_found",
    });
  });

  it("that are too long are refused before anything is sent, and the connection stays", async () => {
    await writeFile(`${folder}/long`, "");
    await truncate(`${folder}/long`, 9 * 1024 * 1024);
    await expect(files.read(childUri(root, "long"))).rejects.toMatchObject({ code: "too_long" });
    expect((await files.read(childUri(root, "long"), 16 * 1024 * 1024)).length).toBe(9 * 1024 * 1024);
    await expect(files.write(childUri(root, "w"), Buffer.alloc(9 * 1024 * 1024))).rejects.toMatchObject({
      code: "too_long",
    });
    await files.write(childUri(root, "w"), Buffer.alloc(8 * 1024 * 1024));
    expect(environment.state.phase).toBe("connected");
  });
});

describe("processes of an environment", () => {
  it("get only what they are given of its environment, and a terminal when it is wished", async () => {
    const plain = new TestListener();
    const argv: [string, ...string[]] = ["/usr/bin/env"];
    await environment.start({ ...shell(""), argv, inherits: "none", env: { ONLY: "this" } }, plain.tell);
    await plain.ended();
    expect(plain.text).toBe("ONLY=this\n");
    const terminal = new TestListener();
    const process = await environment.start(
      shell("tty; read -r x; echo $x", { terminal: true }),
      terminal.tell,
    );
    await terminal.until(({ text }) => text.startsWith("/dev/"));
    await process.write(Buffer.from("hello\r"));
    await terminal.ended();
    expect(terminal.text).toContain("hello\r\nhello\r\n");
    expect(terminal.events[0]).toMatchObject({ stream: "pty" });
  });

  it("are interrupted, and ended with all that they have started", async () => {
    const listener = new TestListener();
    const process = await environment.start(
      shell("trap 'echo caught' INT; echo up; sleep 100 & wait; echo $!; wait"),
      listener.tell,
    );
    await listener.until(({ text }) => text === "up\n");
    await process.interrupt();
    await listener.until(({ text }) => /caught\n\d+\n/.test(text));
    const child = Number(/\d+/.exec(listener.text)?.[0]);
    expect(await process.terminate()).toBe(true);
    await listener.ended();
    await gone(child);
    expect(await process.terminate()).toBe(false);
    await expect(process.write(Buffer.from("x"))).rejects.toMatchObject({ code: "input_closed" });
  });

  it("that cannot be started say why, and leave nothing", async () => {
    const listener = new TestListener();
    const argv: [string, ...string[]] = ["/nowhere"];
    await expect(environment.start({ ...shell(""), argv }, listener.tell)).rejects.toMatchObject({
      code: "codex_error",
      message: expect.stringContaining("No such file"),
    });
    expect(listener.events).toEqual([]);
  });

  it("end with the environment", async () => {
    const listener = new TestListener();
    await environment.start(shell("echo $$; exec sleep 100"), listener.tell);
    await listener.until(({ text }) => text.endsWith("\n"));
    const pid = Number(listener.text);
    await environment.close();
    expect(environment.state).toEqual({ phase: "closed" });
    await listener.ended();
    await gone(pid);
    await expect(environment.info()).rejects.toMatchObject({ reason: "closed" });
  });
});

describe("an executor that asks for a credential", () => {
  let server: TestExecServer;
  const written: unknown[] = [];
  const keep = (...words: unknown[]) => {
    written.push(words);
  };
  const log: Log = { info: keep, warn: keep, error: keep };

  beforeEach(async () => {
    await writeFile(`${folder}/token`, "open-sesame\n");
    server = await startExecServer(["--ws-auth", "capability-token", "--ws-token-file", `${folder}/token`]);
    await world.registry.rewrite({ url: server.url, identity: "kept", credential: { stored: "kept" } });
  });

  afterEach(async () => {
    await environment.close();
    await server.stop();
    expect(isAlive(server.pid)).toBe(false);
  });

  const asking = (token: string | null) => {
    const names: string[] = [];
    const get = async (name: string) => {
      names.push(name);
      return token === null ? null : new Secret(token);
    };
    environment = new Environment({ ...world.options, log, credentials: { get } });
    return names;
  };

  it("is given the one that is stored, at every connection, and it is written nowhere", async () => {
    const names = asking("open-sesame");
    await environment.probe();
    await environment.refresh();
    expect(names).toEqual(["kept"]);
    for (const shown of [environment, world.states, written]) {
      expect(inspect(shown, { depth: 12, showHidden: true })).not.toContain("open-sesame");
    }
  });

  it("is told to a codex that connects to it itself, with where it is", async () => {
    const names = asking("open-sesame");
    const found = await environment.locate();
    expect(found).toMatchObject({ url: server.url, identity: "kept" });
    expect(found.token?.reveal()).toBe("open-sesame");
    expect(JSON.stringify(found)).not.toContain("sesame");
    expect(names).toEqual(["kept"]);
    expect(environment.state).toEqual({ phase: "disconnected", fault: null });
    await environment.close();
    await expect(environment.locate()).rejects.toMatchObject({ reason: "closed" });
  });

  it("refuses another one, and that is said without it", async () => {
    asking("close-sesame");
    const fault = await environment.probe().catch((error: unknown) => error);
    expect(fault).toMatchObject({ code: "connect_rejected", detail: "HTTP 401" });
    expect(inspect(fault, { depth: 12, showHidden: true })).not.toContain("sesame");
    expect(environment.state).toMatchObject({ phase: "disconnected" });
  });

  it("is not asked at all when there is none", async () => {
    asking(null);
    await expect(environment.probe()).rejects.toMatchObject({ code: "credential_missing" });
  });
});
