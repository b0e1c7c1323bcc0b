// Why codex could not use its configuration, or ended early, in words that name the file and the line.
//
// codex says it in four places (measured on 0.171.0): a `configWarning` notification after it has started with defaults in
// place of a broken config.toml; the error of a request that needed the configuration; a paragraph "Error: ..." on stderr
// when it cannot start at all; and log lines. Log lines are never taken for the cause of an exit: codex logs warnings, and
// even the broken config.toml, and goes on. Only its last "Error: ..." paragraph is a cause, since it is what codex prints
// when it gives up.

import { Fault } from "../fault";

export interface ConfigProblem {
  /** The file at fault, when codex names one. */
  file: string | null;
  line: number | null;
  column: number | null;
  /** What is wrong, in codex's words, without the place. */
  message: string;
}

/** How much of a message is read, and how much of a log's end: the patterns below are quadratic in what they search. */
const messageUnits = 8_000;
const logUnits = 64_000;

/** Prefixes with which codex says that its configuration is at fault; they say nothing more. */
const configPrefixes = [
  "failed to load configuration:",
  "failed to read configuration layers:",
  "failed to resolve feature override precedence:",
  "invalid configuration; using defaults.",
  "invalid configuration:",
  "error loading configuration:",
  "error loading config:",
];

/** `/home/me/.codex/config.toml:15:4: unclosed array` */
const placed = /((?:[A-Za-z]:[\\/]|[\\/])[^\n]*?\.toml):(\d+):(\d+): ([\s\S]*)$/;
/** `Failed to read config file /home/me/.codex/config.toml: Permission denied` */
const unreadable = /Failed to read config file ([^\n]+?\.toml): ([\s\S]*)$/i;
/** `Error parsing project config file /project/.codex/config.toml: TOML parse error at line 1, column 6` and a drawing */
const parseError =
  /(?:config file )?((?:[A-Za-z]:[\\/]|[\\/])[^\n]*?\.toml): TOML parse error at line (\d+), column (\d+)([\s\S]*)$/;

/** The problem in a text of which it is known that it is about the configuration; null when it says nothing usable. */
export function parseConfigProblem(text: string): ConfigProblem | null {
  const said = withoutPrefixes(text.slice(0, messageUnits));
  const parsed = parseError.exec(said);
  if (parsed) {
    return {
      file: parsed[1] ?? null,
      line: Number(parsed[2]),
      column: Number(parsed[3]),
      message: belowDrawing(parsed[4] ?? ""),
    };
  }
  const at = placed.exec(said);
  if (at) {
    return { file: at[1] ?? null, line: Number(at[2]), column: Number(at[3]), message: tidy(at[4] ?? "") };
  }
  const file = unreadable.exec(said);
  if (file) return { file: file[1] ?? null, line: null, column: null, message: tidy(file[2] ?? "") };
  const message = tidy(said);
  return message === "" ? null : { file: null, line: null, column: null, message };
}

function withoutPrefixes(text: string): string {
  let said = text.trim();
  for (;;) {
    const lower = said.toLowerCase();
    const prefix = configPrefixes.find((candidate) => lower.startsWith(candidate));
    if (prefix === undefined) return said;
    said = said.slice(prefix.length).trim();
  }
}

/** The TOML parser draws the line with a caret; what it says stands below the drawing. */
function belowDrawing(text: string): string {
  const lines = text.split("\n").filter((line) => !/^\s*(?:\d+\s*)?\|/.test(line));
  return tidy(lines.join("\n")) || "it is not valid TOML";
}

function tidy(text: string): string {
  return text.trim().replace(/\n+/g, "\n");
}

/** The Fault for a request's error that says that the configuration is at fault; null for every other error. */
export function configFault(error: unknown): Fault | null {
  const text = messageOf(error);
  if (text === null) return null;
  const data = fieldOf(error, "data");
  if (fieldOf(data, "type") === "modelProviderNotConfigured") {
    return new Fault("config_invalid", text, {
      hint: "Put the model provider of this thread back into codex's config.toml, then try again.",
      retryable: true,
      cause: error,
    });
  }
  const lower = text.trim().toLowerCase();
  if (!configPrefixes.some((prefix) => lower.startsWith(prefix))) return null;
  const problem = parseConfigProblem(text);
  return problem === null ? null : faultOf(problem, text, error);
}

/**
 * The Fault for a `configWarning` notification that says that codex ignores its whole configuration. Null for warnings
 * about less (an unknown key, a rules file, a missing program): those are notices.
 */
export function configWarningFault(params: unknown): Fault | null {
  const summary = fieldOf(params, "summary");
  if (typeof summary !== "string" || !/^invalid configuration\b/i.test(summary.trim())) return null;
  const details = fieldOf(params, "details");
  const text = typeof details === "string" && details.trim() !== "" ? details : summary;
  const problem = parseConfigProblem(text) ?? {
    file: null,
    line: null,
    column: null,
    message: tidy(summary),
  };
  const path = fieldOf(params, "path");
  const start = fieldOf(fieldOf(params, "range"), "start");
  return faultOf(
    {
      file: problem.file ?? (typeof path === "string" ? path : null),
      line: problem.line ?? lineNumber(fieldOf(start, "line")),
      column: problem.column ?? lineNumber(fieldOf(start, "column")),
      message: problem.message,
    },
    text,
  );
}

