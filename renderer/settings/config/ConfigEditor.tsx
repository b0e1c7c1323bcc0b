// Changes one key: what will be written and where is shown before it is. A file that has changed since it was read is not
// written: it is read again, and what was typed stays.

import { type FormEvent, useEffect, useId, useRef, useState } from "react";
import type { FaultView } from "../../../preload/contract/fault";
import type { CodexConfig, ConfigEntry } from "../../../preload/contract/settingsCalls";
import { faultOf } from "../../state/callFault";
import { call } from "../../state/connection";
import { Button } from "../../ui/Button";
import { Notice } from "../../ui/Notice";
import { Segmented } from "../../ui/Segmented";
import { TextField } from "../../ui/TextField";
import { askToDiscard, useWritten } from "../../ui/written";
import { asTyped, type ConfigValue, readTyped, toml } from "./configText";
import { type KeyKind, kindOf } from "./keyKinds";

/** What came of a change. `overridden`: a heavier layer says otherwise. */
export interface Written {
  key: string;
  file: string;
  overridden: { message: string; effective: string } | null;
}

export interface ConfigEditorProps {
  entry: ConfigEntry;
  config: CodexConfig;
  workspaceId: string | null;
  /** Reads the configuration again; it comes as another `config`. */
  onRead: () => Promise<void>;
  onClose: () => void;
  onWritten: (written: Written) => void;
}

export function ConfigEditor({ entry, config, workspaceId, onRead, onClose, onWritten }: ConfigEditorProps) {
  const { key, path, source, secret } = entry;
  // Kept for as long as the editor is open, whatever the file says meanwhile.
  const [kind] = useState<KeyKind>(() => (secret ? { kind: "text" } : kindOf(entry)));
  const [first] = useState(() => asTyped(entry.value, kind));
  const [typed, setTyped] = useState(first);
  const [busy, setBusy] = useState(false);
  const [fault, setFault] = useState<FaultView | null>(null);
  const [behind, setBehind] = useState(false);
  const form = useRef<HTMLFormElement>(null);
  useEffect(() => form.current?.querySelector<HTMLElement>("input, textarea, [role=radio]")?.focus(), []);

  const isWritten = kind.kind === "json" && typed !== first && !busy;
  useWritten(isWritten);

  const read = readTyped(typed, kind);
  const before = source.kind === "user" ? (secret ? "…" : toml(entry.value)) : null;
  const same = read.ok && before !== null && !secret && toml(read.value) === before;
  const write = async (value: ConfigValue) => {
    setBusy(true);
    setFault(null);
    setBehind(false);
    try {
      const answer = await call("codexConfig.write", { workspaceId, path, value, version: config.version });
      if (answer.outcome === "behind") {
        setBehind(true);
        await onRead();
      } else {
        const { file, overridden } = answer;
        onWritten({
          key,
          file,
          overridden: overridden && { message: overridden.message, effective: toml(overridden.effective) },
        });
      }
    } catch (error) {
      setFault(faultOf(error));
    } finally {
      setBusy(false);
    }
  };
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (read.ok && !same && !busy) void write(read.value);
  };
  return (
    <form
      ref={form}
      aria-label={`Change ${key}`}
      onSubmit={submit}
      onKeyDown={(event) => {
        if (event.key !== "Escape") return;
        // Not for the dialog, which would close.
        event.stopPropagation();
        if (isWritten) void askToDiscard(onClose, () => form.current !== null);
        else onClose();
      }}
      className="grid gap-2 rounded-m border border-line bg-panel p-3"
    >
      <ValueField label={`Value of ${key}`} kind={kind} typed={typed} onType={setTyped} />
      {!read.ok && typed !== "" && (
        <p role="alert" className="text-s text-bad">
          {read.said}
        </p>
      )}
      <dl className="grid grid-cols-[auto_minmax(0,1fr)] gap-x-3 gap-y-0.5 text-s">
        <dt className="text-ink-3">File</dt>
        <dd className="font-mono text-xs leading-[18px] break-all selectable">
          {config.file ?? "config.toml in codex's home, which is made"}
        </dd>
        <dt className="text-ink-3">Now</dt>
        <dd className="font-mono text-xs leading-[18px] break-all">
          {before === null ? `no ${key} in this file` : `${key} = ${before}`}
        </dd>
        <dt className="text-ink-3">Then</dt>
        <dd className="font-mono text-xs leading-[18px] break-all">
          {read.ok ? `${key} = ${toml(read.value)}` : "…"}
        </dd>
      </dl>
      {source.kind !== "user" && source.kind !== "default" && source.kind !== "system" && (
        <Notice
          tone="warning"
          title={`The value that counts comes from ${source.words}, which is heavier than your config.toml.`}
          hint="What is written here counts where that layer says nothing."
        />
      )}
      {behind && (
        <Notice
          live
          tone="warning"
          title="The file has been changed meanwhile. Nothing was written."
          hint="It has been read again: look at what it says now, then write once more if it still holds."
        />
      )}
      {fault && <Notice live tone="error" title={fault.message} hint={fault.hint} detail={fault.detail} />}
      <div className="flex flex-wrap gap-2">
        <Button type="submit" tone="primary" size="s" busy={busy} disabled={!read.ok || same}>
          Write this key
        </Button>
        {source.kind === "user" && (
          <Button size="s" disabled={busy} onClick={() => void write(null)}>
            Take it out of the file
          </Button>
        )}
        <Button size="s" tone="quiet" onClick={onClose}>
          Cancel
        </Button>
      </div>
    </form>
  );
}

interface ValueFieldProps {
  label: string;
  kind: KeyKind;
  typed: string;
  onType: (typed: string) => void;
}

function ValueField({ label, kind, typed, onType }: ValueFieldProps) {
  const id = useId();
  switch (kind.kind) {
    case "choice":
    case "switch": {
      const choices = kind.kind === "choice" ? kind.choices : ["true", "false"];
      return (
        <div className="flex">
          <Segmented
            label={label}
            value={typed}
            options={choices.map((value) => ({ value, label: value }))}
            onChange={onType}
          />
        </div>
      );
    }
    case "number":
    case "text":
      return <TextField label={label} hideLabel mono value={typed} onChange={onType} />;
    case "json":
      return (
        <div className="grid gap-1">
          <label htmlFor={id} className="text-s text-ink-3">
            {label}, in JSON
          </label>
          <textarea
            id={id}
            rows={Math.min(10, typed.split("\n").length + 1)}
            spellCheck={false}
            value={typed}
            onChange={(event) => onType(event.target.value)}
            className="rounded-s border border-field-line bg-raised p-2 font-mono text-s text-ink"
          />
        </div>
      );
    default:
      return kind satisfies never;
  }
}
