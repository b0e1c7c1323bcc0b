// A thread's model, effort, sandbox and approval policy: as codex reports them, and as codex wants them.

import type { ThreadSettings } from "../../preload/contract/thread";
import type { CollaborationMode } from "../codex/protocol/CollaborationMode";
import type { ReasoningEffort } from "../codex/protocol/ReasoningEffort";
import type { SandboxPolicy } from "../codex/protocol/v2/SandboxPolicy";
import { isRecord, recordOf, wordsOrNull } from "./loose";

const sandboxes: Record<string, ThreadSettings["sandbox"]> = {
  readOnly: "read-only",
  workspaceWrite: "workspace-write",
  dangerFullAccess: "danger-full-access",
};

/** From the answer of a start, resume or fork, or from thread/settings/updated. What has no word here is null. */
export function settingsOf(codex: {
  model: unknown;
  effort: unknown;
  sandbox: unknown;
  approvalPolicy: unknown;
  /** codex's "collaboration mode". */
  mode: unknown;
}): ThreadSettings {
  const policy = codex.approvalPolicy;
  return {
    model: wordsOrNull(codex.model),
    effort: wordsOrNull(codex.effort),
    sandbox: sandboxWord(codex.sandbox),
    approvalPolicy: policy === "untrusted" || policy === "on-request" || policy === "never" ? policy : null,
    ...(recordOf(codex.mode).mode === "plan" && { mode: "plan" as const }),
  };
}

/** For turn/start and thread/settings/update. Undefined: nothing was chosen, or codex has not named its model yet. */
export function modeToSend({ mode, model, effort }: ThreadSettings): CollaborationMode | undefined {
  if (mode === undefined || model === null) return undefined;
  // It goes before model and effort, so it says them too. null: codex's own words for the mode.
  const settings = {
    model,
    reasoning_effort: effort as ReasoningEffort | null,
    developer_instructions: null,
  };
  return { mode: mode === "plan" ? "plan" : "default", settings };
}

export function effortOf(settings: Record<string, unknown>): unknown {
  return settings.effort ?? settings.reasoningEffort;
}

/** What the person chose goes before what codex reports; null leaves it to codex. */
export function chosenOver(chosen: ThreadSettings, reported: ThreadSettings): ThreadSettings {
  const mode = chosen.mode ?? reported.mode;
  return {
    model: chosen.model ?? reported.model,
    effort: chosen.effort ?? reported.effort,
    sandbox: chosen.sandbox ?? reported.sandbox,
    approvalPolicy: chosen.approvalPolicy ?? reported.approvalPolicy,
    ...(mode && { mode }),
  };
}

/** codex's own idea of a thread's sandbox, which is more than its mode. */
export interface ReportedSandbox {
  mode: ThreadSettings["sandbox"];
  /** Null where it comes from a permission profile: naming a policy would replace that. */
  policy: SandboxPolicy | null;
}

export function reportedSandbox(sandbox: unknown, profile: unknown): ReportedSandbox {
  const mode = sandboxWord(sandbox);
  return { mode, policy: mode !== null && !isRecord(profile) ? (sandbox as SandboxPolicy) : null };
}

/**
 * For turn/start and thread/settings/update, which want the whole policy instead of a mode. What codex has already goes
 * back as it is: with the network access and the writable folders of the user's own config.
 */
export function sandboxToSend(
  chosen: ThreadSettings["sandbox"],
  reported: ReportedSandbox | null,
): SandboxPolicy | null {
  return reported !== null && reported.mode === chosen ? reported.policy : policyOf(chosen);
}

function policyOf(sandbox: ThreadSettings["sandbox"]): SandboxPolicy | null {
  switch (sandbox) {
    case "read-only":
      return { type: "readOnly", networkAccess: false };
    case "workspace-write":
      return {
        type: "workspaceWrite",
        writableRoots: [],
        networkAccess: false,
        excludeTmpdirEnvVar: false,
        excludeSlashTmp: false,
      };
    case "danger-full-access":
      return { type: "dangerFullAccess" };
    case null:
      return null;
    default:
      return sandbox satisfies never;
  }
}

function sandboxWord(sandbox: unknown): ThreadSettings["sandbox"] {
  return sandboxes[wordsOrNull(recordOf(sandbox).type) ?? ""] ?? null;
}
