import { FolderOpen } from "lucide-react";
import { useApp } from "../state/appStore";
import { reveal } from "../state/threadActions";
import { IconButton } from "../ui/IconButton";
import { CodexPathForm } from "../welcome/CodexMissing";
import { originWords, TriedPlaces } from "../welcome/TriedPlaces";
import { SettingGroup } from "./SettingRow";

export function CodexSettings() {
  const codex = useApp((app) => app.codex);
  return (
    <>
      <SettingGroup title="codex in use">
        {codex.state === "found" && (
          <div className="flex items-center gap-3">
            <div className="grid min-w-0 flex-1">
              <span className="font-medium">codex {codex.version}</span>
              <span className="truncate font-mono text-xs text-ink-3 selectable" title={codex.path}>
                {codex.path}
              </span>
              <span className="text-s text-ink-3">{originWords(codex.origin)}</span>
            </div>
            <IconButton
              label="Show in the file manager"
              icon={<FolderOpen size={15} />}
              onClick={() => void reveal(codex.path)}
            />
          </div>
        )}
        {codex.state === "searching" && <p className="text-ink-2">Looking for codex…</p>}
        {codex.state === "missing" && <p className="text-bad">{codex.fault.message}</p>}
      </SettingGroup>
      <SettingGroup id="codexPath" title="Use another one">
        <p className="text-s text-pretty text-ink-2">
          A path is taken only when what it names can be started. Sessions that start from now on use it; an
          empty field means that codex is looked for.
        </p>
        <CodexPathForm />
      </SettingGroup>
      {codex.state !== "searching" && codex.tried.length > 0 && (
        <SettingGroup title="Where it was looked for">
          <TriedPlaces tried={codex.tried} />
        </SettingGroup>
      )}
    </>
  );
}
