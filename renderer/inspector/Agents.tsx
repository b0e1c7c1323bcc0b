import { ArrowUpRight, Bot } from "lucide-react";
import { useMemo } from "react";
import { agentLook } from "../conversation/items/agentLook";
import { useRows, useThreadRow } from "../state/appStore";
import { goToThread } from "../state/navigation";
import { useHead, useThread } from "../state/threadStore";
import { EmptyState } from "../ui/EmptyState";
import { IconButton } from "../ui/IconButton";
import { StatusDot } from "../ui/StatusDot";
import { type AgentNode, agentTree, countAgents } from "./agentTree";
import { subAgentItems } from "./kindSelect";
import { Section } from "./Section";

export function Agents() {
  const items = useThread(subAgentItems);
  const rows = useRows((each) => each);
  const agents = useMemo(() => agentTree(items, rows), [items, rows]);
  if (agents.length === 0) {
    return (
      <EmptyState compact icon={<Bot aria-hidden size={20} />} title="No other agents">
        When codex hands a part of the work to another agent, you can follow it from here.
      </EmptyState>
    );
  }
  return (
    <div className="px-4 py-3.5">
      <Section title={`Agents · ${countAgents(agents)}`}>
        <Branch agents={agents} />
      </Section>
    </div>
  );
}

function Branch({ agents }: { agents: readonly AgentNode[] }) {
  return (
    <ul className="grid gap-1.5">
      {agents.map((agent) => (
        <Agent key={agent.threadId} agent={agent} />
      ))}
    </ul>
  );
}

function Agent({ agent }: { agent: AgentNode }) {
  const workspaceId = useHead((head) => head.workspaceId);
  const ownWorkspaceId = useThreadRow(agent.threadId)?.workspaceId ?? workspaceId;
  const state = agent.state ?? "not known";
  const said = agent.message ?? agent.task;
  return (
    <li className="grid gap-1.5">
      <div className="rounded-m border border-line bg-raised py-1 pr-1 pl-2.5">
        <div className="flex min-h-6 min-w-0 items-center gap-2">
          <span className="grid w-3 shrink-0 place-items-center">
            <StatusDot tone={agentLook(state)} />
          </span>
          <span className="min-w-0 flex-1 truncate font-mono text-s" title={agent.name}>
            {agent.name}
          </span>
          <span className="shrink-0 text-xs text-ink-3">{state}</span>
          <IconButton
            size="s"
            label={`Open ${agent.name}`}
            icon={<ArrowUpRight size={14} />}
            onClick={() => goToThread(ownWorkspaceId, agent.threadId)}
          />
        </div>
        {said !== null && said !== "" && (
          <p className="line-clamp-3 pr-2 pb-1 pl-5 text-s break-words text-ink-2 selectable" title={said}>
            <span className="sr-only">{agent.message === null ? "Its task: " : "Its last message: "}</span>
            {said}
          </p>
        )}
      </div>
      {agent.children.length > 0 && (
        <div className="ml-3.5 border-l border-line pl-3">
          <Branch agents={agent.children} />
        </div>
      )}
    </li>
  );
}
