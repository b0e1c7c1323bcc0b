import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { execa } from "execa";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { doCall, type ToolVerbs } from "../runtime/delegate";
import { readCall, toolNames } from "./tools";
import { scriptTypes } from "./toolTypes";

const tsc = join(import.meta.dirname, "../../../node_modules/typescript/bin/tsc");

describe("a call", () => {
  test("is read as its tool wants it, with what was left out", () => {
    expect(readCall("listThreads", "{}")).toEqual({ name: "listThreads", args: { limit: 50 } });
  });

  test.each([
    ["listThreads", '{"limit":0}', "bad_arguments", "tools.listThreads: “limit” must be at least 1"],
    ["listThreads", '{"limit":1.5}', "bad_arguments", "tools.listThreads: “limit” must be a whole number"],
    ["listThreads", '{"limit":900}', "bad_arguments", "tools.listThreads: “limit” must be at most 200"],
    ["startThread", '{"text":" "}', "bad_arguments", "tools.startThread: “text” must say something"],
    [
      "startThread",
      '{"txt":"a"}',
      "bad_arguments",
      "tools.startThread: “txt” is not known; “text” is missing",
    ],
    [
      "sendMessage",
      '{"threadId":"","text":"a","txt":1}',
      "bad_arguments",
      "tools.sendMessage: “txt” is not known; “threadId” must not be empty",
    ],
    [
      "sendMessage",
      '{"threadId":"t","text":"a","txt":1}',
      "bad_arguments",
      "tools.sendMessage: “txt” is not known; it takes threadId, text",
    ],
    [
      "startThread",
      '{"text":"a","sandbox":"none"}',
      "bad_arguments",
      'tools.startThread: “sandbox” must be one of "read-only", "workspace-write", "danger-full-access"',
    ],
    ["runCommand", '{"command":["git",5]}', "bad_arguments", "tools.runCommand: “command.1” must be a text"],
    ["runCommand", '{"command":[]}', "bad_arguments", "tools.runCommand: “command” must not be empty"],
    ["runCommand", '{"command":"ls"}', "bad_arguments", "tools.runCommand: “command” must be an array"],
    ["interrupt", '"t"', "bad_arguments", "tools.interrupt: what it is called with must be an object"],
    ["constructor", "{}", "unknown_tool", "There is no tool “constructor”."],
  ])("%s(%s) is refused", (name, args, code, message) => {
    expect(() => readCall(name, args)).toThrow(expect.objectContaining({ code, message }));
  });

  test("reaches the verb of its name", async () => {
    const done: string[] = [];
    const verbs = Object.fromEntries(
      toolNames.map((name) => [name, async () => done.push(name)]),
    ) as unknown as ToolVerbs;
    const asked = { cellId: "c", signal: new AbortController().signal };
    for (const name of toolNames) await doCall(verbs, name, {}, asked);
    expect(done).toEqual(toolNames);
  });
});

describe("the types for the editor", () => {
  let folder: string;

  beforeAll(() => {
    folder = mkdtempSync(join(tmpdir(), "holdfast-types-"));
    writeFileSync(join(folder, "cell.d.ts"), scriptTypes());
  });
  afterAll(() => rmSync(folder, { recursive: true }));

  /** What TypeScript says about a script, without any other library than the language. */
  async function problems(script: string): Promise<string> {
    writeFileSync(join(folder, "script.ts"), `export {};\n${script}`);
    const options = ["--noEmit", "--strict", "--target", "es2023", "--lib", "es2023", "--module", "esnext"];
    const files = [join(folder, "cell.d.ts"), join(folder, "script.ts")];
    const { stdout } = await execa(process.execPath, [tsc, ...options, "--types", "", ...files], {
      cwd: folder,
      reject: false,
    });
    return stdout;
  }

  test("know every tool, and what each of them gives", async () => {
    expect(
      await problems(`
        const started = await Promise.all([1, 2].map((n) => tools.startThread({ text: "go " + n, sandbox: "read-only" })));
        for (const { threadId } of started) {
          const { status, answer, error } = await tools.waitForTurn({ threadId });
          if (status === "completed") text(answer.trim());
          else notify(error ?? status);
        }
        const [first] = await tools.listThreads();
        if (first?.state === "running") await tools.interrupt({ threadId: first.threadId });
        const { exitCode } = await tools.runCommand({ command: ["git", "diff"] });
        store("code", exitCode);
        setTimeout(() => console.log(load("code")), 100);
        image({ data: "", mimeType: "image/png" });
        const uses: Record<${toolNames.map((name) => JSON.stringify(name)).join(" | ")}, unknown> = tools;
        text(uses);`),
    ).toBe("");
  });

  test("know everything that a script is given", () => {
    for (const name of "text image notify store load setTimeout setInterval clearTimeout clearInterval".split(
      " ",
    )) {
      expect(scriptTypes()).toContain(`declare function ${name}(`);
    }
  });

  test("refuse what a tool would refuse", async () => {
    expect(await problems('await tools.startThread({ texts: "a" })')).toContain(
      "'texts' does not exist in type",
    );
    expect(await problems('await tools.ask({ question: "a", options: "b" })')).toContain("type 'string[]'");
    expect(await problems("process.exit()")).toContain("Cannot find name 'process'");
  });
});
