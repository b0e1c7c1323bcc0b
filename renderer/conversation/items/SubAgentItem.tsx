import { ArrowUpRight, Bot } from "lucide-react";
import type { Item } from "../../../preload/contract/items";
import { useThreadRow } from "../../state/appStore";
import { goToThread } from "../../state/navigation";
import { useHead } from "../../state/threadStore";
import { Button } from "../../ui/Button";
import { StatusDot } from "../../ui/StatusDot";
import { useKeptFold } from "./Article";
import { agentLook } from "./agentLook";
import { Card } from "./Card";

type SubAgentData = Extract<Item, { kind: "subAgent" }>;

export function SubAgentItem({ item }: { item: SubAgentData }) {
  const [open, setOpen] = useKeptFold("prompt", false);
  const name = item.agentName ?? (item.agentThreadIds.length > 1 ? "several agents" : "an agent");
  return (
    <Card
      mark={<Bot aria-hidden size={14} className="text-ink-3" />}
      title={
        <span className="flex min-w-0 items-baseline gap-2">
          <span className="shrink-0 font-mono text-s text-ink">{name}</span>
          <span className="min-w-0 truncate text-ink-2">{item.activity}</span>
        </span>
      }
      fold={
        item.prompt === null ? undefined : { open, setOpen, label: `${name}, ${item.activity}, its task` }
      }
      beside={item.agentThreadIds.map((threadId) => (
        <OpenAgent key={threadId} threadId={threadId} several={item.agentThreadIds.length > 1} />
      ))}
    >
      {open && item.prompt !== null && (
        <p className="border-t border-line px-3 py-2 text-m break-words whitespace-pre-wrap text-ink-2 selectable">
          {item.prompt}
        </p>
      )}
      {item.states.length > 0 && (
        <ul className="grid gap-1 border-t border-line px-2.5 py-1.5 text-s">
          {item.states.map((state) => (
            <li key={state.agent} className="flex min-w-0 items-baseline gap-2">
              <span className="grid w-4 shrink-0 place-items-center self-center">
                <StatusDot tone={agentLook(state.state)} />
              </span>
              {state.agent !== item.agentName && (
                <span className="shrink-0 font-mono text-ink-2">{state.agent}</span>
              )}
              <span className="shrink-0 text-ink-2">{state.state}</span>
              {state.message !== null && (
                <span className="min-w-0 truncate text-ink-3" title={state.message}>
                  {state.message}
                </span>
              )}
            </li>
          ))}
        </ul>
      )}
    </Card>
  );
}

function OpenAgent({ threadId, several }: { threadId: string; several: boolean }) {
  const workspaceId = useHead((head) => head.workspaceId);
  const row = useThreadRow(threadId);
  return (
    <Button
      size="s"
      tone="quiet"
      icon={<ArrowUpRight aria-hidden size={13} />}
      onClick={() => goToThread(row?.workspaceId ?? workspaceId, threadId)}
    >
      {several && row ? row.title : "Open"}
    </Button>
  );
}
