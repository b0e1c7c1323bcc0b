import { Tabs as Base } from "@base-ui/react/tabs";
import { Bell, Bot, CircleUserRound, SlidersHorizontal, Terminal, Workflow } from "lucide-react";
import { useEffect, useState } from "react";
import type { DialogShown } from "../state/uiStore";
import { Dialog } from "../ui/Dialog";
import { AccountSettings } from "./AccountSettings";
import { AttentionSettings } from "./AttentionSettings";
import { CellSettings } from "./CellSettings";
import { CodexSettings } from "./CodexSettings";
import { GeneralSettings } from "./GeneralSettings";
import { ThreadSettings } from "./ThreadSettings";

type Section = Extract<DialogShown, { kind: "settings" }>["section"];

const sections = [
  { id: "general", label: "General", icon: SlidersHorizontal, panel: <GeneralSettings /> },
  { id: "threads", label: "Threads", icon: Bot, panel: <ThreadSettings /> },
  { id: "notifications", label: "Notifications", icon: Bell, panel: <AttentionSettings /> },
  { id: "cells", label: "Cells", icon: Workflow, panel: <CellSettings /> },
  { id: "account", label: "Account", icon: CircleUserRound, panel: <AccountSettings /> },
  { id: "codex", label: "codex", icon: Terminal, panel: <CodexSettings /> },
] as const;

export interface SettingsDialogProps {
  open: boolean;
  section: Section;
  onClose: () => void;
}

/** Everything in it takes effect at once; there is nothing to save. */
export function SettingsDialog({ open, section, onClose }: SettingsDialogProps) {
  const [shown, setShown] = useState<string>(section);
  useEffect(() => {
    if (open) setShown(section);
  }, [open, section]);
  return (
    <Dialog open={open} onClose={onClose} title="Settings" width="l">
      <Base.Root
        orientation="vertical"
        value={shown}
        onValueChange={(next) => setShown(String(next))}
        className="-m-5 flex h-[min(480px,64vh)] max-mid:flex-col"
      >
        <Base.List
          aria-label="Settings"
          activateOnFocus
          className="flex w-40 shrink-0 flex-col gap-0.5 border-r border-line bg-panel p-2 max-mid:w-auto max-mid:flex-row max-mid:border-r-0 max-mid:border-b"
        >
          {sections.map(({ id, label, icon: Icon }) => (
            <Base.Tab
              key={id}
              value={id}
              className="ring-inset flex h-(--h-row) items-center gap-2 rounded-s px-2.5 text-ink-2 transition-colors hover:bg-hover data-active:bg-sel data-active:font-medium data-active:text-ink"
            >
              <Icon aria-hidden size={15} />
              {label}
            </Base.Tab>
          ))}
        </Base.List>
        {sections.map(({ id, panel }) => (
          <Base.Panel key={id} value={id} className="ring-inset min-h-0 min-w-0 flex-1 overflow-y-auto p-5">
            {panel}
          </Base.Panel>
        ))}
      </Base.Root>
    </Dialog>
  );
}
