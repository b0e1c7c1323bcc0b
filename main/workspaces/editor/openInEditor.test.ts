import { chmod, mkdir, mkdtemp, readFile, realpath, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it, onTestFinished } from "vitest";
import { commandWords } from "../../../preload/contract/editor";
import { ManualClock } from "../../clock";
import { needsTerminal, openingArguments } from "./editors";
import { findEditors } from "./findProgram";
import { openInEditor } from "./openInEditor";

const log = { info() {}, warn() {}, error() {} };

let folder = "";
let bin = "";
let clock = new ManualClock();
beforeEach(async () => {
  clock = new ManualClock();
  folder = await realpath(await mkdtemp(join(tmpdir(), "holdfast-editor-")));
  bin = join(folder, "bin with a blank");
  await mkdir(bin);
  await writeFile(join(folder, "a file.txt"), "one\ntwo\n");
});
afterEach(() => rm(folder, { recursive: true, force: true }));

async function program(name: string, script: string): Promise<string> {
  const path = join(bin, name);
  await writeFile(path, `#!/bin/sh\n${script}\n`);
  await chmod(path, 0o755);
  return path;
}

const variables = (more: Record<string, string> = {}) => ({ PATH: `${bin}:${process.env.PATH}`, ...more });
const open = (command: string | null, path: string | null, line: number | null = null, more = {}) =>
  openInEditor({ folder, path, line }, { command, variables: variables(more), clock, log });
const said = async (name: string) => (await readFile(join(folder, name), "utf8")).trim().split("\n");

describe("the editor", () => {
  it("is started with the person's own arguments, the file and the line as it takes it", async () => {
    await program("code", `printf '%s\\n' "$PWD" "$@" > "${folder}/said"`);
    await open("code --reuse-window 'two words'", "a file.txt", 2);
    expect(await said("said")).toEqual([
      folder,
      "--reuse-window",
      "two words",
      "--goto",
      `${folder}/a file.txt:2`,
    ]);
    await open("code", null);
    expect(await said("said")).toEqual([folder, folder]);
  });

  it("gets nothing that marks what Holdfast has started, and none of its open files", async () => {
    await program(
      "code",
      `env > "${folder}/env"; for f in /proc/$$/fd/*; do readlink "$f"; done > "${folder}/files"; exit 0`,
    );
    const marks = {
      HOLDFAST_HANDLE: "h",
      HOLDFAST_OWNER: "/home",
      HOLDFAST_TERMINAL: "t",
      HOLDFAST_HOME: "/home",
      ELECTRON_RUN_AS_NODE: "1",
      EDITOR_COLOUR: "green",
    };
    await open("code", "a file.txt", null, marks);
    const names = (await said("env")).map((each) => each.split("=")[0]);
    expect(names).toContain("EDITOR_COLOUR");
    expect(names.filter((name) => name?.startsWith("HOLDFAST") || name?.startsWith("ELECTRON"))).toEqual([]);
    if (process.platform !== "linux") return;
    const targets = await said("files");
    // The shell's own: where this goes, and the folder that is looked at.
    const strange = targets.filter((each) => each !== "/dev/null" && each !== `${folder}/files`);
    expect(strange.filter((each) => !/^(?:\/proc\/|.*code$)/.test(each))).toEqual([]);
  });

  it("goes on in a process session of its own, and is not waited for", async () => {
    await program("code", `echo $$ > "${folder}/pid"; exec sleep 60`);
    const opening = open("code", "a file.txt");
    await expect.poll(() => said("pid").catch(() => [])).toEqual([expect.stringMatching(/^\d+$/)]);
    clock.advance(2_000);
    await opening;
    const pid = Number((await said("pid"))[0]);
    onTestFinished(() => void process.kill(pid, "SIGKILL"));
    const stat = await readFile(`/proc/${pid}/stat`, "utf8");
    const [, , , session] = stat.slice(stat.lastIndexOf(")") + 2).split(" ");
    expect(Number(session)).toBe(pid);
  });

  it("that ends with a failure is told, with what to try", async () => {
    await program("broken", "exit 3");
    await expect(open("broken -x", "a file.txt")).rejects.toMatchObject({
      code: "editor_failed",
      message: expect.stringContaining("ended at once with code 3"),
      hint: `Try this in a terminal, which shows what it says: broken -x '${folder}/a file.txt'`,
    });
  });

  it("that cannot be started is told before anything is", async () => {
    await writeFile(join(bin, "notes.txt"), "no program");
    await writeFile(join(bin, "torn"), "#!/nowhere/sh\n");
    await chmod(join(bin, "torn"), 0o755);
    const code = async (command: string | null, path: string | null = "a file.txt") =>
      open(command, path).then(
        () => "opened",
        (error) => error.code,
      );
    expect(await code(null)).toBe("editor_not_set");
    expect(await code("code 'half")).toBe("editor_invalid");
    expect(await code("/nowhere/code")).toBe("editor_not_found");
    expect(await code("nothing-is-called-that")).toBe("editor_not_found");
    expect(await code("notes.txt")).toBe("editor_not_found");
    expect(await code("torn")).toBe("editor_not_started");
    expect(await code("vim")).toBe("editor_needs_terminal");
    await program("code", "exit 0");
    expect(await code("code", "gone.txt")).toBe("path_gone");
    expect(await code("code")).toBe("opened");
  });

  it("is looked for on the PATH that the person has", async () => {
    await program("cursor", "exit 0");
    await program("zeditor", "exit 0");
    await writeFile(join(bin, "subl"), "not to be run");
    const found = await findEditors({ PATH: `relative:${bin}` });
    expect(found).toEqual([
      { name: "Cursor", command: "cursor", path: join(bin, "cursor") },
      { name: "Zed", command: "zeditor", path: join(bin, "zeditor") },
    ]);
  });
});

