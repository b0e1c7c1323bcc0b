// The models that codex offers in the shown workspace: which one the shown thread uses, and which one new threads begin with.

import { useId } from "react";
import type { CallResult } from "../../../preload/contract";
import { changeSettings } from "../../settings/change";
import { useApp } from "../../state/appStore";
import { call } from "../../state/connection";
import { threadStore } from "../../state/threadStore";
import { Button } from "../../ui/Button";
import { Chip } from "../../ui/Chip";
import { AskedPart } from "../AskedPart";
import { useLoaded } from "../loaded";
import type { Shown } from "../shown";

type Models = CallResult<"models.list">;
type Model = Models["models"][number];

export function ModelsTab({ shown }: { shown: Shown }) {
  const { workspace, codex } = shown;
  const workspaceId = workspace.id;
  // Another account may have other models.
  const account = useApp((app) => app.account.state);
  const loaded = useLoaded<Models>(
    `models ${workspaceId}`,
    () => call("models.list", { workspaceId }),
    `${codex} ${account}`,
  );
  const defaults = useApp((app) => app.settings.newThread);
  const ofThread = threadStore(({ shown: thread }) =>
    thread.phase === "shown" && thread.copy.head.workspaceId === workspaceId
      ? thread.copy.head.settings.model
      : null,
  );
  const models = loaded.value?.models ?? [];
  const choose = (model: string | null) =>
    changeSettings({ newThread: { ...defaults, model, effort: null } });
  const unlisted = [defaults.model, ofThread].filter(
    (id, at, all) => id !== null && all.indexOf(id) === at && !models.some((model) => model.id === id),
  );
  return (
    <div className="grid w-full max-w-190 grid-cols-1 content-start gap-6 px-5 py-5">
      <AskedPart
        title="Models"
        loaded={loaded}
        actions={
          defaults.model !== null && (
            <Button size="s" tone="quiet" onClick={() => choose(null)}>
              Leave it to codex
            </Button>
          )
        }
      >
        {models.length === 0 && <p className="text-m text-ink-2">codex offers no model here.</p>}
        <ul aria-label="Models" className="grid grid-cols-1 divide-y divide-line">
          {models.map((model) => (
            <ModelRow
              key={model.id}
              model={model}
              isOfThread={ofThread === model.id}
              isForNew={defaults.model === null ? model.isDefault : defaults.model === model.id}
              isChosen={defaults.model === model.id}
              onChoose={() => choose(model.id)}
            />
          ))}
        </ul>
        {loaded.value !== null && unlisted.length > 0 && (
          <p className="text-s text-ink-2">
            Chosen, and not listed by codex here: <span className="font-mono">{unlisted.join(", ")}</span>.
          </p>
        )}
      </AskedPart>
    </div>
  );
}

interface ModelRowProps {
  model: Model;
  isOfThread: boolean;
  isForNew: boolean;
  /** By the person, and not by codex. */
  isChosen: boolean;
  onChoose: () => void;
}

function ModelRow({ model, isOfThread, isForNew, isChosen, onChoose }: ModelRowProps) {
  const { id, name, description, efforts, defaultEffort, isDefault, acceptsImages } = model;
  const nameId = useId();
  return (
    <li aria-labelledby={nameId} className="grid grid-cols-1 gap-0.5 py-2">
      <div className="flex min-h-7 flex-wrap items-center gap-x-2 gap-y-1">
        <span id={nameId} className="min-w-0 truncate font-medium">
          {name}
        </span>
        {name !== id && <span className="min-w-0 truncate font-mono text-s text-ink-3 selectable">{id}</span>}
        {isDefault && <Chip>codex's default</Chip>}
        {isOfThread && <Chip>this thread</Chip>}
        {isForNew && <Chip>new threads</Chip>}
        <span className="flex-1" />
        <Button size="s" aria-describedby={nameId} disabled={isChosen} onClick={onChoose}>
          {isChosen ? "Used for new threads" : "Use for new threads"}
        </Button>
      </div>
      {description !== "" && <p className="text-s text-pretty text-ink-2 selectable">{description}</p>}
      <p className="text-s text-ink-3">
        {efforts.length > 0
          ? `Effort: ${efforts
              .map((effort) => (effort.id === defaultEffort ? `${effort.id} (default)` : effort.id))
              .join(", ")}`
          : "No choice of effort"}{" "}
        · {acceptsImages ? "takes images" : "takes no images"}
      </p>
    </li>
  );
}
