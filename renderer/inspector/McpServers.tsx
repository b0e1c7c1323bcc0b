// The MCP servers of the thread's session, and what can be done about those that do not work. None of it is in the way of
// a turn.
//
// Nothing jumps when a server is started anew: each row is as high with its buttons as without, the buttons stand before
// the word for the state, and what was wrong last stays until it is known how the new start went.

import { useId, useState } from "react";
import type { FaultView } from "../../preload/contract/fault";
import type { McpServerView } from "../../preload/contract/thread";
import { faultOf } from "../state/callFault";
import { call } from "../state/connection";
import { useHead, useThreadKey } from "../state/threadStore";
import { Button } from "../ui/Button";
import { Fold } from "../ui/Fold";
import { Status } from "../ui/StatusDot";
import { PlaceFault } from "./PlaceFault";
import { needsFold, type ServerAction, serverActions, serverLooks } from "./progressWords";
import { Section } from "./Section";

export function McpServers() {
  const servers = useHead((head) => head.mcpServers);
  if (servers.length === 0) return null;
  return (
    <Section title="MCP servers">
      <ul className="grid grid-cols-[minmax(0,1fr)] gap-1 text-s">
        {servers.map((server) => (
          <Server key={server.name} server={server} />
        ))}
      </ul>
    </Section>
  );
}

const labels: Record<ServerAction, string> = { "sign in": "Sign in", reconnect: "Reconnect" };

function Server({ server }: { server: McpServerView }) {
  const { name, state } = server;
  const threadKey = useThreadKey();
  const nameId = useId();
  const [busy, setBusy] = useState<ServerAction | null>(null);
  const [fault, setFault] = useState<FaultView | null>(null);
  const error = useLastError(server);
  const look = serverLooks[state];
  const run = async (action: ServerAction) => {
    setBusy(action);
    setFault(null);
    try {
      if (action === "reconnect") await call("mcp.reconnect", { threadKey });
      else await call("mcp.login", { threadKey, name });
    } catch (failure) {
      setFault(faultOf(failure));
    }
    setBusy(null);
  };
  return (
    <li aria-labelledby={nameId} className="grid grid-cols-[minmax(0,1fr)] gap-0.5">
      <div className="flex min-h-6 min-w-0 items-center gap-1">
        <span id={nameId} className="mr-auto min-w-0 truncate font-mono text-ink" title={name}>
          {name}
        </span>
        {serverActions(state).map((action) => (
          <Button
            key={action}
            size="s"
            tone="quiet"
            aria-describedby={nameId}
            busy={busy === action}
            disabled={busy !== null}
            onClick={() => void run(action)}
          >
            {labels[action]}
          </Button>
        ))}
        <Status tone={look.tone} word={look.word} className="ml-1 shrink-0 text-ink-2" />
      </div>
      {error !== null && <ServerError text={error} />}
      {fault && <PlaceFault fault={fault} live />}
    </li>
  );
}

/** What was wrong last: it stays while the server is being started anew. */
function useLastError({ state, error }: McpServerView): string | null {
  const [last, setLast] = useState(error);
  const now = error ?? (state === "starting" ? last : null);
  if (now !== last) setLast(now);
  return now;
}

function ServerError({ text }: { text: string }) {
  if (!needsFold(text)) return <p className="break-words text-ink-3 selectable">{text}</p>;
  return (
    <Fold summary={text.trim().split("\n", 1)[0]} className="grid grid-cols-[minmax(0,1fr)]">
      <p className="mt-0.5 max-h-40 overflow-y-auto break-words whitespace-pre-wrap text-ink-3 selectable">
        {text.trim()}
      </p>
    </Fold>
  );
}
