// How the next turn runs: model and effort, sandbox, approvals.

import { Code, Cpu, Hand, ListChecks, ShieldHalf } from "lucide-react";
import { type RefObject, useEffect, useRef } from "react";
import type { ThreadSettings } from "../../preload/contract/thread";
import { onSignal, type Signal } from "../state/signals";
import { useHead, useThreadKey } from "../state/threadStore";
import { approvalWords, sandboxWords } from "../state/words";
import { MenuButton, type MenuChoice, MenuChoices, MenuGroup, MenuItem, MenuSeparator } from "../ui/Menu";
import { MenuChip } from "./MenuChip";
import { listModels, type Model } from "./models";
import { useShownModel } from "./shownModel";
import { changeThreadSettings, withModel } from "./threadSettings";
import { useUsualSettings } from "./usualSettings";

/** The choice that leaves it to codex. */
const codexDefault = "";

const sandboxChoices = (
  usual: ThreadSettings["sandbox"],
): readonly MenuChoice<NonNullable<ThreadSettings["sandbox"]> | typeof codexDefault>[] => [
  { value: codexDefault, label: usual ? `codex's default (${sandboxWords[usual]})` : "codex's default" },
  { value: "read-only", label: sandboxWords["read-only"], description: "Reads everything, changes nothing" },
  {
    value: "workspace-write",
    label: sandboxWords["workspace-write"],
    description: "Writes in the workspace, no network",
  },
  {
    value: "danger-full-access",
    label: `${sandboxWords["danger-full-access"]} (dangerous)`,
    description: "No sandbox: everything that you may do, it may do",
  },
];

const approvalChoices = (
  usual: ThreadSettings["approvalPolicy"],
): readonly MenuChoice<NonNullable<ThreadSettings["approvalPolicy"]> | typeof codexDefault>[] => [
  { value: codexDefault, label: usual ? `codex's default (${approvalWords[usual]})` : "codex's default" },
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
  {
    value: "never",
    label: `${approvalWords.never} (dangerous without a sandbox)`,
    description: "Nothing is asked; what the sandbox forbids fails",
  },
];

const modeChoices: readonly MenuChoice<NonNullable<ThreadSettings["mode"]>>[] = [
  { value: "code", label: "Code", description: "Does the work" },
  { value: "plan", label: "Plan", description: "Looks, asks and proposes a plan; changes nothing" },
];

export function SettingsMenus() {
  const threadKey = useThreadKey();
  const settings = useHead((head) => head.settings);
  const change = (part: Partial<ThreadSettings>) => void changeThreadSettings(threadKey, settings, part);
  const usual = useUsualSettings();
  const sandbox = settings.sandbox ?? usual.sandbox;
  const approvalPolicy = settings.approvalPolicy ?? usual.approvalPolicy;
  const sandboxChip = useOpenedBy("open-sandbox-menu");
  const approvalsChip = useOpenedBy("open-approvals-menu");
  const full = sandbox === "danger-full-access";
  const never = approvalPolicy === "never";
  return (
    <>
      <ModeMenu settings={settings} onChange={change} />
      <ModelMenu settings={settings} onChange={change} />
      <MenuButton
        side="top"
        button={
          <MenuChip
            ref={sandboxChip}
            what="Sandbox"
            rank="sandbox"
            icon={<ShieldHalf aria-hidden size={12} />}
            caution={full ? "dangerous" : null}
          >
            {sandbox ? sandboxWords[sandbox] : "default sandbox"}
          </MenuChip>
        }
      >
        <MenuChoices
          label="Sandbox, from the next turn on"
          value={settings.sandbox ?? codexDefault}
          choices={sandboxChoices(usual.sandbox)}
          onChange={(next) => change({ sandbox: next || null })}
        />
      </MenuButton>
      <MenuButton
        side="top"
        button={
          <MenuChip
            ref={approvalsChip}
            what="Approvals"
            rank="approvals"
            icon={<Hand aria-hidden size={12} />}
            caution={never ? "dangerous" : null}
          >
            {approvalPolicy ? approvalWords[approvalPolicy] : "default approvals"}
          </MenuChip>
        }
      >
        <MenuChoices
          label="Asks for approval, from the next turn on"
          value={settings.approvalPolicy ?? codexDefault}
          choices={approvalChoices(usual.approvalPolicy)}
          onChange={(next) => change({ approvalPolicy: next || null })}
        />
      </MenuButton>
    </>
  );
}

