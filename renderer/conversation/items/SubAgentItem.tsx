import { ArrowUpRight, Bot } from "lucide-react";
import { useThreadRow } from "../../state/appStore";
import { goToThread } from "../../state/navigation";
import { useAgentNames } from "../../state/threadKinship";
import { useHead } from "../../state/threadStore";
import { Button } from "../../ui/Button";
import { StatusDot } from "../../ui/StatusDot";
import { useKeptFold } from "./Article";
import { agentLook } from "./agentLook";
import { Card } from "./Card";
import { type SubAgentData, subAgentWords } from "./subAgentWords";

const plainStates: ReadonlySet<string> = new Set(["starting", "running"]);

export function SubAgentItem({ item }: { item: SubAgentData }) {
  const [open, setOpen] = useKeptFold("prompt", false);
  const names = useAgentNames(item.agentThreadIds, item.agentName);
  const { who, what } = subAgentWords(item, names);
  const { prompt } = item;
  const several = item.agentThreadIds.length > 1;
  // That an agent which was just started or given more to do is at work says nothing new.
  const states = item.states.filter(({ state, message }) => message !== null || !plainStates.has(state));
  return (
    <Card
      mark={<Bot aria-hidden size={14} className="text-ink-3" />}
      title={
        <span className="flex min-w-0 items-baseline gap-1.5">
          {who !== null && (
            <span className="max-w-[50%] shrink-0 truncate font-mono text-s text-ink">{who}</span>
          )}{" "}
          <span className="shrink-0 text-ink-2">
            {what}
            {prompt !== null && !open && ":"}
          </span>{" "}
          {prompt !== null && !open && <span className="min-w-0 truncate text-ink">{prompt}</span>}
        </span>
      }
      fold={
        prompt === null
          ? undefined
          : {
              open,
              setOpen,
              label: `${who ?? ""} ${what}${open ? ", fold" : `: ${prompt}, show`} what it was told`.trim(),
            }
      }
      beside={item.agentThreadIds.map((threadId) => (
        <OpenAgent key={threadId} threadId={threadId} several={several} />
      ))}
    >
      {open && prompt !== null && (
        <p className="border-t border-line px-3 py-2 text-m break-words whitespace-pre-wrap text-ink-2 selectable">
          {prompt}
        </p>
      )}
      {states.length > 0 && (
        <ul className="grid gap-1 border-t border-line px-2.5 py-1.5 text-s">
          {states.map((state) => (
            <AgentStateRow key={state.agent} state={state} named={!several} />
          ))}
        </ul>
      )}
    </Card>
  );
}

/** `named`: the head of the card says which agent it is. */
function AgentStateRow({ state, named }: { state: SubAgentData["states"][number]; named: boolean }) {
  const [name] = useAgentNames([state.agent], null);
  return (
    <li className="flex min-w-0 items-baseline gap-2">
      <span className="grid w-4 shrink-0 place-items-center self-center">
        <StatusDot tone={agentLook(state.state)} />
      </span>
      {!named && <span className="shrink-0 font-mono text-ink-2">{name ?? "an agent"}</span>}
      <span className="shrink-0 text-ink-2">{state.state}</span>
      {state.message !== null && (
        <span className="min-w-0 truncate text-ink-3" title={state.message}>
          {state.message}
        </span>
      )}
    </li>
  );
}

function OpenAgent({ threadId, several }: { threadId: string; several: boolean }) {
  const workspaceId = useHead((head) => head.workspaceId);
  const row = useThreadRow(threadId);
  const name = row?.agent?.name ?? row?.title ?? null;
  return (
    <Button
      size="s"
      tone="quiet"
      icon={<ArrowUpRight aria-hidden size={13} />}
      aria-label={name === null ? "Open the agent" : `Open ${name}`}
      onClick={() => goToThread(row?.workspaceId ?? workspaceId, threadId)}
    >
      {several ? (name ?? "Open") : "Open"}
    </Button>
  );
}
