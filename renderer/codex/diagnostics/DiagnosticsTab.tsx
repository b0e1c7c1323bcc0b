// What Holdfast says about itself. What is shown is what is copied: main has put it into words, without secrets.

import { Copy, FolderOpen, Save, ScrollText } from "lucide-react";
import { useState } from "react";
import type { CallResult } from "../../../preload/contract";
import { call } from "../../state/connection";
import { reveal } from "../../state/threadActions";
import { attempt } from "../../state/toasts";
import { Button } from "../../ui/Button";
import { AskedPart } from "../AskedPart";
import { useLoaded } from "../loaded";
import { copyDiagnostics, saveDiagnostics } from "./actions";
import { DiagnosticPart } from "./DiagnosticPart";

type Work = "codex" | "ledger" | "folders" | "copy" | "save";

export function DiagnosticsTab() {
  const loaded = useLoaded<CallResult<"diagnostics.read">>("diagnostics", () => call("diagnostics.read", {}));
  const [busy, setBusy] = useState<Work | null>(null);
  const folders = loaded.value?.folders;
  const run = async (work: Work, task: () => Promise<unknown>, asksAgain = true) => {
    setBusy(work);
    await task();
    if (asksAgain) loaded.reload();
    setBusy(null);
  };
  const button = (work: Work, label: string, task: () => Promise<unknown>) => (
    <Button
      size="s"
      busy={busy === work}
      disabled={busy !== null}
      onClick={() => void run(work, () => attempt(task()))}
    >
      {label}
    </Button>
  );
  return (
    <div className="grid w-full max-w-240 grid-cols-1 content-start gap-4 px-5 py-5">
      <div className="flex flex-wrap gap-2">
        <Button
          size="s"
          tone="primary"
          icon={<Copy aria-hidden size={13} />}
          busy={busy === "copy"}
          disabled={busy !== null}
          onClick={() => void run("copy", copyDiagnostics, false)}
        >
          Copy diagnostics
        </Button>
        <Button
          size="s"
          icon={<Save aria-hidden size={13} />}
          busy={busy === "save"}
          disabled={busy !== null}
          onClick={() => void run("save", saveDiagnostics, false)}
        >
          Save…
        </Button>
        {button("codex", "Check codex again", () => call("codex.recheck", {}))}
        {button("ledger", "Run the integrity check", () => call("diagnostics.checkLedger", {}))}
        {button("folders", "Measure the folders", () => call("diagnostics.measureFolders", {}))}
        {folders && (
          <>
            <Button
              size="s"
              tone="quiet"
              icon={<ScrollText aria-hidden size={13} />}
              onClick={() => void reveal(folders.logs)}
            >
              Open the logs folder
            </Button>
            <Button
              size="s"
              tone="quiet"
              icon={<FolderOpen aria-hidden size={13} />}
              onClick={() => void reveal(folders.data)}
            >
              Open the data folder
            </Button>
          </>
        )}
      </div>
      <AskedPart title="Diagnostics" loaded={loaded}>
        <p className="text-s text-pretty text-ink-3">
          Secrets, e-mail addresses and your name are not in this, neither here nor in what is copied or
          saved.
        </p>
        <div className="mt-2 grid grid-cols-1 gap-6">
          {loaded.value?.sections.map((section) => (
            <DiagnosticPart key={section.id} section={section} />
          ))}
        </div>
      </AskedPart>
    </div>
  );
}
