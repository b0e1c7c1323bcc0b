// What is known of the keys of codex's configuration: which matter most, what they mean, what they may be. Of a key that is
// not here, its present value says what it is; codex checks every value before it writes it. Pure.

import type { ConfigEntry } from "../../../preload/contract/settingsCalls";

export type KeyKind =
  | { kind: "choice"; choices: readonly string[] }
  | { kind: "switch" }
  | { kind: "number" }
  | { kind: "text" }
  /** Anything: a list, a table, or nobody knows what. */
  | { kind: "json" };

interface Known {
  words: string;
  kind?: KeyKind;
}

const choice = (...choices: string[]): KeyKind => ({ kind: "choice", choices });
const text: KeyKind = { kind: "text" };
const number: KeyKind = { kind: "number" };
const onOff: KeyKind = { kind: "switch" };

/** In the order in which they are shown. */
export const importantKeys: Readonly<Record<string, Known>> = {
  model: { words: "The model of new threads.", kind: text },
  model_provider: { words: "Which of the providers serves it.", kind: text },
  model_reasoning_effort: { words: "How long it thinks: low, medium, high, …", kind: text },
  model_reasoning_summary: {
    words: "How much of its thinking is told.",
    kind: choice("auto", "concise", "detailed", "none"),
  },
  model_verbosity: { words: "How long its answers are.", kind: choice("low", "medium", "high") },
  approval_policy: {
    words: "When codex asks before it runs something.",
    // What else the protocol names, codex refuses in its file.
    kind: choice("on-request", "never"),
  },
  approvals_reviewer: {
    words: "Who answers what codex asks.",
    kind: choice("user", "auto_review", "guardian_subagent"),
  },
  sandbox_mode: {
    words: "What commands may reach without asking.",
    kind: choice("read-only", "workspace-write", "danger-full-access"),
  },
  web_search: {
    words: "Whether and how it searches the web.",
    kind: choice("disabled", "cached", "indexed", "live"),
  },
  "history.persistence": {
    words: "Whether messages are kept in codex's history file.",
    kind: choice("save-all", "none"),
  },
  "history.max_bytes": { words: "How large that file may become.", kind: number },
  notify: { words: "A program that codex runs after each turn, with its arguments." },
  thread_unload_delay_secs: { words: "Seconds until an idle thread is unloaded.", kind: number },
};

const otherKinds: Readonly<Record<string, KeyKind>> = {
  review_model: text,
  model_context_window: number,
  model_auto_compact_token_limit: number,
  model_auto_compact_token_limit_scope: choice("total", "body_after_prefix"),
  forced_login_method: choice("chatgpt", "api"),
  service_tier: text,
  instructions: text,
  developer_instructions: text,
  compact_prompt: text,
  model_catalog_json: text,
  log_dir: text,
  sqlite_home: text,
  openai_base_url: text,
  default_permissions: text,
  plan_mode_reasoning_effort: text,
  oss_provider: text,
  tool_output_token_limit: number,
  show_raw_agent_reasoning: onOff,
  hide_agent_reasoning: onOff,
  check_for_update_on_startup: onOff,
  suppress_unstable_features_warning: onOff,
  disable_paste_burst: onOff,
};

export function kindOf({ key, value }: Pick<ConfigEntry, "key" | "value">): KeyKind {
  const known = importantKeys[key]?.kind ?? otherKinds[key];
  // A value that is none of those a person usually chooses from: it can be anything.
  if (known && (value === null || fits(known, value))) return known;
  switch (typeof value) {
    case "boolean":
      return onOff;
    case "number":
      return number;
    case "string":
      return text;
    default:
      return { kind: "json" };
  }
}

function fits(kind: KeyKind, value: unknown): boolean {
  switch (kind.kind) {
    case "choice":
      return typeof value === "string" && kind.choices.includes(value);
    case "switch":
      return typeof value === "boolean";
    case "number":
      return typeof value === "number";
    case "text":
      return typeof value === "string";
    case "json":
      return true;
    default:
      return kind satisfies never;
  }
}
