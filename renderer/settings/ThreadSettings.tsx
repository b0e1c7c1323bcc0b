import { useEffect, useState } from "react";
import type { CallResult } from "../../preload/contract";
import { useApp } from "../state/appStore";
import { faultOf } from "../state/callFault";
import { call } from "../state/connection";
import { currentWorkspaceId } from "../state/navigation";
import { approvalWords, sandboxWords } from "../state/words";
import { Select } from "../ui/Select";
import { changeSettings } from "./change";
import { SettingGroup, SettingRow } from "./SettingRow";
import { UnusedSettings } from "./UnusedSettings";

type Models = CallResult<"models.list">["models"];

/** The choice that leaves it to codex. */
const codexDefault = "";

const sandboxOptions = [
  { value: codexDefault, label: "codex's default" },
  { value: "read-only", label: sandboxWords["read-only"], description: "Reads everything, changes nothing" },
  {
    value: "workspace-write",
    label: sandboxWords["workspace-write"],
    description: "Writes in the workspace, no network",
  },
  {
    value: "danger-full-access",
    label: sandboxWords["danger-full-access"],
    description: "Everything that you may do, without a sandbox",
  },
] as const;

const approvalOptions = [
  { value: codexDefault, label: "codex's default" },
  {
    value: "untrusted",
    label: approvalWords.untrusted,
    description: "Asks before all but harmless commands",
  },
  {
    value: "on-request",
    label: approvalWords["on-request"],
    description: "Asks when it wants out of the sandbox",
  },
  { value: "never", label: approvalWords.never, description: "What the sandbox forbids fails" },
] as const;

export function ThreadSettings() {
  const defaults = useApp((app) => app.settings.newThread);
  const models = useModels();
  const model = models.find((each) => each.id === defaults.model);
  const efforts = model?.efforts ?? [];
  const change = (part: Partial<typeof defaults>) => changeSettings({ newThread: { ...defaults, ...part } });
  return (
    <>
      <SettingGroup title="What a new thread starts with">
        <SettingRow title="Model">
          <Select
            label="Model"
            value={defaults.model ?? codexDefault}
            options={[
              { value: codexDefault, label: "codex's default" },
              ...models.map((each) => ({ value: each.id, label: each.name, description: each.description })),
            ]}
            onChange={(next) => change({ model: next || null, effort: null })}
            className="w-52"
          />
        </SettingRow>
        <SettingRow title="Reasoning effort">
          <Select
            label="Reasoning effort"
            value={defaults.effort ?? codexDefault}
            options={[
              { value: codexDefault, label: "the model's default" },
              ...efforts.map((each) => ({ value: each.id, label: each.id, description: each.description })),
            ]}
            disabled={efforts.length === 0}
            onChange={(next) => change({ effort: next || null })}
            className="w-52"
          />
        </SettingRow>
        <SettingRow title="Sandbox">
          <Select
            label="Sandbox"
            value={defaults.sandbox ?? codexDefault}
            options={sandboxOptions}
            onChange={(next) => change({ sandbox: next || null })}
            className="w-52"
          />
        </SettingRow>
        <SettingRow title="Asks for approval">
          <Select
            label="Asks for approval"
            value={defaults.approvalPolicy ?? codexDefault}
            options={approvalOptions}
            onChange={(next) => change({ approvalPolicy: next || null })}
            className="w-52"
          />
        </SettingRow>
      </SettingGroup>
      <UnusedSettings />
    </>
  );
}

function useModels(): Models {
  const [models, setModels] = useState<Models>([]);
  useEffect(() => {
    const workspaceId = currentWorkspaceId();
    if (workspaceId === null) return;
    let current = true;
    call("models.list", { workspaceId }).then(
      (answer) => current && setModels(answer.models),
      // Without codex there is nothing to choose from; its own default is always there.
      (error: unknown) => console.warn("The models could not be listed", faultOf(error).message),
    );
    return () => {
      current = false;
    };
  }, []);
  return models;
}
