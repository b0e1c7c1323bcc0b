// codex was not found, or what was found does not run: what was tried, and what can be done.

import { CircleX, Copy, FolderSearch, RotateCw } from "lucide-react";
import { type FormEvent, useState } from "react";
import type { CodexView } from "../../preload/contract/app";
import { useApp } from "../state/appStore";
import { faultOf } from "../state/callFault";
import { call } from "../state/connection";
import { copyText } from "../state/threadActions";
import { attempt } from "../state/toasts";
import { Button } from "../ui/Button";
import { Details } from "../ui/Details";
import { IconButton } from "../ui/IconButton";
import { Said } from "../ui/Said";
import { TextField } from "../ui/TextField";
import { Page, PageHead, PageSection } from "./Page";
import { TriedPlaces } from "./TriedPlaces";

const installCommand = "npm install --global @openai/codex";

export function CodexMissing({ codex }: { codex: Extract<CodexView, { state: "missing" }> }) {
  const { fault, tried } = codex;
  return (
    <Page wide>
      <PageHead icon={<CircleX aria-hidden size={32} className="text-bad" />} title="codex cannot be used">
        <p className="selectable">
          <Said>{fault.message}</Said>
        </p>
        {fault.hint && (
          <p className="mt-1 selectable">
            <Said>{fault.hint}</Said>
          </p>
        )}
      </PageHead>
      {fault.detail && <Details text={fault.detail} />}
      <CodexPathForm />
      {tried.length > 0 && (
        <PageSection title="Where it was looked for">
          <TriedPlaces tried={tried} />
        </PageSection>
      )}
      <PageSection
        title="Get codex"
        description="It usually comes with Holdfast. If it has gone, install it with npm, then check again."
      >
        <div className="flex items-center gap-2 rounded-s border border-line bg-raised py-1 pr-1 pl-3">
          <code className="flex-1 truncate text-s selectable">{installCommand}</code>
          <IconButton
            label="Copy the command"
            size="s"
            icon={<Copy size={13} />}
            onClick={() => void copyText(installCommand, "Command")}
          />
        </div>
      </PageSection>
      <p className="text-s text-pretty text-ink-3">
        The demo needs codex too: only its model is built into Holdfast. Your threads are not lost; they are
        listed again as soon as codex runs.
      </p>
    </Page>
  );
}

/** A path chosen by hand goes before everything else; an empty one means: look for it. */
export function CodexPathForm() {
  const chosen = useApp((app) => app.settings.codexPath);
  const [path, setPath] = useState(chosen ?? "");
  const [busy, setBusy] = useState(false);
  const [error, setError] = useState<string | null>(null);
  const [checked, setChecked] = useState<string | null>(null);
  const check = async (wanted: string) => {
    setBusy(true);
    setError(null);
    setChecked(null);
    try {
      const { tried } = await call("codex.recheck", { path: wanted.trim() === "" ? null : wanted.trim() });
      setChecked(`Checked just now: ${tried.length === 1 ? "1 place" : `${tried.length} places`}.`);
    } catch (fault) {
      const { message, hint } = faultOf(fault);
      setError(hint === undefined ? message : `${message} ${hint}`);
    } finally {
      setBusy(false);
    }
  };
  const browse = async () => {
    const picked = await attempt(call("codex.pick", {}));
    if (!picked?.path) return;
    setPath(picked.path);
    await check(picked.path);
  };
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (!busy) void check(path);
  };
  return (
    <form onSubmit={submit} className="flex items-start gap-2">
      <TextField
        label="Path of the codex program"
        hideLabel
        mono
        placeholder="Path of codex; empty: look for it"
        value={path}
        onChange={setPath}
        error={error}
        description={checked === null ? undefined : <output>{checked}</output>}
        className="flex-1"
      />
      <Button icon={<FolderSearch aria-hidden size={14} />} onClick={() => void browse()}>
        Browse…
      </Button>
      <Button type="submit" tone="primary" busy={busy} icon={<RotateCw aria-hidden size={14} />}>
        Check again
      </Button>
    </form>
  );
}