/** Of the button of a menu that a command opens, too. */
function useOpenedBy(signal: Signal): RefObject<HTMLButtonElement | null> {
  const chip = useRef<HTMLButtonElement>(null);
  useEffect(
    () =>
      onSignal(signal, () => {
        chip.current?.focus();
        chip.current?.click();
      }),
    [signal],
  );
  return chip;
}

/** Planning is what one has to see; doing the work is the usual. */
function ModeMenu({ settings, onChange }: ModelMenuProps) {
  const plans = settings.mode === "plan";
  return (
    <MenuButton
      side="top"
      button={
        <MenuChip
          what="Mode"
          rank={plans ? "plan" : "code"}
          icon={plans ? <ListChecks aria-hidden size={12} /> : <Code aria-hidden size={12} />}
        >
          {plans ? "Plan" : "Code"}
        </MenuChip>
      }
    >
      <MenuChoices
        label="Mode, from the next turn on"
        value={plans ? "plan" : "code"}
        choices={modeChoices}
        onChange={(mode) => onChange({ mode })}
      />
    </MenuButton>
  );
}

interface ModelMenuProps {
  settings: ThreadSettings;
  onChange: (part: Partial<ThreadSettings>) => void;
}

function ModelMenu({ settings, onChange }: ModelMenuProps) {
  const workspaceId = useHead((head) => head.workspaceId);
  const { listed, model, usual, words, id } = useShownModel();
  // It lists them when it has the keyboard.
  const chip = useOpenedBy("open-model-menu");
  const models = listed.state === "listed" ? listed.models : [];
  return (
    <MenuButton
      side="top"
      button={
        <MenuChip
          ref={chip}
          what="Model"
          rank="model"
          detail={id}
          icon={<Cpu aria-hidden size={12} />}
          onPointerDown={() => listModels(workspaceId)}
          onFocus={() => listModels(workspaceId)}
        >
          {words}
        </MenuChip>
      }
    >
      <MenuChoices
        label="Model"
        value={settings.model ?? codexDefault}
        choices={modelChoices(models, usual, settings.model)}
        onChange={(next) =>
          onChange(
            withModel(
              settings,
              models.find((each) => each.id === next),
            ),
          )
        }
      />
      {model && model.efforts.length > 1 && (
        <>
          <MenuSeparator />
          <MenuChoices
            label={`Reasoning effort of ${model.name}`}
            value={settings.effort ?? codexDefault}
            choices={[
              { value: codexDefault, label: `the model's default (${model.defaultEffort})` },
              ...model.efforts.map((each) => ({
                value: each.id,
                label: each.id,
                description: each.description,
              })),
            ]}
            onChange={(next) => onChange({ effort: next || null })}
          />
        </>
      )}
      {listed.state !== "listed" && (
        <MenuGroup label={listed.state === "loading" ? "Asking codex for its models…" : "Other models"}>
          {listed.state === "failed" && (
            <MenuItem description={listed.why} onSelect={() => listModels(workspaceId)}>
              Ask codex again
            </MenuItem>
          )}
        </MenuGroup>
      )}
    </MenuButton>
  );
}

function modelChoices(
  models: readonly Model[],
  usual: Model | undefined,
  chosen: string | null,
): MenuChoice<string>[] {
  const choices: MenuChoice<string>[] = [
    { value: codexDefault, label: usual ? `codex's default (${usual.name})` : "codex's default" },
    ...models.map((each) => ({ value: each.id, label: each.name, description: each.description })),
  ];
  if (chosen !== null && !models.some((each) => each.id === chosen)) {
    choices.push({ value: chosen, label: chosen });
  }
  return choices;
}
