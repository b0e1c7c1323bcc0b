import { FolderOpen } from "lucide-react";
import { useEffect, useState } from "react";
import type { CallResult } from "../../preload/contract";
import { useApp } from "../state/appStore";
import { faultOf } from "../state/callFault";
import { askFirst } from "../state/confirm";
import { call } from "../state/connection";
import { reveal } from "../state/threadActions";
import { attempt } from "../state/toasts";
import { Button } from "../ui/Button";
import { Notice } from "../ui/Notice";
import { settings } from "./catalog";
import { changeSettings } from "./change";
import { SettingGroup, SettingRow } from "./SettingRow";
import { changeToDefaults, differs } from "./values";

type Places = CallResult<"settings.places">;

const folders: { place: keyof Places; title: string; text: string }[] = [
  { place: "home", title: "Holdfast's own", text: "Settings, drafts, the ledger, logs (HOLDFAST_HOME)." },
  { place: "logs", title: "Logs", text: "One of Holdfast, and one for each codex." },
  {
    place: "codexHome",
    title: "codex's home",
    text: "Threads, config.toml and the sign-in, which the codex command line uses too (CODEX_HOME).",
  },
];

const rows = settings.filter(({ kind }) => kind.kind !== "form").map(({ id }) => id);

export function DataSettings() {
  const { places, fault } = usePlaces();
  const all = useApp((app) => app.settings);
  const version = useApp((app) => app.version);
  const notices = useApp((app) => app.notices);
  const damaged = notices.filter(({ id }) => /^(settings|ledger)#/.test(id));
  const changed = rows.filter((id) => differs(all, id));
  const resetAll = async () => {
    const yes = await askFirst({
      title: "Reset all settings to default?",
      text: `${changed.length} of Holdfast's settings differ. The account, the codex program and codex's own configuration stay as they are.`,
      confirmLabel: "Reset all",
      tone: "danger",
    });
    if (yes) changeSettings(changeToDefaults(all, changed));
  };
  return (
    <>
      {damaged.map((notice) => (
        <Notice
          key={notice.id}
          tone={notice.tone}
          title={notice.text}
          hint={notice.hint}
          detail={notice.detail}
          onDismiss={() => void attempt(call("notices.dismiss", { id: notice.id }))}
          className="mb-5"
        />
      ))}
      <SettingGroup title="Folders">
        {fault !== null && <Notice tone="warning" title={fault} />}
        {folders.map(({ place, title, text }, index) => (
          <SettingRow
            key={place}
            id={index === 0 ? "folders" : undefined}
            title={title}
            description={
              <>
                {text}
                <br />
                <code className="text-xs break-all selectable">{places?.[place] ?? "…"}</code>
              </>
            }
          >
            <Button
              disabled={places === null}
              icon={<FolderOpen aria-hidden size={14} />}
              aria-label={`Open: ${title}`}
              onClick={() => places && void reveal(places[place])}
            >
              Open
            </Button>
          </SettingRow>
        ))}
      </SettingGroup>
      <SettingGroup title="Everything">
        <SettingRow
          id="resetAll"
          title="Reset all settings to default"
          description={
            changed.length === 0
              ? "Everything is at its default."
              : `${changed.length} of ${rows.length} differ. The account and codex's configuration stay as they are.`
          }
        >
          <Button tone="danger" disabled={changed.length === 0} onClick={() => void resetAll()}>
            Reset all…
          </Button>
        </SettingRow>
        <SettingRow title="Holdfast">
          <span className="text-ink-2 tabular">{version}</span>
        </SettingRow>
      </SettingGroup>
    </>
  );
}

function usePlaces(): { places: Places | null; fault: string | null } {
  const [places, setPlaces] = useState<Places | null>(null);
  const [fault, setFault] = useState<string | null>(null);
  useEffect(() => {
    let current = true;
    call("settings.places", {}).then(
      (answer) => current && setPlaces(answer),
      (error: unknown) => current && setFault(`The folders are not known: ${faultOf(error).message}`),
    );
    return () => {
      current = false;
    };
  }, []);
  return { places, fault };
}
