// The rows of a section, made of the list of settings.

import { useId, useState } from "react";
import { useApp } from "../state/appStore";
import { Button } from "../ui/Button";
import { Segmented } from "../ui/Segmented";
import { Select, type SelectOption } from "../ui/Select";
import { SwitchControl } from "../ui/Switch";
import { leftToCodex, sectionLabel, settings } from "./catalog";
import { changeSettings } from "./change";
import { EditorControl } from "./EditorControl";
import { NumberControl } from "./NumberControl";
import { SettingGroup, SettingRow } from "./SettingRow";
import type { Setting, SettingSection } from "./setting";
import { hasWhatItNeeds, useDesktop } from "./useDesktop";
import { useModels } from "./useModels";
import { changeTo, changeToDefaults, defaultOf, differs, settingValue } from "./values";

const intro: Partial<Record<SettingSection, string>> = {
  cells:
    "What one run of a script may use. A run that reaches a limit ends with an error that says which; no other run is touched, and the threads it has started go on. Changes count from the next run on.",
  sessions:
    "How long what nobody uses is kept. Each workspace has a codex of its own, a session, which comes and goes as it is needed.",
};

export function SettingRows({ section }: { section: SettingSection }) {
  const all = useApp((app) => app.settings);
  const desktop = useDesktop();
  const rows = settings.filter(
    (each) => each.section === section && each.kind.kind !== "form" && hasWhatItNeeds(each, desktop),
  );
  const groups = [...new Set(rows.map(({ group }) => group))];
  const changed = rows.filter(({ id }) => differs(all, id)).map(({ id }) => id);
  const words = intro[section];
  return (
    <>
      {words !== undefined && <p className="mb-4 text-s text-pretty text-ink-2">{words}</p>}
      {section === "notifications" && desktop?.notifications === false && (
        <p className="mb-4 text-s text-pretty text-ink-2">
          This desktop has no notifications that Holdfast could use. What needs you is in the sidebar and in
          the window's title.
        </p>
      )}
      {groups.map((group) => (
        <SettingGroup key={group ?? ""} title={group}>
          {rows
            .filter((each) => each.group === group)
            .map((setting) => (
              <Row key={setting.id} setting={setting} />
            ))}
        </SettingGroup>
      ))}
      <p className="mt-6 flex min-h-7 items-center gap-3 border-t border-line pt-4 text-s text-ink-3">
        <span className="flex-1">
          {changed.length === 0
            ? "Everything here is at its default."
            : `${changed.length} of ${rows.length} ${changed.length === 1 ? "differs" : "differ"} from the default.`}
        </span>
        {changed.length > 0 && (
          <Button size="s" onClick={() => changeSettings(changeToDefaults(all, changed))}>
            {`Reset “${sectionLabel(section)}” to default`}
          </Button>
        )}
      </p>
    </>
  );
}

function Row({ setting }: { setting: Setting }) {
  const { id, title, text, kind } = setting;
  const all = useApp((app) => app.settings);
  const [said, setSaid] = useState<string | null>(null);
  const errorId = useId();
  const value = settingValue(all, id);
  const change = (next: unknown) => changeSettings(changeTo(all, id, next));
  const reset = () => {
    setSaid(null);
    change(defaultOf(id));
  };
  const control = () => {
    switch (kind.kind) {
      case "switch":
        return <SwitchControl label={title} checked={value === true} onChange={change} />;
      case "choice":
        return kind.few ? (
          <Segmented label={title} value={String(value)} options={kind.choices} onChange={change} />
        ) : (
          <Select
            label={title}
            value={value === null ? leftToCodex : String(value)}
            options={kind.choices}
            onChange={(next) => change(next === leftToCodex ? null : next)}
            className="w-52"
          />
        );
      case "models":
      case "efforts":
        return <ModelControl setting={setting} />;
      case "number": {
        const { unset, kind: _, ...rest } = kind;
        return (
          <NumberControl
            {...rest}
            value={typeof value === "number" ? value : (unset ?? rest.least)}
            onChange={change}
            onRefused={setSaid}
            refused={said !== null}
            errorId={errorId}
          />
        );
      }
      case "editor":
        return (
          <EditorControl label={title} value={typeof value === "string" ? value : null} onChange={change} />
        );
      case "form":
        return null;
      default:
        return kind satisfies never;
    }
  };
  return (
    <SettingRow
      id={id}
      title={title}
      description={text}
      onReset={differs(all, id) || said !== null ? reset : undefined}
      error={
        said !== null && (
          <p id={errorId} role="alert" className="text-right text-s text-pretty text-bad">
            {said}
          </p>
        )
      }
    >
      {control()}
    </SettingRow>
  );
}

/** The models that codex offers, or the efforts of the one that is chosen. */
function ModelControl({ setting }: { setting: Setting }) {
  const all = useApp((app) => app.settings);
  const { models, fault } = useModels();
  const { model: chosen, effort } = all.newThread;
  const ofModels = setting.kind.kind === "models";
  const model = models?.find((each) => each.id === chosen);
  const value = (ofModels ? chosen : effort) ?? leftToCodex;
  const offered: SelectOption<string>[] = ofModels
    ? (models ?? []).map((each) => ({ value: each.id, label: each.name, description: each.description }))
    : (model?.efforts ?? []).map((each) => ({
        value: each.id,
        label: each.id,
        description: each.description,
      }));
  const first: SelectOption<string> = {
    value: leftToCodex,
    label: ofModels ? "codex's default" : "the model's default",
    ...(fault !== null && { description: fault }),
  };
  // One that codex does not offer any more is said as such, and stays until another one is chosen.
  const gone: SelectOption<string>[] =
    value !== leftToCodex && models !== null && !offered.some((each) => each.value === value)
      ? [{ value, label: value, description: "codex does not offer it here" }]
      : [];
  return (
    <Select
      label={setting.title}
      value={value}
      options={[first, ...gone, ...offered]}
      disabled={!ofModels && offered.length + gone.length === 0}
      onChange={(next) => changeSettings(changeTo(all, setting.id, next === leftToCodex ? null : next))}
      className="w-52"
    />
  );
}
