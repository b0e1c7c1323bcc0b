// codex's own configuration: every key with its value as it counts and the layer that says it. Nothing of it is written but
// one key at a time, when asked. It is read again after each change, and with the button: others write that file too.

import { FolderOpen, RotateCw, Search } from "lucide-react";
import { useCallback, useEffect, useState } from "react";
import type { FaultView } from "../../../preload/contract/fault";
import type { CodexConfig, ConfigEntry } from "../../../preload/contract/settingsCalls";
import { useWorkspace } from "../../state/appStore";
import { faultOf } from "../../state/callFault";
import { call } from "../../state/connection";
import { currentWorkspaceId } from "../../state/navigation";
import { reveal } from "../../state/threadActions";
import { Button } from "../../ui/Button";
import { IconButton } from "../../ui/IconButton";
import { Notice } from "../../ui/Notice";
import { Spinner } from "../../ui/Spinner";
import { TextField } from "../../ui/TextField";
import { SettingGroup } from "../SettingRow";
import { ConfigEditor, type Written } from "./ConfigEditor";
import { brief, grouped } from "./configText";
import { importantKeys } from "./keyKinds";
import { RestartNotice } from "./RestartNotice";
import { useRead } from "./useRead";

type Loaded =
  | { state: "loading" }
  | { state: "failed"; fault: FaultView }
  | { state: "read"; config: CodexConfig };

export function ConfigSection() {
  const [workspaceId] = useState(currentWorkspaceId);
  const workspace = useWorkspace(workspaceId);
  const [loaded, setLoaded] = useState<Loaded>({ state: "loading" });
  const [typed, setTyped] = useState("");
  const [edited, setEdited] = useState<string | null>(null);
  const [written, setWritten] = useState<Written | null>(null);
  const begin = useRead();
  const read = useCallback(async () => {
    const isCurrent = begin();
    try {
      const config = await call("codexConfig.read", { workspaceId });
      if (isCurrent()) setLoaded({ state: "read", config });
    } catch (error) {
      if (isCurrent()) setLoaded({ state: "failed", fault: faultOf(error) });
    }
  }, [begin, workspaceId]);
  useEffect(() => void read(), [read]);

  if (loaded.state === "loading") {
    return (
      <p role="status" className="flex items-center gap-2 text-ink-2">
        <Spinner />
        Asking codex for its configuration…
      </p>
    );
  }
  if (loaded.state === "failed") return <Unreadable fault={loaded.fault} onRetry={() => void read()} />;
  const { config } = loaded;
  const groups = grouped(config.entries, typed);
  const where = workspace && !workspace.demo && !workspace.gone ? ` in ${workspace.name}` : "";
  return (
    <div data-setting="codexConfig" className="grid gap-4">
      <div className="flex items-start gap-2">
        <p className="flex-1 text-s text-pretty text-ink-2">
          {`As it counts${where}, the heaviest layer first: managed, how codex is started, the project, your config.toml, this machine. Holdfast writes one key of your config.toml when you ask for it here, and nothing else.`}
        </p>
        {config.file !== null && (
          <IconButton
            label="Show config.toml in the file manager"
            icon={<FolderOpen size={15} />}
            onClick={() => config.file !== null && void reveal(config.file)}
          />
        )}
        <IconButton label="Read it again" icon={<RotateCw size={15} />} onClick={() => void read()} />
      </div>
      {written && <Outcome written={written} onDismiss={() => setWritten(null)} />}
      {config.disabled.map(({ source, reason }) => (
        <Notice
          key={`${source.words} ${source.place}`}
          tone="info"
          title={`codex does not use ${source.words}${source.place === null ? "" : ` (${source.place})`}.`}
          hint={reason}
        />
      ))}
      <TextField
        label="Find a key"
        hideLabel
        placeholder="Find a key, a value, a layer"
        before={<Search aria-hidden size={14} className="shrink-0" />}
        value={typed}
        onChange={setTyped}
      />
      {groups.length === 0 && <p className="py-4 text-center text-ink-3">No key is about that.</p>}
      {groups.map(({ title, entries }) => (
        <SettingGroup key={title} title={title}>
          <ul className="-mt-2 rounded-m border border-line *:not-first:border-t *:not-first:border-line">
            {entries.map((entry) => (
              <li key={entry.key} className="grid gap-2 px-3 py-1.5">
                <EntryLine
                  entry={entry}
                  isEdited={edited === entry.key}
                  onChange={() => setEdited(edited === entry.key ? null : entry.key)}
                />
                {edited === entry.key && (
                  <ConfigEditor
                    entry={entry}
                    config={config}
                    workspaceId={workspaceId}
                    onRead={read}
                    onClose={() => setEdited(null)}
                    onWritten={(outcome) => {
                      setEdited(null);
                      setWritten(outcome);
                      void read();
                    }}
                  />
                )}
              </li>
            ))}
          </ul>
        </SettingGroup>
      ))}
    </div>
  );
}

interface EntryLineProps {
  entry: ConfigEntry;
  isEdited: boolean;
  onChange: () => void;
}

function EntryLine({ entry, isEdited, onChange }: EntryLineProps) {
  const { key, source, value, secret } = entry;
  const words = importantKeys[key]?.words;
  const isUnset = value === null && !secret;
  return (
    <div className="flex items-center gap-3">
      <div className="grid min-w-0 flex-1">
        <code className="text-s break-all text-ink selectable">{key}</code>
        {words !== undefined && <span className="text-s text-ink-3">{words}</span>}
        <span className="flex flex-wrap gap-x-2 text-s">
          <code className={isUnset ? "text-ink-3" : "break-all text-ink-2 selectable"}>{brief(entry)}</code>
          {source.kind !== "default" && (
            <span className="text-ink-3" title={source.place ?? undefined}>
              {source.words}
            </span>
          )}
        </span>
      </div>
      <Button size="s" tone="quiet" aria-expanded={isEdited} aria-label={`Change… ${key}`} onClick={onChange}>
        Change…
      </Button>
    </div>
  );
}

function Unreadable({ fault, onRetry }: { fault: FaultView; onRetry: () => void }) {
  const { path } = fault;
  return (
    <div data-setting="codexConfig" className="grid gap-4">
      <Notice
        live
        tone="error"
        title={fault.message}
        hint={
          fault.code === "config_invalid"
            ? "Nothing can be changed here until the file can be read. Correct it in an editor, then read it again; Holdfast leaves it as it is."
            : fault.hint
        }
        detail={fault.detail}
        actions={
          <>
            <Button onClick={onRetry}>Read it again</Button>
            {path !== undefined && <Button onClick={() => void reveal(path)}>Show the file</Button>}
          </>
        }
      />
    </div>
  );
}

function Outcome({ written, onDismiss }: { written: Written; onDismiss: () => void }) {
  const { key, file, overridden } = written;
  return (
    <Notice
      live
      tone={overridden ? "warning" : "info"}
      title={`${key} was written into ${file}.`}
      hint={
        overridden
          ? `It does not count here. codex says: ${overridden.message}. What counts is ${overridden.effective}.`
          : "New threads use it. What is loaded keeps what it has until its codex is started again."
      }
      actions={<RestartNotice />}
      onDismiss={onDismiss}
    />
  );
}
