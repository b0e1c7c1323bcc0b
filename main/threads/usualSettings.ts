// What a new thread of a folder gets from codex where nobody chooses anything: so it can be shown before there is a thread.

import type { ThreadSettings } from "../../preload/contract/thread";
import { recordOf, wordsOrNull } from "./loose";
import { settingsOf } from "./settingsView";

/** In the words of the configuration; `settingsOf` takes those of a thread. */
const policyTypes: Record<string, string> = {
  "read-only": "readOnly",
  "workspace-write": "workspaceWrite",
  "danger-full-access": "dangerFullAccess",
};

export interface UsualFolder {
  /** The folder, and for a worktree that of its repository: codex trusts both or neither. */
  paths: readonly string[];
  isWindows: boolean;
}

/** `config`: as it counts for the folder. null: codex decides by something that is not known here. */
export function usualSettings(
  config: Readonly<Record<string, unknown>>,
  folder: UsualFolder,
): ThreadSettings {
  const byTrust = settingsByTrust(config, folder);
  const sandbox = wordsOrNull(config.sandbox_mode) ?? byTrust.sandbox;
  return settingsOf({
    model: config.model,
    effort: config.model_reasoning_effort,
    sandbox: { type: policyTypes[sandbox ?? ""] },
    approvalPolicy: config.approval_policy ?? byTrust.approvalPolicy,
    mode: null,
  });
}

/** Without a word of the configuration it is the trust in the folder that counts. */
function settingsByTrust(
  config: Readonly<Record<string, unknown>>,
  { paths, isWindows }: UsualFolder,
): { sandbox: string | null; approvalPolicy: string | null } {
  // What a permission profile allows has no word here, and what Windows can enforce depends on its set-up.
  if (config.default_permissions || isWindows) return { sandbox: null, approvalPolicy: null };
  const projects = recordOf(config.projects);
  const known = paths.find((path) => path in projects);
  if (known === undefined) {
    const isBelowAny = Object.keys(projects).some((path) => paths[0]?.startsWith(`${path}/`));
    return isBelowAny
      ? { sandbox: null, approvalPolicy: null }
      : { sandbox: "read-only", approvalPolicy: "on-request" };
  }
  const isTrusted = recordOf(projects[known]).trust_level === "trusted";
  return { sandbox: "workspace-write", approvalPolicy: isTrusted ? "on-request" : "untrusted" };
}
