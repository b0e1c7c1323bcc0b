import { useApp } from "../state/appStore";
import { Segmented } from "../ui/Segmented";
import { Switch } from "../ui/Switch";
import { changeSettings } from "./change";
import { SettingGroup, SettingRow } from "./SettingRow";

const themes = [
  { value: "system", label: "System" },
  { value: "light", label: "Light" },
  { value: "dark", label: "Dark" },
] as const;

export function GeneralSettings() {
  const theme = useApp((app) => app.settings.theme);
  const enterSends = useApp((app) => app.settings.enterSends);
  const mac = useApp((app) => app.platform === "darwin");
  return (
    <SettingGroup>
      <SettingRow title="Theme">
        <Segmented
          label="Theme"
          value={theme}
          options={themes}
          onChange={(next) => changeSettings({ theme: next })}
        />
      </SettingRow>
      <Switch
        label="Enter sends"
        description={`Off: Enter starts a new line, and ${mac ? "⌘↩" : "Ctrl+Enter"} sends.`}
        checked={enterSends}
        onChange={(next) => changeSettings({ enterSends: next })}
      />
    </SettingGroup>
  );
}
