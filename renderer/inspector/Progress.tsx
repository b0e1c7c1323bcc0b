import { Compass } from "lucide-react";
import { useHead, useThread } from "../state/threadStore";
import { PlaceFacts } from "../threadPlace/PlaceFacts";
import { EmptyState } from "../ui/EmptyState";
import { Context } from "./Context";
import { McpServers } from "./McpServers";
import { Plan } from "./Plan";
import { Turn } from "./Turn";

export function Progress() {
  const nothing = useHead(
    (head) =>
      head.run === null &&
      head.plan === null &&
      head.usage === null &&
      head.environment === null &&
      head.mcpServers.length === 0,
  );
  const noTurns = useThread((copy) => copy.turnOrder.length === 0);
  if (nothing && noTurns) {
    return (
      <EmptyState compact icon={<Compass aria-hidden size={20} />} title="Nothing has run here yet">
        The plan, the turn and how full the context is will show here as soon as codex works.
      </EmptyState>
    );
  }
  return (
    <div className="grid gap-5 px-4 py-3.5">
      <Plan />
      <Turn />
      <PlaceFacts />
      <Context />
      <McpServers />
    </div>
  );
}
