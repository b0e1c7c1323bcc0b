// How an MCP server stands, in words and colour: out of what was asked, and of what the shown thread was told since. Pure.

import type { ConfiguredServer, ServerAnswer, ServerState } from "../../preload/contract/codexPage";
import type { McpServerView } from "../../preload/contract/thread";
import type { DotTone } from "../ui/StatusDot";

export interface ServerLook {
  state: ServerState | "asking" | "unknown";
  tone: DotTone;
  words: string;
  error: string | null;
}

const looks: Record<ServerLook["state"], { tone: DotTone; words: string }> = {
  asking: { tone: "busy", words: "asking" },
  unknown: { tone: "hollow", words: "not known" },
  starting: { tone: "busy", words: "starting" },
  ready: { tone: "ok", words: "ready" },
  failed: { tone: "bad", words: "failed" },
  "needs login": { tone: "warn", words: "needs login" },
  cancelled: { tone: "hollow", words: "cancelled" },
  disabled: { tone: "hollow", words: "disabled" },
  "not started": { tone: "hollow", words: "not started" },
};

/** What codex tells by itself is newer than any answer; a server that is switched off is in neither. */
export function serverLook(
  server: Pick<ConfiguredServer, "enabled">,
  answer: Pick<ServerAnswer, "state" | "error"> | null,
  told: McpServerView | undefined,
  loading: boolean,
): ServerLook {
  if (!server.enabled) return { state: "disabled", ...looks.disabled, error: null };
  if (told) return { state: told.state, ...looks[told.state], error: told.error ?? answer?.error ?? null };
  if (answer) return { state: answer.state, ...looks[answer.state], error: answer.error };
  const state = loading ? "asking" : "unknown";
  return { state, ...looks[state], error: null };
}

const authWords: Record<ServerAnswer["auth"], string | null> = {
  "signed in": "signed in",
  token: "signed in with a token",
  "signed out": "signed out: the sign-in is missing, or was lost",
  none: null,
  unknown: null,
};

export function loginWords(auth: ServerAnswer["auth"]): string | null {
  return authWords[auth];
}

/** "2 tools · 1 resource"; null while that is not known. */
export function offerWords(answer: ServerAnswer | null): string | null {
  if (answer === null || (answer.state !== "ready" && answer.tools.length === 0)) return null;
  const tools = `${answer.tools.length} ${answer.tools.length === 1 ? "tool" : "tools"}`;
  if (answer.resources.length === 0) return tools;
  return `${tools} · ${answer.resources.length} ${answer.resources.length === 1 ? "resource" : "resources"}`;
}
