import { Tabs as Base } from "@base-ui/react/tabs";
import {
  Bell,
  Bot,
  CircleUserRound,
  FileCog,
  HardDrive,
  Layers,
  type LucideIcon,
  SlidersHorizontal,
  Terminal,
  Workflow,
} from "lucide-react";
import { type ReactNode, useEffect, useRef, useState } from "react";
import { onSignal } from "../state/signals";
import { Dialog } from "../ui/Dialog";
import { keyboardAtOnce } from "../ui/keyboardAtOnce";
import { pressMatches } from "../ui/keys";
import { AccountSettings } from "./AccountSettings";
import { CodexSettings } from "./CodexSettings";
import { ConfigSection } from "./config/ConfigSection";
import { DataSettings } from "./DataSettings";
import { SettingRows } from "./SettingRows";
import { SettingsSearch } from "./SettingsSearch";
import { type Setting, type SettingSection, settingSections } from "./setting";

const panels: Record<SettingSection, { icon: LucideIcon; panel: ReactNode }> = {
  general: { icon: SlidersHorizontal, panel: <SettingRows section="general" /> },
  threads: { icon: Bot, panel: <SettingRows section="threads" /> },
  cells: { icon: Workflow, panel: <SettingRows section="cells" /> },
  sessions: { icon: Layers, panel: <SettingRows section="sessions" /> },
  notifications: { icon: Bell, panel: <SettingRows section="notifications" /> },
  account: { icon: CircleUserRound, panel: <AccountSettings /> },
  codex: { icon: Terminal, panel: <CodexSettings /> },
  config: { icon: FileCog, panel: <ConfigSection /> },
  data: { icon: HardDrive, panel: <DataSettings /> },
};

export interface SettingsDialogProps {
  open: boolean;
  section: SettingSection;
  /** The one that is looked for. */
  settingId?: string | undefined;
  onClose: () => void;
}

/** Everything in it takes effect at once; there is nothing to save. */
export function SettingsDialog({ open, section, settingId, onClose }: SettingsDialogProps) {
  const [shown, setShown] = useState<SettingSection>(section);
  const [typed, setTyped] = useState("");
  /** The one to go to, once its section is drawn. */
  const [wanted, setWanted] = useState<string | null>(null);
  const field = useRef<HTMLInputElement>(null);
  // It comes after the dialog, which is drawn elsewhere in the page.
  const [body, setBody] = useState<HTMLElement | null>(null);
  useEffect(() => {
    if (!open) return;
    setShown(section);
    setTyped("");
    setWanted(settingId ?? null);
  }, [open, section, settingId]);
  useEffect(() => {
    if (wanted === null || typed !== "") return;
    if (goTo(body, wanted)) setWanted(null);
  });
  useEffect(() => {
    if (!open) return;
    const find = () => {
      field.current?.focus();
      field.current?.select();
    };
    const press = (event: KeyboardEvent) => {
      if (!pressMatches(event, "mod+f")) return;
      event.preventDefault();
      find();
    };
    window.addEventListener("keydown", press, true);
    const stop = onSignal("focus-settings-search", find);
    return () => {
      window.removeEventListener("keydown", press, true);
      stop();
    };
  }, [open]);
  const go = (setting: Setting) => {
    setTyped("");
    setShown(setting.section);
    setWanted(setting.id);
  };
  return (
    <Dialog
      open={open}
      onClose={onClose}
      title="Settings"
      width="l"
      initialFocus={settingId === undefined ? keyboardAtOnce(field) : () => false}
    >
      <div ref={setBody} className="-m-5 flex h-[min(560px,70vh)] flex-col">
        <SettingsSearch field={field} typed={typed} onType={setTyped} onGo={go} />
        {typed.trim() === "" && (
          <Base.Root
            orientation="vertical"
            value={shown}
            onValueChange={(next) => setShown(next as SettingSection)}
            className="flex min-h-0 flex-1 max-mid:flex-col"
          >
            <Base.List
              aria-label="Settings"
              activateOnFocus
              className="flex w-40 shrink-0 flex-col gap-0.5 overflow-auto border-r border-line bg-panel p-2 max-mid:w-auto max-mid:flex-row max-mid:border-r-0 max-mid:border-b"
            >
              {settingSections.map(({ id, label }) => {
                const Icon = panels[id].icon;
                return (
                  <Base.Tab
                    key={id}
                    value={id}
                    className="ring-inset flex h-(--h-row) shrink-0 items-center gap-2 rounded-s px-2.5 text-ink-2 transition-colors hover:bg-hover data-active:bg-sel data-active:font-medium data-active:text-ink"
                  >
                    <Icon aria-hidden size={15} />
                    {label}
                  </Base.Tab>
                );
              })}
            </Base.List>
            {settingSections.map(({ id }) => (
              <Base.Panel
                key={id}
                value={id}
                className="ring-inset min-h-0 min-w-0 flex-1 overflow-y-auto p-5"
              >
                {panels[id].panel}
              </Base.Panel>
            ))}
          </Base.Root>
        )}
      </div>
    </Dialog>
  );
}

/** Into view, with the keyboard on its control. False: it is not there yet. */
function goTo(body: HTMLElement | null, id: string): boolean {
  const row = body?.querySelector<HTMLElement>(`[data-setting="${CSS.escape(id)}"]`);
  if (!row) return false;
  row.scrollIntoView({ block: "center" });
  // A field rather than the buttons beside it; of a group the one that the Tab key goes to.
  const choices = [
    "input:not([type=hidden], [aria-hidden=true])",
    "[role=radio][tabindex='0']",
    "[role=switch]",
    "button",
  ];
  for (const choice of choices) {
    const control = row.querySelector<HTMLElement>(choice);
    if (!control) continue;
    control.focus();
    break;
  }
  return true;
}
