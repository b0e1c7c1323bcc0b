// What there is to say about a script above its text: at most one thing at a time, the most important first.

import { Copy } from "lucide-react";
import type { ReactNode } from "react";
import type { FaultView } from "../../../preload/contract/fault";
import { useApp } from "../../state/appStore";
import { call } from "../../state/connection";
import { attempt } from "../../state/toasts";
import { Button } from "../../ui/Button";
import { Notice } from "../../ui/Notice";
import { editCopy } from "../actions";
import type { EditedScript, ReadyScript } from "../saving/editedScript";

export function ScriptNotices({ script, view }: { script: EditedScript; view: ReadyScript }) {
  const { scriptId } = script;
  const isListed = useApp((app) => app.scripts.some((each) => each.scriptId === scriptId));
  if (!isListed) return <Deleted script={script} />;
  if (view.theirs !== null) return <ChangedElsewhere script={script} />;
  if (view.saving.state === "failing") {
    const { message, hint } = view.saving.fault;
    return (
      <Placed>
        <Notice
          live
          tone="warning"
          title={
            view.origin === "shipped" ? "A copy could not be made yet" : "What is typed here is not saved yet"
          }
          hint={`${message} ${hint ?? ""}`.trim()}
          actions={<Button onClick={() => script.retry()}>Try again</Button>}
        />
      </Placed>
    );
  }
  if (view.origin === "shipped") return <Shipped scriptId={scriptId} />;
  return null;
}

function Placed({ children }: { children: ReactNode }) {
  return <div className="shrink-0 border-b border-line p-2.5">{children}</div>;
}

function ChangedElsewhere({ script }: { script: EditedScript }) {
  return (
    <Placed>
      <Notice
        live
        tone="warning"
        title="This script was changed in another window"
        hint="What you have typed here is not saved, and nothing is lost until you choose. Taking theirs can be undone in the text."
        actions={
          <>
            <Button onClick={() => script.keepMine()}>Keep mine</Button>
            <Button onClick={() => script.takeTheirs()}>Take theirs</Button>
          </>
        }
      />
    </Placed>
  );
}

function Deleted({ script }: { script: EditedScript }) {
  const { scriptId } = script;
  return (
    <Placed>
      <Notice
        live
        tone="info"
        title="This script was deleted"
        hint="Its text is still here. Bring it back to go on with it."
        actions={
          <Button onClick={() => void attempt(call("scripts.restore", { scriptId }))}>Bring it back</Button>
        }
      />
    </Placed>
  );
}

function Shipped({ scriptId }: { scriptId: string }) {
  const summary = useApp((app) => app.scripts.find((each) => each.scriptId === scriptId)?.summary);
  return (
    <div className="flex min-h-9 shrink-0 items-center gap-3 border-b border-line bg-panel py-1 pr-2 pl-4 text-s text-ink-2">
      <p className="min-w-0 flex-1 text-pretty">
        {summary ?? "This script came with Holdfast."}{" "}
        <span className="text-ink-3">Typing makes a copy.</span>
      </p>
      <Button size="s" icon={<Copy aria-hidden size={12} />} onClick={() => void editCopy(scriptId)}>
        Edit a copy
      </Button>
    </div>
  );
}

export function UnreadableScript({ script, fault }: { script: EditedScript; fault: FaultView }) {
  return (
    <div className="grid min-h-0 flex-1 content-center p-6">
      <Notice
        live
        tone="error"
        className="mx-auto w-full max-w-120"
        title={fault.message}
        hint={fault.hint}
        detail={fault.detail}
        actions={<Button onClick={() => script.retry()}>Try again</Button>}
      />
    </div>
  );
}
