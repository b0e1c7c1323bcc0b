// One agent: what it is, what it was asked and what it said, and what can be done with it. It is written to here where codex
// takes messages for it; where codex does not, that is said.

import { ArrowUpRight, SendHorizontal, ShieldQuestion, Square } from "lucide-react";
import { type FormEvent, useId, useState } from "react";
import type { AgentView } from "../../preload/contract/app";
import { showRequest } from "../approvals/shownRequest";
import { agentLook } from "../conversation/items/agentLook";
import { call } from "../state/connection";
import { goToThread } from "../state/navigation";
import { useHead } from "../state/threadStore";
import { attempt } from "../state/toasts";
import { Button } from "../ui/Button";
import { IconButton } from "../ui/IconButton";
import { Status } from "../ui/StatusDot";
import { TextField } from "../ui/TextField";
import { type AgentNode, isAtWork } from "./agentTree";
import { Fact, Facts } from "./Section";

export function AgentDetails({ node }: { node: AgentNode }) {
  const { row, agent, state } = node;
  const headingId = useId();
  const asked = useHead(
    (head) => head.requests.find(({ threadId }) => threadId === row.threadId)?.key ?? null,
  );
  return (
    <section
      aria-labelledby={headingId}
      className="mt-auto grid max-h-[65%] shrink-0 content-start gap-2.5 overflow-y-auto border-t border-line px-4 py-3"
    >
      <header className="flex min-w-0 items-baseline justify-between gap-3">
        <h3 id={headingId} className="min-w-0 truncate font-mono font-semibold" title={agent.name}>
          {agent.name}
        </h3>
        <Status tone={agentLook(state)} word={state} className="shrink-0 text-s text-ink-2" />
      </header>
      <Facts>
        {agent.role !== null && <Fact name="Role">{agent.role}</Fact>}
        <Fact name="Tokens">{agent.tokens === null ? "not known" : agent.tokens.toLocaleString("en")}</Fact>
      </Facts>
      <Words name="Task" words={agent.task} />
      <Words name="Last message" words={agent.lastMessage} />
      <div className="flex flex-wrap gap-2">
        {asked !== null && (
          <Button
            size="s"
            tone="primary"
            icon={<ShieldQuestion aria-hidden size={13} />}
            onClick={() => showRequest(asked)}
          >
            Answer its request
          </Button>
        )}
        <Button
          size="s"
          icon={<ArrowUpRight aria-hidden size={13} />}
          aria-label={`Open ${agent.name}`}
          onClick={() => goToThread(row.workspaceId, row.threadId)}
        >
          Open
        </Button>
        {isAtWork(state) && <StopAgent threadId={row.threadId} name={agent.name} />}
      </div>
      <WriteToAgent threadId={row.threadId} agent={agent} atWork={isAtWork(state)} />
    </section>
  );
}

function Words({ name, words }: { name: string; words: string | null }) {
  if (words === null) return null;
  return (
    <div className="grid gap-0.5 text-s">
      <h4 className="text-ink-2">{name}</h4>
      <p className="break-words text-ink selectable">{words}</p>
    </div>
  );
}

function StopAgent({ threadId, name }: { threadId: string; name: string }) {
  const [busy, setBusy] = useState(false);
  const stop = async () => {
    setBusy(true);
    await attempt(call("turns.stop", { threadKey: threadId }));
    setBusy(false);
  };
  return (
    <Button
      size="s"
      busy={busy}
      icon={<Square aria-hidden size={11} />}
      aria-label={`Stop ${name}`}
      onClick={() => void stop()}
    >
      Stop
    </Button>
  );
}

interface WriteToAgentProps {
  threadId: string;
  agent: AgentView;
  atWork: boolean;
}

/** The text stays in the field until main has it. */
function WriteToAgent({ threadId, agent, atWork }: WriteToAgentProps) {
  const [text, setText] = useState("");
  const [busy, setBusy] = useState(false);
  if (agent.acceptsMessages === false) {
    return (
      <p className="text-s text-pretty text-ink-3">
        codex takes no messages for this agent. Write to the thread that started it, which can pass them on.
      </p>
    );
  }
  if (agent.acceptsMessages === null) return null;
  const send = async (event: FormEvent) => {
    event.preventDefault();
    if (busy || text.trim() === "") return;
    setBusy(true);
    const message = { threadKey: threadId, clientId: crypto.randomUUID(), text, attachments: [] };
    const sent = await attempt(call("messages.send", { ...message, mode: atWork ? "steer" : "turn" }));
    setBusy(false);
    if (sent) setText("");
  };
  return (
    <form onSubmit={(event) => void send(event)}>
      <TextField
        label={`Write to ${agent.name}`}
        hideLabel
        placeholder={atWork ? "Say something to it while it works…" : "Give it more to do…"}
        value={text}
        onChange={setText}
        after={
          <IconButton
            type="submit"
            size="xs"
            label={`Send to ${agent.name}`}
            icon={<SendHorizontal size={13} />}
            disabled={busy || text.trim() === ""}
          />
        }
      />
    </form>
  );
}
