import { useApp } from "../state/appStore";
import { changeSettings } from "./change";
import { MinutesRow } from "./MinutesRow";
import { SettingGroup } from "./SettingRow";

/** What codex does when neither Holdfast nor its own configuration says anything. */
const codexOwnMinutes = 30;

/** How long what nobody uses is kept, from the smallest to the largest: a thread, its session, a codex without Holdfast. */
export function UnusedSettings() {
  const unload = useApp((app) => app.settings.threadUnloadMinutes);
  const idle = useApp((app) => app.settings.sessionIdleMinutes);
  const unattended = useApp((app) => app.settings.unattendedMinutes);
  return (
    <SettingGroup title="What is not used">
      <MinutesRow
        title="Unload an idle thread after"
        description="A thread that nobody shows and that does nothing. It is loaded again when it is opened. Takes effect when codex is started next. Until it is changed here, thread_unload_delay_secs in codex's config.toml counts. Parts of a minute count."
        label="Minutes until an idle thread is unloaded"
        minutes={unload ?? codexOwnMinutes}
        step={5}
        digits={3}
        onChange={(threadUnloadMinutes) => changeSettings({ threadUnloadMinutes })}
      />
      <MinutesRow
        title="Close an unused session after"
        description="A codex whose threads are all unloaded and that nobody shows. It comes back by itself when it is needed; its threads stay in the list. 0: never."
        label="Minutes until an unused session is closed"
        minutes={idle}
        step={5}
        digits={3}
        onChange={(sessionIdleMinutes) => changeSettings({ sessionIdleMinutes })}
      />
      <MinutesRow
        title="End codex when Holdfast has died and nothing runs, after"
        description="So that a crash leaves no process behind for good. A turn that runs is finished first. Parts of a minute count."
        label="Minutes until codex is ended after Holdfast has died"
        minutes={unattended}
        step={1}
        digits={3}
        onChange={(unattendedMinutes) => changeSettings({ unattendedMinutes })}
      />
    </SettingGroup>
  );
}
