import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { Fault } from "../fault";
import { cpuMsOf } from "../testCpuTime";
import { configFault, configWarningFault, exitFault, parseConfigProblem } from "./configProblem";

const file = "/home/me/.codex/config.toml";

/** Texts of codex 0.171.0, one for each way in which a config.toml was broken. */
const said: [string, string, { file: string | null; line: number | null; message: string }][] = [
  [
    "a syntax error",
    `failed to load configuration: ${file}:15:4: unclosed array, expected \`]\``,
    { file, line: 15, message: "unclosed array, expected `]`" },
  ],
  [
    "a key without a value",
    `failed to read configuration layers: ${file}:2:18: string values must be quoted, expected literal string`,
    { file, line: 2, message: "string values must be quoted, expected literal string" },
  ],
  [
    "nothing but NUL bytes",
    `failed to load configuration: ${file}:1:4097: key with no value, expected \`=\``,
    { file, line: 1, message: "key with no value, expected `=`" },
  ],
  [
    "a wrong type",
    `failed to load configuration: ${file}:1:9: invalid type: integer \`5\`, expected a string`,
    { file, line: 1, message: "invalid type: integer `5`, expected a string" },
  ],
  [
    "a retired value, with advice",
    `failed to load configuration: ${file}:9:12: \`wire_api = "chat"\` is no longer supported.\nHow to fix: set \`wire_api = "responses"\`.`,
    {
      file,
      line: 9,
      message: '`wire_api = "chat"` is no longer supported.\nHow to fix: set `wire_api = "responses"`.',
    },
  ],
  [
    "bytes that are no text",
    `failed to load configuration: Failed to read config file ${file}: invalid utf-8 sequence of 1 bytes from index 1`,
    { file, line: null, message: "invalid utf-8 sequence of 1 bytes from index 1" },
  ],
  [
    "a file that may not be read",
    `failed to load configuration: Failed to read config file ${file}: Permission denied (os error 13)`,
    { file, line: null, message: "Permission denied (os error 13)" },
  ],
  [
    "a project's own file",
    "failed to load configuration: Error parsing project config file /project/.codex/config.toml: TOML parse error at line 1, column 6\n  |\n1 | a = [\n  |      ^\nunclosed array, expected `]`\n",
    { file: "/project/.codex/config.toml", line: 1, message: "unclosed array, expected `]`" },
  ],
  [
    "a provider that is not there",
    "failed to load configuration: Model provider `nope` not found",
    { file: null, line: null, message: "Model provider `nope` not found" },
  ],
  [
    "a key of the wrong type, without a place",
    "invalid configuration: invalid type: integer `5`, expected a string\nin `model`\n",
    { file: null, line: null, message: "invalid type: integer `5`, expected a string\nin `model`" },
  ],
  [
    "a Windows path with spaces",
    "failed to load configuration: C:\\Users\\A B\\.codex\\config.toml:3:1: duplicate key",
    { file: "C:\\Users\\A B\\.codex\\config.toml", line: 3, message: "duplicate key" },
  ],
];

describe("the error of a request", () => {
  it.each(said)("%s: the file, the line, codex's words", (_name, message, expected) => {
    expect(parseConfigProblem(message)).toMatchObject(expected);
    const fault = configFault({ code: -32600, message });
    expect(fault).toMatchObject({ code: "config_invalid", retryable: true });
    expect(fault?.message).toContain(expected.message);
    if (expected.file !== null) expect(fault?.message).toContain(expected.file);
    if (expected.line !== null) expect(fault?.message).toContain(`line ${expected.line}`);
    expect(fault?.hint).toContain("Holdfast does not change it");
  });

  it("names file and line in one sentence", () => {
    expect(configFault(new Error(said[0]?.[1]))?.message).toBe(
      `codex cannot use ${file}, line 15, column 4: unclosed array, expected \`]\``,
    );
  });

  it("a thread whose model provider is gone keeps codex's sentence", () => {
    const message = "This chat uses model provider “local”, which is no longer configured.";
    const error = {
      code: -32600,
      message,
      data: { type: "modelProviderNotConfigured", modelProvider: "local" },
    };
    expect(configFault(error)).toMatchObject({ code: "config_invalid", message });
  });

  it.each([
    "thread not found: 01a2",
    "no rollout found for thread id 01a2",
    "stream disconnected before completion",
    "Invalid request: unknown variant `zz`",
    "",
  ])("any other is none of this: %s", (message) => {
    expect(configFault({ code: -32600, message })).toBeNull();
  });

  it("things that are no errors are none either", () => {
    for (const value of [null, undefined, 7, "failed to load configuration: x", {}, { message: 5 }]) {
      expect(configFault(value)).toBeNull();
    }
  });
});

describe("a warning that codex goes on with defaults", () => {
  const range = { start: { line: 15, column: 4 }, end: { line: 15, column: 4 } };

  it("is a fault that names the place", () => {
    const details = `${file}:15:4: unclosed array, expected \`]\``;
    const params = { summary: "Invalid configuration; using defaults.", details, path: file, range };
    expect(configWarningFault(params)).toMatchObject({
      code: "config_invalid",
      message: `codex cannot use ${file}, line 15, column 4: unclosed array, expected \`]\``,
    });
  });

  it("takes the place from the fields when the words do not say it", () => {
    const params = {
      summary: "Invalid configuration; using defaults.",
      details: "broken",
      path: file,
      range,
    };
    expect(configWarningFault(params)?.message).toBe(`codex cannot use ${file}, line 15, column 4: broken`);
  });

  it("is a fault without a place too", () => {
    expect(
      configWarningFault({ summary: "Invalid configuration; using defaults.", details: null }),
    ).toMatchObject({
      code: "config_invalid",
    });
  });

  it.each([
    { summary: "Codex is ignoring 1 unrecognized configuration setting.", details: null },
    {
      summary: "Error parsing rules; custom rules not applied.",
      details: "failed to parse",
      path: "/r",
      range,
    },
    { summary: "Codex could not find bubblewrap on PATH.", details: null },
    {},
    null,
  ])("about less is none: %j", (params) => {
    expect(configWarningFault(params)).toBeNull();
  });
});

