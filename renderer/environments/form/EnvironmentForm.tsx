// Adds an environment, or changes one.
//
// Races:
// - The dialog is closed while main works: what was added appears in the list without being gone to, and what went wrong is
//   said as of anything else that was asked for.
// - Another window changes it meanwhile: only what was touched here is set (draft.ts).
// - The environment that is being changed is removed meanwhile: main says so, and what was typed stays.

import { type ReactNode, useId, useRef, useState } from "react";
import type { EnvironmentView, RegistryView } from "../../../preload/contract/environments";
import type { FaultView } from "../../../preload/contract/fault";
import { appCopy } from "../../state/appStore";
import { faultOf } from "../../state/callFault";
import { call } from "../../state/connection";
import { showFault, toast } from "../../state/toasts";
import { Button } from "../../ui/Button";
import { Dialog } from "../../ui/Dialog";
import { Notice } from "../../ui/Notice";
import { TextField } from "../../ui/TextField";
import { checkEnvironment, environmentOf, refreshEnvironment, showEnvironment, showTab } from "../actions";
import { isConnected } from "../environmentLook";
import { setFailure } from "../environmentsStore";
import { useIsOpen } from "../useIsOpen";
import {
  changedIn,
  draftOf,
  type EnvironmentDraft,
  emptyDraft,
  fieldOf,
  kinds,
  localName,
  type Problems,
  problemsOf,
  type RegistryKind,
  registryOf,
  tokensOf,
} from "./draft";
import { RegistryFields } from "./RegistryFields";

export interface NewEnvironmentDialogProps {
  registry: RegistryKind | null;
  onClose: () => void;
}

export function NewEnvironmentDialog({ registry, onClose }: NewEnvironmentDialogProps) {
  const open = useIsOpen();
  const add = async (draft: EnvironmentDraft, andCheck: boolean) => {
    const { environmentId } = await call("environments.add", {
      name: draft.name.trim(),
      registry: registryOf(draft),
      tokens: tokensOf(draft),
    });
    if (!open.current) return;
    onClose();
    showEnvironment(environmentId);
    showTab("overview");
    if (andCheck) await checkEnvironment(environmentId);
  };
  return (
    <EnvironmentForm
      title="New environment"
      first={() => emptyDraft(registry ?? "fixed", appCopy()?.app.environments ?? [])}
      offered={kinds.map(({ kind }) => kind)}
      isNew
      isOpen={open}
      onClose={onClose}
      actions={[
        { label: "Add", run: (draft) => add(draft, false) },
        { label: "Add and check", run: (draft) => add(draft, true) },
      ]}
    />
  );
}

export interface EditEnvironmentDialogProps {
  environmentId: string;
  onClose: () => void;
}

export function EditEnvironmentDialog({ environmentId, onClose }: EditEnvironmentDialogProps) {
  const open = useIsOpen();
  // As it was when the dialog was opened: what changes meanwhile must not change what is being typed.
  const [environment] = useState(() => environmentOf(environmentId));
  if (!environment) return null;
  const save = async (draft: EnvironmentDraft) => {
    const changed = changedIn(draft, environment, environmentOf(environmentId) ?? environment);
    await call("environments.change", { environmentId, ...changed });
    if (open.current) onClose();
    await tryOrSayWhenItHolds(environmentId, environment, changed.registry);
  };
  return (
    <EnvironmentForm
      title={`Edit ${environment.name}`}
      first={() => draftOf(environment)}
      offered={environment.registry.kind === "local" ? [] : ["fixed", "file", "command"]}
      isNew={false}
      isOpen={open}
      onClose={onClose}
      actions={[{ label: "Save", run: save }]}
    />
  );
}

/** Whether the new place is right is seen at once; a connection that is there stays until somebody wants the new one. */
async function tryOrSayWhenItHolds(
  environmentId: string,
  before: EnvironmentView,
  registry: RegistryView,
): Promise<void> {
  const isElsewhere = JSON.stringify(before.registry) !== JSON.stringify(registry);
  const now = environmentOf(environmentId);
  if (!isElsewhere || !now || now.registry.kind === "local") return;
  if (!isConnected(now)) return checkEnvironment(environmentId);
  setFailure(environmentId, null);
  toast("Saved. It holds from the next connection.", {
    hint: "The one that is there stays. Refresh goes over to the new place now.",
    actions: [{ label: "Refresh", run: () => void refreshEnvironment(environmentId) }],
    shownMs: 15_000,
  });
}

interface FormAction {
  label: string;
  run: (draft: EnvironmentDraft) => Promise<void>;
}

interface EnvironmentFormProps {
  title: string;
  first: () => EnvironmentDraft;
  offered: readonly RegistryKind[];
  isNew: boolean;
  isOpen: { readonly current: boolean };
  onClose: () => void;
  /** The last one is what Enter does. */
  actions: readonly FormAction[];
}