it.each([
  ["code", ["--goto", "/a:7"]],
  ["/usr/share/code/bin/code-insiders", ["--goto", "/a:7"]],
  ["C:\\Programs\\Cursor.exe", ["--goto", "/a:7"]],
  ["zed", ["/a:7"]],
  ["subl", ["/a:7"]],
  ["idea", ["--line", "7", "/a"]],
  ["C:\\JetBrains\\webstorm64.exe", ["--line", "7", "/a"]],
  ["emacsclient", ["+7", "/a"]],
  ["my-own", ["/a"]],
])("%s takes a line as %j", (name, args) => {
  expect(openingArguments(name, "/a", 7)).toEqual(args);
  expect(openingArguments(name, "/a", null)).toEqual(["/a"]);
});

it("knows which ones draw in a terminal", () => {
  expect(needsTerminal(["/usr/bin/nvim"])).toBe(true);
  expect(needsTerminal(["emacsclient", "-nw"])).toBe(true);
  expect(needsTerminal(["emacsclient", "-n"])).toBe(false);
});

describe("a command", () => {
  it.each([
    ["code", ["code"]],
    ["  code   -r ", ["code", "-r"]],
    [`"/opt/my editor/ed" --flag='a b'`, ["/opt/my editor/ed", "--flag=a b"]],
    ["/opt/my\\ editor/ed", ["/opt/my editor/ed"]],
    [`"C:\\Program Files\\Code.exe" -r`, ["C:\\Program Files\\Code.exe", "-r"]],
    [`ed ""`, ["ed", ""]],
  ])("%s is taken apart", (command, words) => {
    expect(commandWords(command)).toEqual({ ok: true, words });
  });

  it.each([
    "",
    "  ",
    `""`,
    "code 'x",
    "code\n-r",
    "code && rm x",
    "code | cat",
    "~/bin/code",
    "$EDITOR",
    "a".repeat(1_001),
  ])("%j is none, and why is said", (command) => {
    expect(commandWords(command)).toEqual({ ok: false, said: expect.stringMatching(/\.$/) });
  });
});