describe("an early end", () => {
  const aliases = "WARNING: proceeding, even though we could not create PATH aliases\n";
  const backtrace = "\nStack backtrace:\n   0: <unknown>\n   1: <unknown>\n";
  const starting = { exitCode: 1, signal: null, phase: "starting" as const };

  it("because of a config.toml that is refused", () => {
    const log = `${aliases}Error: ${file}:14:6: unclosed array, expected \`]\`\n\nCaused by:\n    TOML parse error at line 14, column 6\n${backtrace}`;
    expect(exitFault({ ...starting, log })).toMatchObject({
      code: "config_invalid",
      message: `codex cannot use ${file}, line 14, column 6: unclosed array, expected \`]\``,
    });
  });

  it("because of an older wording", () => {
    const log = `Error: error loading config: ${file}: TOML parse error at line 3, column 1\n  |\n3 | x\n  | ^\nexpected =`;
    expect(exitFault({ ...starting, log })).toMatchObject({ code: "config_invalid" });
    expect(exitFault({ ...starting, log }).message).toContain(`${file}, line 3, column 1`);
  });

  it("because of a value of the wrong type", () => {
    const log = `Error: invalid type: unit variant, expected string only\nin \`approval_policy\`\n\n${backtrace}`;
    expect(exitFault({ ...starting, log })).toMatchObject({
      code: "config_invalid",
      message:
        "codex cannot use its configuration: invalid type: unit variant, expected string only\nin `approval_policy`",
    });
  });

  it("because its home is not there", () => {
    const log = `Error: CODEX_HOME points to "/gone", but that path does not exist\n${backtrace}`;
    expect(exitFault({ ...starting, log })).toMatchObject({ code: "config_invalid" });
  });

  it("says the exit code and what codex said last; the log is labelled as a log", () => {
    const log = `${aliases}error: unexpected argument '--nope' found\n\nUsage: codex app-server [OPTIONS]\n`;
    const fault = exitFault({ ...starting, exitCode: 2, log });
    expect(fault.code).toBe("codex_exited");
    expect(fault.message).toBe(
      "codex ended with exit code 2 before it was ready. It said: unexpected argument '--nope' found",
    );
    expect(fault.detail).toMatch(/^End of codex's log:\nWARNING/);
  });

  it("a kill is called a kill, and a warning in the log is not called its cause", () => {
    const log =
      '{"timestamp":"2026-11-29T13:43:57Z","level":"WARN","fields":{"message":"model metadata not found"},"target":"codex"}\n';
    const fault = exitFault({ exitCode: null, signal: "SIGKILL", log, phase: "running" });
    expect(fault.message).toBe("codex was killed (SIGKILL).");
    expect(fault.message + fault.hint).not.toContain("metadata");
    expect(fault.detail).toContain("metadata");
  });

  it("a broken config.toml that codex only logged, and went on with, is not the cause of a later end", () => {
    const log = `{"level":"ERROR","fields":{"message":"Invalid configuration; using defaults. ${file}:15:4: unclosed array"}}\n`;
    const fault = exitFault({ exitCode: null, signal: "SIGSEGV", log, phase: "running" });
    expect(fault).toMatchObject({ code: "codex_exited", message: "codex was ended by the signal SIGSEGV." });
  });

  it("removes colours, backtraces and what is too long, and survives an empty log", () => {
    const coloured = exitFault({ ...starting, log: `\u001b[31mERROR\u001b[0m x\u0007${backtrace}` });
    expect(coloured.detail).toBe("End of codex's log:\nERROR x");
    const long = exitFault({ ...starting, log: `${"line\n".repeat(5_000)}LAST` });
    expect(long.detail?.length).toBeLessThan(4_100);
    expect(long.detail?.endsWith("LAST")).toBe(true);
    expect(exitFault({ ...starting, log: "" })).toMatchObject({
      message: "codex ended with exit code 1 before it was ready.",
      detail: "codex wrote nothing to its log.",
    });
  });
});

describe("whatever the text", () => {
  it("nothing throws, and every fault has words", () => {
    const piece = fc.constantFrom(
      "Error: ",
      "failed to load configuration: ",
      `${file}:1:2: `,
      ": TOML parse error at line 1, column 2",
      "\n",
      "in `x`",
      " | ",
      "99999999999999999999",
    );
    const text = fc.array(fc.oneof(piece, fc.string())).map((pieces) => pieces.join(""));
    fc.assert(
      fc.property(text, fc.option(fc.integer()), fc.option(fc.string()), (log, exitCode, signal) => {
        const fault = exitFault({ exitCode, signal, log, phase: "starting" });
        expect(fault).toBeInstanceOf(Fault);
        expect(fault.message.length).toBeGreaterThan(10);
        configFault({ message: log });
        configWarningFault({ summary: `Invalid configuration; ${log}`, details: log, path: log, range: log });
      }),
      { numRuns: 500 },
    );
  });

  it("a huge log takes no more than linear time", () => {
    const log = `${"/a".repeat(200_000)}\n${"Error: x\n".repeat(50_000)}`;
    const tookMs = cpuMsOf(() => {
      exitFault({ exitCode: 1, signal: null, log, phase: "starting" });
      configFault({ message: `failed to load configuration: ${"/a".repeat(50_000)}` });
    });
    expect(tookMs).toBeLessThan(2_000);
  });
});
