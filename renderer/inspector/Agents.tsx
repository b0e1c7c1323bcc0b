// The agents below the shown thread: a tree to go through, and beside it what the chosen one is and what can be done with
// it. What an agent asks is answered here too: its request is the same one that stands above the field for messages.

import { Bot } from "lucide-react";
import { type KeyboardEvent, useEffect, useId, useMemo, useRef, useState } from "react";
import { agentLook } from "../conversation/items/agentLook";
import { useRows } from "../state/appStore";
import { goToThread } from "../state/navigation";
import { useHead } from "../state/threadStore";
import { cx } from "../ui/cx";
import { Drawn } from "../ui/Drawn";
import { EmptyState } from "../ui/EmptyState";
import { StatusDot } from "../ui/StatusDot";
import { AgentDetails } from "./AgentDetails";
import { agentKey } from "./agentKeys";
import { type AgentNode, keptTree, treeWords } from "./agentTree";

export function Agents() {
  const threadId = useHead((head) => head.threadId);
  const nodes = useRows(useMemo(() => keptTree(threadId), [threadId]));
  if (nodes.length === 0) {
    return (
      <EmptyState compact icon={<Bot aria-hidden size={20} />} title="No other agents">
        When codex hands a part of the work to another agent, you can follow it from here.
      </EmptyState>
    );
  }
  return <AgentPane key={threadId} nodes={nodes} />;
}

function AgentPane({ nodes }: { nodes: readonly AgentNode[] }) {
  const [chosenId, setChosenId] = useState<string | null>(null);
  const chosen = nodes.find(({ row }) => row.threadId === chosenId) ?? firstOf(nodes);
  const headingId = useId();
  return (
    <div className="flex h-full min-h-0 flex-col">
      <h2 id={headingId} className="shrink-0 px-4 pt-3.5 pb-1.5 text-xs font-semibold text-ink-3">
        {treeWords(nodes)}
      </h2>
      <AgentList
        nodes={nodes}
        labelledBy={headingId}
        chosenId={chosen?.row.threadId ?? null}
        onChoose={setChosenId}
      />
      {chosen && <AgentDetails key={chosen.row.threadId} node={chosen} />}
    </div>
  );
}

/** One that waits for the person, else the first. */
function firstOf(nodes: readonly AgentNode[]): AgentNode | undefined {
  return nodes.find(({ state }) => state.startsWith("waiting")) ?? nodes[0];
}

interface AgentListProps {
  nodes: readonly AgentNode[];
  labelledBy: string;
  chosenId: string | null;
  onChoose(threadId: string): void;
}

function AgentList({ nodes, labelledBy, chosenId, onChoose }: AgentListProps) {
  const box = useRef<HTMLDivElement>(null);
  const active = nodes.findIndex(({ row }) => row.threadId === chosenId);
  const press = (event: KeyboardEvent) => {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    const levels = nodes.map(({ level }) => level);
    const action = agentKey(levels, active, event.key);
    if (action === null) return;
    event.preventDefault();
    if (action.do === "move") {
      const to = nodes[action.to];
      if (to) onChoose(to.row.threadId);
    } else open(nodes[active]);
  };
  useEffect(() => {
    if (chosenId === null) return;
    const element = document.getElementById(elementId(chosenId));
    if (box.current?.contains(document.activeElement)) element?.scrollIntoView({ block: "nearest" });
  }, [chosenId]);
  return (
    <div
      ref={box}
      role="tree"
      aria-labelledby={labelledBy}
      tabIndex={0}
      aria-activedescendant={chosenId === null ? undefined : elementId(chosenId)}
      onKeyDown={press}
      className="group/tree min-h-16 shrink scroll-slim overflow-y-auto px-2 pb-2 outline-none focus-visible:outline-none"
    >
      {nodes.map((node) => (
        <AgentRow
          key={node.row.threadId}
          node={node}
          chosen={node.row.threadId === chosenId}
          onChoose={() => onChoose(node.row.threadId)}
        />
      ))}
    </div>
  );
}

function open(node: AgentNode | undefined): void {
  if (node) goToThread(node.row.workspaceId, node.row.threadId);
}

function elementId(threadId: string): string {
  return `agent-${threadId}`;
}

function AgentRow({ node, chosen, onChoose }: { node: AgentNode; chosen: boolean; onChoose(): void }) {
  const { row, agent, state, level } = node;
  const said = agent.lastMessage ?? agent.task;
  return (
    // The keyboard is the tree's, which names the row that it is on.
    // biome-ignore lint/a11y/useKeyWithClickEvents: see above
    // biome-ignore lint/a11y/useFocusableInteractive: see above
    <div
      id={elementId(row.threadId)}
      role="treeitem"
      aria-level={level}
      aria-posinset={node.position}
      aria-setsize={node.setSize}
      aria-selected={chosen}
      aria-label={rowName(node)}
      onClick={onChoose}
      onDoubleClick={() => open(node)}
      style={{ paddingLeft: 8 + Math.min(level - 1, 8) * 16 }}
      className={cx(
        "grid cursor-default grid-cols-[12px_minmax(0,1fr)] gap-x-2 rounded-s py-1.5 pr-2.5",
        chosen
          ? "bg-sel group-focus-visible/tree:outline-2 group-focus-visible/tree:-outline-offset-2 group-focus-visible/tree:outline-focus"
          : "hover:bg-hover",
      )}
    >
      <span className="grid h-5 place-items-center">
        <StatusDot tone={agentLook(state)} />
      </span>
      <span className="flex min-w-0 items-baseline gap-2 leading-5">
        <span className="min-w-0 shrink truncate font-mono text-s" title={agent.name}>
          {agent.name}
        </span>
        {agent.role !== null && <Drawn className="min-w-0 truncate text-xs text-ink-3" text={agent.role} />}
        <Drawn
          className={cx("ml-auto shrink-0 text-xs", state.startsWith("waiting") ? "text-warn" : "text-ink-3")}
          text={state}
        />
      </span>
      {said !== null && <Drawn className="col-start-2 truncate text-s text-ink-2" text={said} />}
    </div>
  );
}

/** "tester, running, role explorer, its task: …" */
function rowName({ agent, state }: AgentNode): string {
  const parts = [agent.name, state];
  if (agent.role !== null) parts.push(`role ${agent.role}`);
  if (agent.lastMessage !== null) parts.push(`its last message: ${agent.lastMessage}`);
  else if (agent.task !== null) parts.push(`its task: ${agent.task}`);
  return parts.join(", ");
}
