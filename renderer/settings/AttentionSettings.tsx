import { useEffect, useState } from "react";
import type { CallResult } from "../../preload/contract";
import type { NotificationSettings } from "../../preload/contract/attention";
import { useApp } from "../state/appStore";
import { call } from "../state/connection";
import { attempt } from "../state/toasts";
import { Switch } from "../ui/Switch";
import { changeSettings } from "./change";
import { SettingGroup } from "./SettingRow";

type Row = { name: keyof NotificationSettings; label: string; description?: string };

const kinds: Row[] = [
  { name: "finished", label: "A turn has finished" },
  { name: "failed", label: "A turn has failed" },
  {
    name: "needsYou",
    label: "Something needs you",
    description: "An approval or a question, also of an agent.",
  },
  { name: "scripts", label: "A script tells you something" },
];

const ways: Row[] = [
  {
    name: "details",
    label: "Show what it is about in notifications",
    description:
      "The last words of an answer, why a turn failed, the command that waits. Off: only the thread's title.",
  },
  { name: "sound", label: "With sound" },
  {
    name: "onlyWhenAway",
    label: "Only when Holdfast is not in front",
    description: "Off: also about other threads than the one you look at.",
  },
];

/** What Holdfast does while nobody looks at it. */
export function AttentionSettings() {
  const notifications = useApp((app) => app.settings.notifications);
  const keepInTray = useApp((app) => app.settings.keepInTray);
  const openAtLogin = useApp((app) => app.settings.openAtLogin);
  const mac = useApp((app) => app.platform === "darwin");
  const linux = useApp((app) => app.platform === "linux");
  const desktop = useDesktop();
  const row = ({ name, label, description }: Row) => (
    <Switch
      key={name}
      label={label}
      description={description}
      checked={notifications[name]}
      onChange={(next) => changeSettings({ notifications: { ...notifications, [name]: next } })}
    />
  );
  return (
    <>
      <SettingGroup title="Notify me when">
        {desktop?.notifications === false && (
          <p className="text-s text-pretty text-ink-2">
            This desktop has no notifications that Holdfast could use{linux ? "; they need libnotify" : ""}.
            What needs you is in the sidebar and in the window's title.
          </p>
        )}
        {kinds.map(row)}
      </SettingGroup>
      <SettingGroup title="Notifications">{ways.map(row)}</SettingGroup>
      <SettingGroup title="In the background">
        {desktop?.tray !== false && !mac && (
          <Switch
            label="Keep Holdfast in the tray when the last window is closed"
            description="Off: closing the last window quits. On: the tray, or starting Holdfast again, brings a window back."
            checked={keepInTray}
            onChange={(next) => changeSettings({ keepInTray: next })}
          />
        )}
        {desktop?.openAtLogin !== false && (
          <Switch
            label="Open Holdfast when I log in"
            description={mac ? undefined : "Without a window, if it is kept in the tray."}
            checked={openAtLogin}
            onChange={(next) => changeSettings({ openAtLogin: next })}
          />
        )}
      </SettingGroup>
    </>
  );
}

/** Null until it is known: until then nothing is said to be missing. */
function useDesktop(): CallResult<"attention.desktop"> | null {
  const [desktop, setDesktop] = useState<CallResult<"attention.desktop"> | null>(null);
  useEffect(() => {
    let isWanted = true;
    void attempt(call("attention.desktop", {})).then((answer) => {
      if (isWanted && answer) setDesktop(answer);
    });
    return () => {
      isWanted = false;
    };
  }, []);
  return desktop;
}