function EnvironmentForm({ title, first, offered, isNew, isOpen, onClose, actions }: EnvironmentFormProps) {
  const [draft, setDraft] = useState(first);
  const [args] = useState(draft.args);
  const [fault, setFault] = useState<FaultView | null>(null);
  const [tried, setTried] = useState(false);
  const [busy, setBusy] = useState<string | null>(null);
  const form = useRef<HTMLFormElement>(null);
  const name = useRef<HTMLInputElement>(null);
  const found = problemsOf(draft);
  const field = fault === null ? null : fieldOf(fault, draft);
  const problems: Problems = tried ? { ...found } : {};
  if (fault !== null && field !== null)
    problems[field] ??= [fault.message, fault.hint].filter(Boolean).join(" ");
  const change = (part: Partial<EnvironmentDraft>) => {
    setDraft({ ...draft, ...part });
    setFault(null);
  };
  const act = async ({ label, run }: FormAction) => {
    if (busy !== null) return;
    setTried(true);
    if (Object.keys(found).length > 0) {
      // The fields know what is wrong with them once they are drawn.
      requestAnimationFrame(() => form.current?.querySelector<HTMLElement>('[aria-invalid="true"]')?.focus());
      return;
    }
    setBusy(label);
    setFault(null);
    try {
      await run(draft);
    } catch (error) {
      if (isOpen.current) setFault(faultOf(error));
      else showFault(faultOf(error));
    } finally {
      if (isOpen.current) setBusy(null);
    }
  };
  const last = actions[actions.length - 1];
  return (
    <Dialog
      open
      onClose={onClose}
      written={draft.args !== args && busy === null}
      title={title}
      initialFocus={name}
      footer={
        <>
          <Button onClick={onClose}>Cancel</Button>
          {actions.map((action) => (
            <Button
              key={action.label}
              tone={action === last ? "primary" : "default"}
              busy={busy === action.label}
              onClick={() => void act(action)}
            >
              {action.label}
            </Button>
          ))}
        </>
      }
    >
      <form
        ref={form}
        className="grid gap-4"
        onSubmit={(event) => {
          event.preventDefault();
          if (last) void act(last);
        }}
      >
        {offered.length > 0 && (
          <KindChoice
            offered={offered}
            kind={draft.kind}
            onChange={(kind) => change({ kind, name: draft.name || emptyNameOf(kind) })}
          />
        )}
        <TextField
          ref={name}
          label="Name"
          placeholder={draft.kind === "local" ? localName : "build-box"}
          maxLength={200}
          value={draft.name}
          onChange={(value) => change({ name: value })}
          error={problems.name}
        />
        <RegistryFields draft={draft} problems={problems} withTokens={isNew} onChange={change} />
        {/* A form with several fields is sent with Enter only if it has a button. */}
        <button type="submit" hidden />
        {fault && field === null && (
          <Notice live tone="error" title={fault.message} hint={fault.hint} detail={fault.detail} />
        )}
      </form>
    </Dialog>
  );
}

function emptyNameOf(kind: RegistryKind): string {
  return emptyDraft(kind, appCopy()?.app.environments ?? []).name;
}

interface KindChoiceProps {
  offered: readonly RegistryKind[];
  kind: RegistryKind;
  onChange: (kind: RegistryKind) => void;
}

function KindChoice({ offered, kind, onChange }: KindChoiceProps) {
  const id = useId();
  return (
    <fieldset className="grid min-w-0 gap-1.5">
      <legend className="mb-1 text-s font-medium">Where is it?</legend>
      <div className="grid grid-cols-2 gap-1.5 max-mid:grid-cols-1">
        {kinds
          .filter((each) => offered.includes(each.kind))
          .map((each) => (
            <Kind key={each.kind} name={id} checked={kind === each.kind} onCheck={() => onChange(each.kind)}>
              <span className="font-medium">{each.label}</span>
              <span className="text-s text-pretty text-ink-3">{each.description}</span>
            </Kind>
          ))}
      </div>
    </fieldset>
  );
}

interface KindProps {
  name: string;
  checked: boolean;
  onCheck: () => void;
  children: ReactNode;
}

function Kind({ name, checked, onCheck, children }: KindProps) {
  return (
    <label className="flex items-start gap-2 rounded-s border border-line bg-raised px-2.5 py-1.5 has-checked:border-accent has-checked:bg-accent-soft has-focus-visible:outline-2 has-focus-visible:outline-focus">
      <input
        type="radio"
        name={name}
        checked={checked}
        onChange={onCheck}
        className="mt-[3px] accent-(--color-accent)"
      />
      <span className="grid min-w-0">{children}</span>
    </label>
  );
}
