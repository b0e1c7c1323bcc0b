// On the real codex: started, reached, ended, killed; and nothing of it left.

import { existsSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { systemClock } from "../clock";
import { bundledBinary } from "../codex/codexPackage";
import { Fault } from "../fault";
import type { Ledger } from "../ledger/ledger";
import { openLedger } from "../ledger/openLedger";
import { silentLog } from "../log";
import { launchCodex } from "./codexProcess";
import { markerVariable } from "./handleTree";
import type { LaunchProfile } from "./launchProfile";
import { reapLeftovers } from "./leftovers";
import { ownedBy, systemProcessTable } from "./processTree";
import { prepareSocketFolder } from "./socketFolder";

const project = resolve(import.meta.dirname, "..", "..");
let root: string;
let ledger: Ledger;
let teardowns: number;
const quiet = { notification() {}, request() {}, closed() {} };

beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), "holdfast-process-"));
  teardowns = 0;
  ({ ledger } = openLedger({ path: join(root, "holdfast.db"), clock: systemClock, log: silentLog }));
});

afterEach(async () => {
  await reapLeftovers({ handles: ledger.handles, clock: systemClock, log: silentLog });
  expect(ledger.handles.listNotGone()).toEqual([]);
  ledger.close();
  rmSync(root, { recursive: true, force: true });
});

function profile(prepare?: () => Promise<never>): LaunchProfile {
  return {
    id: "test",
    prepare:
      prepare ??
      (async () => ({
        workingDirectory: root,
        codexHome: root,
        configOverrides: ["features.plugins=false", "features.apps=false"],
        environment: {},
        teardown: async () => {
          teardowns += 1;
        },
      })),
  };
}

async function launch(options: { profile?: LaunchProfile; path?: string; signal?: AbortSignal } = {}) {
  const bundled = await bundledBinary(project, { platform: process.platform, arch: process.arch });
  const path = options.path ?? bundled ?? "no codex comes with this project";
  return launchCodex({
    version: "0.0.0",
    binary: { path, argsPrefix: [], origin: "bundled", version: null },
    profile: options.profile ?? profile(),
    workspace: { id: "w", path: root },
    variables: { PATH: process.env.PATH ?? "", HOME: root },
    ownCodexHome: null,
    sockets: prepareSocketFolder(root),
    logs: root,
    threadUnloadSeconds: 60,
    handles: ledger.handles,
    clock: systemClock,
    log: silentLog,
    signal: options.signal ?? new AbortController().signal,
    onLogPath() {},
  });
}

async function left(handleId: string): Promise<number> {
  const marker = { name: markerVariable, value: handleId };
  const rows = await ownedBy(
    { leader: null, processSessionId: null, marker },
    systemProcessTable(systemClock),
  );
  return rows.length;
}

test("codex answers, is closed, and nothing of it is left: no process, no socket", async () => {
  const process = await launch();
  const { connection } = await process.connect(quiet);
  expect(connection.facts.codexVersion).toMatch(/^\d+\.\d+/);
  expect(await left(process.handleId)).toBeGreaterThan(0);
  expect(await process.close()).toBeNull();
  expect(await left(process.handleId)).toBe(0);
  expect(readdirSync(join(root, "sockets"))).toEqual([]);
  expect(teardowns).toBe(1);
});

test("two closes are one, and the profile is torn down once", async () => {
  const process = await launch();
  await process.connect(quiet);
  await Promise.all([process.close(), process.close()]);
  expect(teardowns).toBe(1);
});

test("a kill is told as what it was", async () => {
  const process = await launch();
  const { connection } = await process.connect(quiet);
  globalThis.process.kill(connection.facts.pid, "SIGKILL");
  const fault = await process.exited;
  expect(fault.message).toContain("killed (SIGKILL)");
  expect(await process.reap()).toBeNull();
  expect(readdirSync(join(root, "sockets"))).toEqual([]);
});

test("a binary that is not there: the fault says so, nothing is left, the teardown has run", async () => {
  await expect(launch({ path: join(root, "nothing") })).rejects.toMatchObject({
    code: "codex_not_startable",
  });
  expect(teardowns).toBe(1);
  expect(ledger.handles.listNotGone()).toEqual([]);
});

test("a profile that cannot be prepared: nothing is spawned, and the error is the preparation's", async () => {
  const reason = new Fault("profile", "Not today.");
  const refused = profile(() => Promise.reject(reason));
  await expect(launch({ profile: refused })).rejects.toBe(reason);
  expect(ledger.handles.listNotGone()).toEqual([]);
});

test("a process that the app left behind is ended at the next start", async () => {
  const process = await launch();
  const { connection } = await process.connect(quiet);
  const socket = join(root, "sockets", readdirSync(join(root, "sockets"))[0] ?? "");
  expect(existsSync(socket)).toBe(true);
  await reapLeftovers({ handles: ledger.handles, clock: systemClock, log: silentLog });
  await process.exited;
  expect(await left(process.handleId)).toBe(0);
  expect(() => globalThis.process.kill(connection.facts.pid, 0)).toThrow();
  expect(existsSync(socket)).toBe(false);
});

test("a codex that cannot listen is started on stdio, where it answers and ends with the app", async () => {
  const real = await bundledBinary(project, { platform: process.platform, arch: process.arch });
  const old = join(root, "old-codex");
  const script = [
    "#!/bin/sh",
    `case "$*" in *--listen*) echo "error: unexpected argument '--listen' found" >&2; exit 2;; esac`,
    `exec '${real}' "$@"`,
  ];
  writeFileSync(old, `${script.join("\n")}\n`, { mode: 0o755 });
  const codex = await launch({ path: old });
  const { connection } = await codex.connect(quiet);
  expect(connection.facts.endsWithApp).toBe(true);
  expect(await connection.client.request("thread/list", {})).toMatchObject({ data: [] });
  expect(await codex.close()).toBeNull();
  expect(await left(codex.handleId)).toBe(0);
  // Once for the codex that was tried, once for the one that was used.
  expect(teardowns).toBe(2);
});
