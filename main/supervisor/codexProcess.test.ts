// On the real codex: started, reached, ended, killed, found again; and nothing of it left.

import { existsSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { systemClock } from "../clock";
import { bundledBinary } from "../codex/codexPackage";
import { Fault } from "../fault";
import { Database } from "../ledger/database";
import { openLedger } from "../ledger/openLedger";
import { silentLog } from "../log";
import { processStartTime } from "./processTree";
import { recover } from "./recovery";
import { quiet, TestCodex } from "./testCodex";
import { recordUnrecorded } from "./unrecorded";

const project = resolve(import.meta.dirname, "..", "..");
let at: TestCodex;
const sockets = () => readdirSync(join(at.root, "sockets"));

beforeEach(() => {
  at = new TestCodex();
});
afterEach(() => at.leave());

describe("a launched codex", () => {
  test("answers, is closed, and nothing of it is left: no process, no socket", async () => {
    const codex = await at.launch();
    const { connection } = await codex.connect(quiet);
    expect(connection.facts.codexVersion).toMatch(/^\d+\.\d+/);
    expect(await at.marked(codex.handleId)).toBeGreaterThan(0);
    expect(await codex.close()).toBeNull();
    expect(await at.marked(codex.handleId)).toBe(0);
    expect(sockets()).toEqual([]);
    expect(at.teardowns).toEqual(["what was prepared"]);
  });

  test("that is closed twice, at once and again, is torn down once", async () => {
    const codex = await at.launch();
    await codex.connect(quiet);
    await Promise.all([codex.close(), codex.close()]);
    expect(await codex.close()).toBeNull();
    expect(at.teardowns).toHaveLength(1);
  });

  test("that is killed says so, and what it left is ended", async () => {
    const codex = await at.launch();
    const { connection } = await codex.connect(quiet);
    process.kill(connection.facts.pid, "SIGKILL");
    expect((await codex.exited).message).toContain("killed (SIGKILL)");
    expect(await codex.close()).toBeNull();
    expect(sockets()).toEqual([]);
  });

  test.runIf(process.platform === "linux")(
    "that was killed: what a command of it has started, and what ties itself to nothing, is found and ended",
    async () => {
      const codex = await at.launch();
      const { connection } = await codex.connect(quiet);
      const lost = "env -i setsid /bin/sh -c 'echo $$ > pid; mv pid lost; exec sleep 1000'";
      await connection.client.request("process/spawn", {
        command: ["/bin/sh", "-c", `(${lost} </dev/null >/dev/null 2>&1 &); exec sleep 1000`],
        processHandle: "p",
        cwd: at.root,
      });
      const file = join(at.root, "lost");
      await expect.poll(() => existsSync(file)).toBe(true);
      const pid = Number(readFileSync(file, "utf8"));
      process.kill(connection.facts.pid, "SIGKILL");
      await codex.exited;
      expect(processStartTime(pid)).not.toBeNull();
      expect(await codex.close()).toBeNull();
      expect(processStartTime(pid)).toBeNull();
    },
  );

  test("that cannot listen is started on stdio, where it answers and ends with the app", async () => {
    const real = await bundledBinary(project, { platform: process.platform, arch: process.arch });
    const old = join(at.root, "old-codex");
    const script = [
      "#!/bin/sh",
      `case "$*" in *--listen*) echo "error: unexpected argument '--listen' found" >&2; exit 2;; esac`,
      `exec '${real}' "$@"`,
    ];
    writeFileSync(old, `${script.join("\n")}\n`, { mode: 0o755 });
    const codex = await at.launch({ path: old });
    const { connection } = await codex.connect(quiet);
    expect(connection.facts.endsWithApp).toBe(true);
    expect(await connection.client.request("thread/list", {})).toMatchObject({ data: [] });
    expect(await codex.close()).toBeNull();
    expect(await at.marked(codex.handleId)).toBe(0);
    // Once for the codex that was tried, once for the one that was used.
    expect(at.teardowns).toHaveLength(2);
  });
});

describe("a launch that fails", () => {
  test("because there is no such program: it says so, nothing is left, the teardown has run once", async () => {
    await expect(at.launch({ path: join(at.root, "nothing") })).rejects.toMatchObject({
      code: "codex_not_startable",
    });
    expect(at.teardowns).toHaveLength(1);
    expect(at.ledger.handles.listNotGone()).toEqual([]);
  });

  test("because its log cannot be written: it says so, and nothing is on record", async () => {
    const logs = join(at.root, "no-folder");
    writeFileSync(logs, "");
    await expect(at.launch({ logs })).rejects.toMatchObject({ code: "log_unusable" });
    expect(at.ledger.handles.listNotGone()).toEqual([]);
    expect(at.teardowns).toHaveLength(1);
    rmSync(logs);
    const codex = await at.launch({ logs });
    expect(readdirSync(logs), "the folder is made").toHaveLength(1);
    expect(await codex.close()).toBeNull();
  });

  test("because it cannot be prepared: nothing is spawned, the error is the preparation's, nothing is undone", async () => {
    const reason = new Fault("profile", "Not today.");
    const refused = at.profile(() => Promise.reject(reason));
    await expect(at.launch({ profile: refused })).rejects.toBe(reason);
    expect(at.ledger.handles.listNotGone()).toEqual([]);
    expect(at.teardowns).toEqual([]);
  });

  test("after the caller has given up during the preparation: the teardown runs all the same, once", async () => {
    const caller = new AbortController();
    const usual = at.profile();
    const profile = at.profile(async (workspace, signal) => {
      caller.abort(new Fault("session_closed", "The session was closed."));
      return usual.prepare(workspace, signal);
    });
    await expect(at.launch({ profile, signal: caller.signal })).rejects.toMatchObject({
      code: "session_closed",
    });
    expect(at.teardowns).toHaveLength(1);
    expect(at.ledger.handles.listNotGone()).toEqual([]);
  });
});

describe("while another program has locked the ledger", () => {
  /** Until it is let go. */
  function lock(): () => void {
    const other = new Database(at.ledger.path, { busyTimeoutMs: 0 });
    other.exec("BEGIN IMMEDIATE");
    return () => other.close();
  }

  test("a codex is ended all the same, and struck off by the next start", async () => {
    const codex = await at.launch();
    await codex.connect(quiet);
    const unlock = lock();
    try {
      expect(await codex.close()).toBeNull();
    } finally {
      unlock();
    }
    expect(await at.marked(codex.handleId)).toBe(0);
    expect(at.ledger.handles.get(codex.handleId)?.state).toBe("running");
    const [owed] = at.recover().retired.get("w") ?? [];
    expect(await owed?.process.close()).toBeNull();
    expect(at.ledger.handles.get(codex.handleId)?.state).toBe("gone");
  });

  test("a codex that was spawned just before is ended, as nobody owns it, and its launch fails", async () => {
    const { handles } = at.context;
    const spawned: string[] = [];
    const locked = Object.create(handles, {
      started: {
        value: (...[handleId, facts]: Parameters<typeof handles.started>) => {
          spawned.push(handleId);
          const unlock = lock();
          try {
            return handles.started(handleId, facts);
          } finally {
            unlock();
          }
        },
      },
      intend: { value: handles.intend.bind(handles) },
    });
    await expect(at.launch({ context: { handles: locked } })).rejects.toMatchObject({ code: "ledger_busy" });
    expect(spawned).toHaveLength(1);
    expect(await at.marked(spawned[0] ?? "")).toBe(0);
    expect(at.teardowns).toHaveLength(1);
  });
});

describe("a codex of an earlier run", () => {
  test("that lives is found as the same process, answers, and its death is noticed", async () => {
    const first = await at.launch();
    const { connection } = await first.connect(quiet);
    const { adoptable, retired } = at.recover();
    expect([...retired.keys()]).toEqual([]);
    const again = adoptable.get("w");
    if (!again) throw new Error("it was not found");
    const closed: Fault[] = [];
    const second = await again.connect({ ...quiet, closed: (fault) => closed.push(fault) });
    expect(second.connection.facts.pid).toBe(connection.facts.pid);
    process.kill(connection.facts.pid, "SIGKILL");
    await first.exited;
    // Its death shows by the connection, or at the next attempt to make one.
    await again.connect(quiet).catch(() => undefined);
    expect((await again.exited).code).toBe("codex_exited");
    expect(await again.close()).toBeNull();
    expect(sockets()).toEqual([]);
  });

  test("that nobody can go on with is ended, with its socket", async () => {
    const codex = await at.launch();
    const { connection } = await codex.connect(quiet);
    const socket = join(at.root, "sockets", sockets()[0] ?? "");
    const { adoptable, retired } = at.recover(false);
    expect(adoptable.size).toBe(0);
    const [owed] = retired.get("w") ?? [];
    expect(await owed?.process.close()).toBeNull();
    expect(await at.marked(codex.handleId)).toBe(0);
    expect(processStartTime(connection.facts.pid)).toBeNull();
    expect(existsSync(socket)).toBe(false);
    // What its launch owed has been done by the run that ended it.
    expect(at.teardowns).toEqual(["what was prepared"]);
  });

  test("whose pid is another process by now is not adopted, and that process is not touched", async () => {
    at.ledger.handles.intend({
      handleId: "old",
      sessionId: "w:test",
      workspaceId: "w",
      profileId: "test",
      marker: "old",
      command: { file: "codex", args: [], workingDirectory: at.root },
      channel: { kind: "socket", path: join(at.root, "gone.sock") },
      teardown: null,
      logPath: null,
    });
    at.ledger.handles.started("old", { pid: process.pid, startTime: "another boot/1", processGroup: null });
    const { adoptable, retired } = at.recover();
    expect(adoptable.size).toBe(0);
    expect(await retired.get("w")?.[0]?.process.close()).toBeNull();
    expect(at.ledger.handles.get("old")?.state).toBe("gone");
  });

  test("of which a new ledger knows nothing is found by its owner, and ended", async () => {
    const codex = await at.launch();
    const { connection } = await codex.connect(quiet);
    const path = join(at.root, "new.db");
    const { ledger } = openLedger({ path, clock: systemClock, log: silentLog });
    const { handles } = ledger;
    expect(await recordUnrecorded({ home: `${at.root}-elsewhere`, handles, clock: systemClock })).toBe(0);
    expect(await recordUnrecorded({ home: at.root, handles, clock: systemClock })).toBe(1);
    expect(await recordUnrecorded({ home: at.root, handles, clock: systemClock }), "once").toBe(0);
    const { retired } = recover({
      records: handles.listNotGone(),
      context: { ...at.context, handles },
      canAdopt: () => true,
    });
    const [owed] = [...retired.values()].flat();
    expect(owed?.process.facts.leader?.pid).toBe(connection.facts.pid);
    expect(await owed?.process.close()).toBeNull();
    await codex.exited;
    expect(await at.marked(codex.handleId)).toBe(0);
    ledger.close();
  });

  test("two of one session: the older one goes on, the other is ended", async () => {
    const older = await at.launch();
    const newer = await at.launch();
    const { adoptable, retired } = at.recover();
    expect(adoptable.get("w")?.handleId).toBe(older.handleId);
    expect(retired.get("w")?.map(({ process: { handleId } }) => handleId)).toEqual([newer.handleId]);
  });
});