export interface CodexExit {
  /** What it is called; `codex` if left out. */
  program?: string;
  exitCode: number | null;
  signal: string | null;
  /** What codex wrote to stderr or its log, or the end of it. */
  log: string;
  /** Whether it had answered `initialize` yet. */
  phase: "starting" | "running";
}

/** Why codex ended without being asked to: `config_invalid` when it says so itself, otherwise `codex_exited`. */
export function exitFault(exit: CodexExit): Fault {
  const log = plainText(exit.log.slice(-logUnits));
  const cause = lastError(log);
  if (cause !== null && isAboutConfig(cause.slice(0, messageUnits))) {
    const problem = parseConfigProblem(cause);
    if (problem !== null) return faultOf(problem, cause);
  }
  const { program = "codex" } = exit;
  const how = howItEnded(program, exit);
  const when = exit.phase === "starting" ? " before it was ready" : "";
  return new Fault("codex_exited", `${how}${when}.${cause === null ? "" : ` It said: ${firstLine(cause)}`}`, {
    hint:
      exit.phase === "starting"
        ? `Try again. If it happens again, its log says what ${program} did last.`
        : `Holdfast starts ${program} again when it is needed. Its log says what it did last.`,
    detail: logDetail(log),
    retryable: true,
  });
}

function howItEnded(program: string, { exitCode, signal }: CodexExit): string {
  if (signal !== null) {
    return signal === "SIGKILL"
      ? `${program} was killed (SIGKILL)`
      : `${program} was ended by the signal ${signal}`;
  }
  return exitCode === null ? `${program} ended` : `${program} ended with exit code ${exitCode}`;
}

function faultOf(problem: ConfigProblem, text: string, cause?: unknown): Fault {
  const { file, line, column } = problem;
  const place = line === null ? "" : `, line ${line}${column === null ? "" : `, column ${column}`}`;
  const where = file === null ? "codex cannot use its configuration" : `codex cannot use ${file}${place}`;
  return new Fault("config_invalid", `${where}: ${problem.message}`, {
    hint:
      file === null
        ? "Correct codex's configuration (config.toml in its home), then try again. Holdfast does not change it."
        : `Correct ${line === null ? "this file" : `line ${line} of this file`}, then try again. Holdfast does not change it.`,
    detail: tidy(text.slice(0, detailUnits)),
    ...(file === null ? {} : { path: file }),
    retryable: true,
    cause,
  });
}

/** How much of the log goes into a Fault; the whole is in the log file. */
const detailUnits = 4_000;

function logDetail(log: string): string {
  const lines = log
    .split("\n")
    .filter((line) => !/^\s*\d+: <unknown>$/.test(line) && line.trim() !== "Stack backtrace:");
  const end = lines.join("\n").trim();
  if (end === "") return "codex wrote nothing to its log.";
  return `End of codex's log:\n${end.length > detailUnits ? `…${end.slice(end.length - detailUnits)}` : end}`;
}

/** Terminal colours and control characters removed. */
function plainText(log: string): string {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: these are what is removed
  return log.replace(/\u001b\[[0-9;?]*[A-Za-z]/g, "").replace(/[\u0000-\u0008\u000b-\u001f]/g, "");
}

/**
 * The last paragraph with which codex gave up: "Error: ..." of its own, "error: ..." of its command line parser, or a
 * panic. It ends at an empty line, at "Caused by:" or at the next line of the log.
 */
function lastError(log: string): string | null {
  const lines = log.split("\n");
  for (let at = lines.length - 1; at >= 0; at -= 1) {
    const first = /^(?:Error|error): (.+)$/.exec(lines[at] ?? "")?.[1];
    if (first === undefined) continue;
    const more: string[] = [];
    for (const line of lines.slice(at + 1)) {
      if (line.trim() === "" || /^(?:Caused by:|Stack backtrace:|Usage: |\{|\d{4}-\d\d-\d\dT)/.test(line))
        break;
      more.push(line);
    }
    return [first, ...more].join("\n").trim();
  }
  return null;
}

function isAboutConfig(text: string): boolean {
  const lower = text.toLowerCase();
  return (
    placed.test(text) ||
    parseError.test(text) ||
    unreadable.test(text) ||
    configPrefixes.some((prefix) => lower.startsWith(prefix)) ||
    /^Model provider `[^`]*` not found/.test(text) ||
    /^CODEX_HOME points to /.test(text) ||
    // A value of the wrong type, in a `-c` override: codex names the key on a line of its own.
    /\nin `[\w.-]+`$/.test(text)
  );
}

function firstLine(text: string): string {
  return text.split("\n", 1)[0] ?? "";
}

function messageOf(error: unknown): string | null {
  const message = fieldOf(error, "message");
  return typeof message === "string" ? message : null;
}

function fieldOf(value: unknown, key: string): unknown {
  return typeof value === "object" && value !== null && key in value
    ? (value as Record<string, unknown>)[key]
    : undefined;
}

function lineNumber(value: unknown): number | null {
  return typeof value === "number" && Number.isInteger(value) && value > 0 ? value : null;
}
