// What an empty thread says: where it will work, and in the demo the one button that starts a whole turn.

import { FlaskConical, Play } from "lucide-react";
import { useState } from "react";
import { useApp, useWorkspace } from "../state/appStore";
import { call } from "../state/connection";
import { useHead, useThread } from "../state/threadStore";
import { attempt } from "../state/toasts";
import { onPlace } from "../threadPlace/words";
import { Button } from "../ui/Button";
import { EmptyState } from "../ui/EmptyState";
import { keyText } from "../ui/keys";

const demoPrompt = "Look around in this project, improve it a little, and show me how you work.";

/** True while nothing has been said in this thread and nothing stands in the way of it. */
export function useThreadIsEmpty(): boolean {
  return useThread(
    ({ head, order }) =>
      order.length === 0 &&
      head.submissions.length === 0 &&
      head.run === null &&
      head.fault === null &&
      head.residency !== "loading" &&
      head.residency !== "unloading" &&
      !head.hasOlder,
  );
}

export function ThreadStart() {
  const demo = useHead((head) => head.demo);
  return demo ? <DemoStart /> : <PlainStart />;
}

function PlainStart() {
  const name = useWorkspace(useHead((head) => head.workspaceId))?.name;
  const enterSends = useApp((app) => app.settings.enterSends);
  const place = useHead((head) => head.environment);
  return (
    <EmptyState title={name === undefined ? "What should happen?" : `What should happen in ${name}?`}>
      {place && (
        <p className="mb-1">
          Commands run {onPlace(place)}, in <span className="font-mono text-s">{place.cwd}</span>.
        </p>
      )}
      <p className="text-s text-ink-3">
        {keyText(enterSends ? "enter" : "mod+enter")} sends. @ mentions a file. Images can be pasted or
        dropped.
      </p>
    </EmptyState>
  );
}

function DemoStart() {
  const threadKey = useHead((head) => head.key);
  const [busy, setBusy] = useState(false);
  const start = async () => {
    setBusy(true);
    const clientId = crypto.randomUUID();
    await attempt(
      call("messages.send", { threadKey, clientId, text: demoPrompt, attachments: [], mode: "turn" }),
    );
    setBusy(false);
  };
  return (
    <EmptyState
      icon={<FlaskConical aria-hidden size={28} className="text-accent" />}
      title="This is a demo"
      actions={
        <Button tone="primary" size="l" busy={busy} icon={<Play aria-hidden size={14} />} onClick={start}>
          Run a demo turn
        </Button>
      }
    >
      <p>
        The real codex works in a scratch folder: it makes a plan, runs a command, edits a file and asks for
        your approval. Only its answers come from a script instead of a model.
      </p>
    </EmptyState>
  );
}
