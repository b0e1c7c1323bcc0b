import { execFileSync } from "node:child_process";
import { existsSync, mkdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { readFile, writeFile } from "node:fs/promises";
import { basename, dirname, join } from "node:path";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { Fault } from "../../../fault";
import { processStartTime } from "../../../supervisor/processTree";
import { shellCommand } from "./setupScript";
import { TestStarts } from "./testStarts";

let test: TestStarts;

beforeEach(() => {
  test = new TestStarts();
  return test.open();
});

afterEach(() => test.remove());

const setUp = (script: string, copies: string[] = []) =>
  test.starts.setSetup(test.engine, { script, copies });
const fault = (code: string) => expect.objectContaining({ code });
const folderOf = (branch: string) =>
  test.worktrees.workspaces.list().find(({ name }) => name === branch)?.path ?? "none";
const fifo = (name: string) => {
  const path = join(test.worktrees.root, name);
  execFileSync("mkfifo", [path]);
  return path;
};

describe("a thread begins in a worktree of its own", () => {
  it("with exactly its message, once, on a branch of that name", async () => {
    const text = "  Fix\tthe limiter\n\n  please ";
    const key = await test.begin({ text });
    await test.until(() => test.begun.size === 1);
    const workspace = test.worktrees.workspaces.list().find(({ name }) => name === "fix-limiter");
    expect(key).toMatch(new RegExp(`^new:${workspace?.id}:`));
    expect(test.begun.get(key)).toEqual({ clientId: expect.any(String), text, attachments: [] });
    expect(test.phases).toEqual([]);
    expect(test.handedOn).toHaveLength(1);
  });

  it("once, when Send is pressed twice, also when the thread has begun", async () => {
    const [one, two] = await Promise.all([test.begin(), test.begin()]);
    await test.until(() => test.begun.size === 1);
    expect(await test.begin()).toBe(one);
    expect([two, test.begun.size, test.worktrees.registered().length]).toEqual([one, 1, 1]);
  });

  it("on a branch with a number when the name is taken, and from the branch that is wished", async () => {
    test.worktrees.git(test.worktrees.repository, "branch", "fix-limiter");
    test.worktrees.git(test.worktrees.repository, "checkout", "--quiet", "-b", "other");
    const head = test.worktrees.commit();
    test.worktrees.git(test.worktrees.repository, "checkout", "--quiet", "trunk");
    await test.begin({ base: "other" });
    await test.until(() => test.begun.size === 1);
    expect(test.worktrees.git(test.worktrees.repository, "rev-parse", "fix-limiter-2")).toBe(head);
  });

  it("with the files that it mentions as they are there", async () => {
    const image = { kind: "image" as const, path: "/tmp/picture.png", name: "picture.png", bytes: 1 };
    const mention = {
      kind: "mention" as const,
      path: join(test.worktrees.repository, "readme"),
      name: "readme",
    };
    await test.begin({ attachments: [mention, image] });
    await test.until(() => test.begun.size === 1);
    const path = join(folderOf("fix-limiter"), "readme");
    expect([...test.begun.values()][0]?.attachments).toEqual([{ ...mention, path }, image]);
  });

  it("nothing is begun where none can be made, and the next attempt works", async () => {
    const empty = join(test.worktrees.root, "empty");
    mkdirSync(empty);
    test.worktrees.git(empty, "init", "--quiet");
    const id = await test.worktrees.openRepository(empty);
    const wish = { threadKey: `new:${id}:1` };
    await expect(test.begin(wish)).rejects.toEqual(fault("no_commit"));
    await expect(test.begin({ branch: "..." })).rejects.toEqual(fault("worktree_name"));
    await expect(test.begin({ base: "nowhere" })).rejects.toEqual(fault("base_unknown"));
    expect([test.phases, test.handedOn]).toEqual([[], []]);
    test.worktrees.commit(empty);
    await test.begin(wish);
    await test.until(() => test.begun.size === 1);
  });

  it("gives the message back when git fails, and a second attempt has another id", async () => {
    test.worktrees.wrapGit(
      'case "$*" in *"worktree add"*) echo "No space left on device" >&2; exit 128;; esac\nexec "$real" "$@"',
    );
    const first = await test.begin();
    await test.until(() => test.phases[0] === "returned");
    expect(test.only.state).toMatchObject({
      phase: "returned",
      fault: { code: "git_refused", detail: expect.stringContaining("No space left") },
    });
    expect(test.drafts.get(test.engine)).toEqual(["Fix the limiter"]);
    expect(test.worktrees.ledger.worktreeStarts.list()[0]?.text).toBe("");
    test.worktrees.unwrapGit();
    const second = await test.begin({ clientId: "00000000-0000-4000-8000-000000000002" });
    expect(second).not.toBe(first);
    await test.until(() => test.begun.size === 1);
    expect([test.phases, [...test.begun.keys()], test.worktrees.branches()]).toEqual([
      [],
      [second],
      ["fix-limiter", "trunk"],
    ]);
  });

  it("does not hand a message over that cannot be struck off, so it is never in two places", async () => {
    const { worktreeStarts } = test.worktrees.ledger;
    vi.spyOn(worktreeStarts, "gone").mockImplementationOnce(() => {
      throw new Fault("ledger_full", "The disk is full.");
    });
    await test.begin();
    await test.until(() => test.phases[0] === "returned");
    expect([test.begun.size, test.drafts.get(test.engine)]).toEqual([0, ["Fix the limiter"]]);
  });

  it("gives the message back to who does not want to wait for git, before it is asked and after", async () => {
    const { worktrees, starts } = test;
    const asked = fifo("asked");
    const go = fifo("go");
    worktrees.wrapGit(
      `case "$*" in *"worktree add"*) echo > '${asked}'; read x < '${go}';; esac\nexec "$real" "$@"`,
    );
    await test.begin();
    await readFile(asked);
    // This one waits for its turn.
    await test.begin({ clientId: "00000000-0000-4000-8000-000000000002", text: "And this", branch: "other" });
    const path = worktrees.ledger.worktreeStarts.list()[0]?.path ?? "none";
    for (const { startId } of starts.views) starts.takeBack(startId);
    expect(test.phases).toEqual(["returned", "returned"]);
    expect(test.drafts.get(test.engine)).toEqual(["Fix the limiter", "And this"]);
    const branch = await worktrees.worktrees.checkWish(test.engine, { name: "third", base: null });
    await writeFile(go, "\n");
    worktrees.unwrapGit();
    // One after the other: when this one is there, those before it are settled.
    await worktrees.worktrees.create(test.engine, { name: branch.branch, base: null });
    expect(worktrees.registered().map((each) => basename(each))).toEqual(["fix-limiter", "third"]);
    expect([existsSync(path), test.begun.size, test.phases]).toEqual([true, 0, ["returned", "returned"]]);
    await test.restart();
    expect([test.phases, test.begun.size]).toEqual([[], 0]);
  });

  it("gives the message back when the thread cannot start", async () => {
    test.threadFault = new Fault("ledger_full", "The disk is full.");
    await test.begin();
    await test.until(() => test.phases[0] === "returned");
    expect(test.drafts.get(test.engine)).toEqual(["Fix the limiter"]);
    test.starts.dismiss(test.only.startId);
    expect(test.phases).toEqual([]);
  });
});

describe("the set-up", () => {
  it("runs in the worktree, in a shell, with copies of what git ignores, before the thread begins", async () => {
    const { repository } = test.worktrees;
    test.worktrees.write(join(repository, ".gitignore"), ".env\nsecret/\n");
    test.worktrees.commit();
    test.worktrees.write(join(repository, ".env"), "KEY=1\n");
    test.worktrees.write(join(repository, "secret", "deep", "key"), "deep\n");
    test.worktrees.write(join(repository, "untracked"), "not ignored\n");
    symlinkSync(test.worktrees.root, join(repository, "secret", "out"));
    const go = fifo("go");
    setUp(
      `pwd; cat .env; echo "main: $HOLDFAST_MAIN_CHECKOUT"; echo error >&2; read x < '${go}'; printf '\\033[32mgreen\\033[0m\\n'`,
      [".env", "secret/", "untracked", "missing", "readme", "secret/out/person"],
    );
    const key = await test.begin();
    await test.until(() => test.phases[0] === "setting up" && test.starts.running.length === 1);
    expect(test.begun.size).toBe(0);
    const heard = test.output();
    await writeFile(go, "\n");
    const output = await heard;
    await test.until(() => test.begun.has(key));
    const folder = folderOf("fix-limiter");
    expect(output).toBe(
      `${[
        ".env: copied",
        "secret: copied",
        "untracked: git does not ignore it, so not copied",
        "missing: not there, so not copied",
        "readme: there already, so not copied",
        "secret/out/person: there already, so not copied",
        folder,
        "KEY=1",
        `main: ${repository}`,
        "error",
        "\x1b[32mgreen\x1b[0m",
      ].join("\n")}\n`,
    );
    expect(readFileSync(join(folder, "secret", "deep", "key"), "utf8")).toBe("deep\n");
    expect(test.worktrees.ledger.handles.listNotGone()).toEqual([]);
    expect(test.worktrees.owed()).toEqual([]);
  });

  it.each(["/etc/passwd", "../other", "a/../../b", ".git/config", "sub/.git", "", "C:\\x"])(
    "copies nothing from outside: %j is refused",
    (name) => {
      if (name === "") {
        setUp("", [name]);
        expect(test.starts.setup(test.engine).copies).toEqual([]);
      } else expect(() => setUp("", [name])).toThrow(fault("setup_copy"));
    },
  );

  it("that fails stops there, with its exit code; it runs again, or the thread starts anyway, when the person says so", async () => {
    setUp("echo once >> ran; exit 3");
    const key = await test.begin();
    await test.until(() => test.phases[0] === "stopped");
    expect(test.only.state).toMatchObject({ ending: { how: "failed", exitCode: 3, signal: null } });
    test.starts.again(test.only.startId);
    await test.until(() => test.phases[0] === "stopped");
    expect(test.begun.size).toBe(0);
    test.starts.anyway(test.only.startId);
    await test.until(() => test.begun.has(key));
    expect(readFileSync(join(folderOf("fix-limiter"), "ran"), "utf8")).toBe("once\nonce\n");
  });

  it("is stopped with all that it has started, and the message can be taken back; the worktree stays", async () => {
    const started = fifo("started");
    setUp(`sleep 600 & echo $! > '${started}'; trap '' TERM; wait; sleep 600`);
    await test.begin();
    const pid = Number(await readFile(started, "utf8"));
    test.starts.stop(test.only.startId);
    await test.until(() => test.phases[0] === "stopped");
    expect(test.only.state).toMatchObject({ ending: { how: "stopped" } });
    expect(processStartTime(pid)).toBeNull();
    test.starts.takeBack(test.only.startId);
    expect(test.phases).toEqual(["returned"]);
    expect(test.drafts.get(test.engine)).toEqual(["Fix the limiter"]);
    expect([test.begun.size, existsSync(folderOf("fix-limiter"))]).toEqual([0, true]);
  });

  it("leaves nothing behind that it has put into the background", async () => {
    const started = fifo("started");
    setUp(`(sleep 600 & echo $! > '${started}')`);
    await test.begin();
    const pid = Number(await readFile(started, "utf8"));
    await test.until(() => test.begun.size === 1);
    expect(processStartTime(pid)).toBeNull();
  });

  it.runIf(process.platform === "linux")(
    "leaves nothing behind that has given up all that ties it to the script",
    async () => {
      const started = fifo("started");
      const lost = `env -i setsid /bin/sh -c "echo \\$\\$ > '${started}'; exec /bin/sleep 600"`;
      setUp(`(${lost} </dev/null >/dev/null 2>&1 &)`);
      await test.begin();
      const pid = Number(await readFile(started, "utf8"));
      await test.until(() => test.begun.size === 1);
      expect(processStartTime(pid)).toBeNull();
    },
  );

  it("in a folder that has gone says so, and goes on when that is there again", async () => {
    const { worktrees } = test;
    worktrees.write(join(worktrees.repository, ".gitignore"), ".env\n");
    worktrees.commit();
    worktrees.write(join(worktrees.repository, ".env"), "KEY=1\n");
    setUp("exit 3", [".env"]);
    const key = await test.begin();
    await test.until(() => test.phases[0] === "stopped");
    rmSync(folderOf("fix-limiter"), { recursive: true });
    setUp("true", [".env"]);
    test.starts.again(test.only.startId);
    await test.until(() => test.phases[0] === "stopped");
    expect(test.only.state).toMatchObject({
      ending: { how: "not started", fault: { code: "setup_no_folder" } },
    });
    await worktrees.worktrees.recreate(key.split(":")[1] ?? "");
    test.starts.again(test.only.startId);
    await test.until(() => test.begun.has(key));
    expect(readFileSync(join(folderOf("fix-limiter"), ".env"), "utf8")).toBe("KEY=1\n");
  });

  it("that cannot be run says why", async () => {
    setUp("true");
    test.worktrees.environment.SHELL = "/none";
    rmSync(join(test.worktrees.home, "logs"), { recursive: true, force: true });
    writeFileSync(join(test.worktrees.home, "logs"), "in the way");
    await test.begin();
    await test.until(() => test.phases[0] === "stopped");
    expect(test.only.state).toMatchObject({
      ending: { how: "not started", fault: { code: "log_unusable" } },
    });
  });

  it("is one argument of the person's shell, whatever is in it", () => {
    const script = `echo "it's"; $(rm -rf /) \`x\``;
    expect(shellCommand({ SHELL: "/usr/bin/zsh" }, script, "linux").args.at(-1)).toBe(script);
    expect(shellCommand({ SHELL: "/usr/bin/nologin" }, script, "linux").args.at(-4)).toBe("/bin/sh");
    expect(shellCommand({ ComSpec: "C:\\cmd.exe" }, script, "win32")).toEqual({
      file: "C:\\cmd.exe",
      args: ["/d", "/s", "/c", script],
    });
  });
});

describe("a worktree that is only asked for", () => {
  const wish = { name: "try", base: null };

  it("is there at once where there is no set-up", async () => {
    const made = await test.starts.open(test.engine, wish);
    expect(made).toMatchObject({ branch: "try", path: folderOf("try"), threadKey: null });
    expect(test.phases).toEqual([]);
  });

  it("is set up, and no thread begins in it by itself", async () => {
    setUp("echo set up > ran");
    const made = await test.starts.open(test.engine, wish);
    expect(made.threadKey).toMatch(new RegExp(`^new:${made.workspaceId}:`));
    expect(test.only).toMatchObject({ hasMessage: false, branch: "try", threadKey: made.threadKey });
    await test.until(() => test.phases.length === 0);
    expect(readFileSync(join(made.path, "ran"), "utf8")).toBe("set up\n");
    expect([test.begun.size, test.drafts.size]).toEqual([0, 0]);
  });

  it("waits for a word about a set-up that has failed, and is then used as it is", async () => {
    setUp("exit 3");
    const { workspaceId } = await test.starts.open(test.engine, wish);
    expect(test.starts.workIn(workspaceId)).toEqual(["the set-up of the worktree “try”"]);
    await test.until(() => test.phases[0] === "stopped");
    const waits = ["the set-up of the worktree “try”, which has stopped and waits for you"];
    expect([test.starts.workIn(workspaceId), test.starts.workIn(test.engine)]).toEqual([waits, waits]);
    test.starts.anyway(test.only.startId);
    await test.until(() => test.phases.length === 0);
    expect([test.begun.size, existsSync(folderOf("try"))]).toEqual([0, true]);
    expect(test.starts.workIn(workspaceId)).toEqual([]);
  });

  it("leaves nothing where git refuses it, and says why", async () => {
    setUp("echo set up > ran");
    test.worktrees.git(test.worktrees.repository, "branch", "try");
    await expect(test.starts.open(test.engine, wish)).rejects.toEqual(fault("branch_exists"));
    test.worktrees.wrapGit('case "$*" in *"worktree add"*) exit 1;; esac\nexec "$real" "$@"');
    await expect(test.starts.open(test.engine, { ...wish, name: "other" })).rejects.toThrow(Fault);
    test.worktrees.unwrapGit();
    expect(test.phases).toEqual([]);
    await test.restart();
    expect([test.phases, test.begun.size]).toEqual([[], 0]);
  });

  it("is cut off in its set-up when Holdfast dies, and not run again by itself", async () => {
    const started = fifo("started");
    setUp(`echo run >> ran; echo $$ > '${started}'; exec sleep 600`);
    const { path, threadKey } = await test.starts.open(test.engine, wish);
    await readFile(started, "utf8");
    await test.until(() => test.starts.running.length === 1);
    await test.restart();
    await test.worktrees.retry();
    expect(test.only).toMatchObject({
      threadKey,
      hasMessage: false,
      state: { phase: "stopped", ending: { how: "cut off" } },
    });
    test.starts.anyway(test.only.startId);
    await test.until(() => test.phases.length === 0);
    expect(readFileSync(join(path, "ran"), "utf8")).toBe("run\n");
  });
});

describe("Holdfast dies", () => {
  it("before git was asked: it goes on", async () => {
    // Nobody makes it: git waits until Holdfast is gone.
    test.worktrees.wrapGit('case "$*" in *"worktree list"*) exit 1;; esac\nexec "$real" "$@"');
    const key = await test.begin();
    test.worktrees.unwrapGit();
    await test.until(() => test.phases[0] !== "making");
    // It was given back; as if that had not been written.
    const { startId } = test.only;
    test.worktrees.ledger.worktreeStarts.move(startId, { phase: "making" });
    await test.restart();
    await test.until(() => test.begun.has(key));
  });

  it("between git and the workspace: the same worktree is gone on with", async () => {
    const key = await test.begin();
    await test.until(() => test.begun.size === 1);
    const { worktrees, engine } = test;
    const workspaceId = key.split(":")[1] ?? "";
    const path = folderOf("fix-limiter");
    // As it was in that moment.
    worktrees.ledger.worktrees.gone(path);
    worktrees.ledger.worktrees.making({
      path,
      parentWorkspaceId: engine,
      repository: join(worktrees.repository, ".git"),
      branch: "fix-limiter",
      base: worktrees.git(worktrees.repository, "rev-parse", "HEAD"),
    });
    worktrees.ledger.worktreeStarts.record(
      {
        startId: "s",
        clientId: "other",
        threadKey: `new:${workspaceId}:s`,
        workspaceId: engine,
        worktreeWorkspaceId: workspaceId,
        branch: "fix-limiter",
        base: null,
        text: "Go on",
        attachments: [],
        settings: { model: null, effort: null, sandbox: null, approvalPolicy: null },
      },
      { phase: "making" },
    );
    worktrees.ledger.worktreeStarts.placed("s", path, "fix-limiter");
    await test.restart();
    await test.until(() => test.begun.has(`new:${workspaceId}:s`));
    expect(worktrees.registered()).toEqual([path]);
  });

  it("in the middle of the set-up: what is left of it is ended, it is not run again by itself, and the message is sent once", async () => {
    const started = fifo("started");
    setUp(`echo run >> ran; sleep 600 & echo $! > '${started}'; wait`);
    const key = await test.begin();
    const pid = Number(await readFile(started, "utf8"));
    await test.until(() => test.starts.running.length === 1);
    const [left] = test.worktrees.ledger.handles.listNotGone();
    // And with it a copy that has become only half of one.
    const copying = join(dirname(folderOf("fix-limiter")), ".fix-limiter.copying");
    test.worktrees.write(join(copying, "copy", "half"), "hal");
    await test.restart();
    await test.until(
      () => test.worktrees.ledger.handles.listNotGone().length === 0 || test.phases[0] === "stopped",
    );
    // Its end is on record as owed until nothing is left of it.
    await test.worktrees.retry();
    expect(processStartTime(pid)).toBeNull();
    expect(test.worktrees.ledger.handles.get(left?.handleId ?? "")?.state).toBe("gone");
    expect(test.only.state).toMatchObject({ phase: "stopped", ending: { how: "cut off" } });
    expect(test.begun.size).toBe(0);
    await expect.poll(() => existsSync(copying)).toBe(false);
    test.starts.anyway(test.only.startId);
    await test.until(() => test.begun.has(key));
    expect(readFileSync(join(folderOf("fix-limiter"), "ran"), "utf8")).toBe("run\n");
  });

  it("between handing the message over and striking the start off: it is not handed over twice", async () => {
    const key = await test.begin();
    await test.until(() => test.begun.has(key));
    const { ledger } = test.worktrees;
    const submission = ledger.submissions.get("00000000-0000-4000-8000-000000000001");
    ledger.worktreeStarts.record(
      {
        startId: "s",
        clientId: "00000000-0000-4000-8000-000000000001",
        threadKey: key,
        workspaceId: test.engine,
        worktreeWorkspaceId: submission?.workspaceId ?? "",
        branch: "fix-limiter",
        base: null,
        text: "Fix the limiter",
        attachments: [],
        settings: { model: null, effort: null, sandbox: null, approvalPolicy: null },
      },
      { phase: "starting" },
    );
    await test.restart();
    await test.until(() => test.phases.length === 0);
    expect(test.begun.size).toBe(1);
  });

  it("and what the person has taken back is not shown again", async () => {
    setUp("exit 1");
    await test.begin();
    await test.until(() => test.phases[0] === "stopped");
    test.starts.takeBack(test.only.startId);
    await test.restart();
    expect(test.phases).toEqual([]);
    expect(test.drafts.get(test.engine)).toEqual(["Fix the limiter"]);
  });
});

it("when the app ends, a script ends with it, and is cut off at the next start", async () => {
  const started = fifo("started");
  setUp(`echo $$ > '${started}'; exec sleep 600`);
  await test.begin();
  const pid = Number(await readFile(started, "utf8"));
  await test.until(() => test.starts.running.length === 1);
  await test.starts.shutDown();
  expect(processStartTime(pid)).toBeNull();
  await test.restart();
  expect(test.only.state).toMatchObject({ phase: "stopped", ending: { how: "cut off" } });
});
