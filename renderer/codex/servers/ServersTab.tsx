// The MCP servers that are configured for the shown workspace, each with how it stands and what it offers.

import { ScrollText } from "lucide-react";
import { useState } from "react";
import type { CallResult } from "../../../preload/contract";
import type { FaultView } from "../../../preload/contract/fault";
import { faultOf } from "../../state/callFault";
import { call } from "../../state/connection";
import { showDialog } from "../../state/uiStore";
import { Button } from "../../ui/Button";
import { Notice } from "../../ui/Notice";
import { AskedPart } from "../AskedPart";
import { useLoaded } from "../loaded";
import type { Shown } from "../shown";
import { ServerRow } from "./ServerRow";

export function ServersTab({ shown }: { shown: Shown }) {
  const { workspace, codex } = shown;
  const workspaceId = workspace.id;
  const [reloads, setReloads] = useState(0);
  const [reloading, setReloading] = useState(false);
  const [fault, setFault] = useState<FaultView | null>(null);
  const loaded = useLoaded<CallResult<"codex.servers">>(
    `servers ${workspaceId}`,
    () => call("codex.servers", { workspaceId }),
    `${codex} ${reloads}`,
  );
  const reload = async () => {
    setReloading(true);
    setFault(null);
    try {
      await call("codex.reloadServers", { workspaceId });
      setReloads((count) => count + 1);
    } catch (failure) {
      setFault(faultOf(failure));
    }
    setReloading(false);
  };
  return (
    <div className="grid w-full max-w-190 grid-cols-1 content-start gap-6 px-5 py-5">
      <AskedPart
        title="MCP servers"
        loaded={loaded}
        actions={
          <>
            <Button
              size="s"
              tone="quiet"
              icon={<ScrollText aria-hidden size={13} />}
              onClick={() =>
                showDialog({
                  kind: "log",
                  log: { log: "session", workspaceId },
                  title: `Log of codex in ${workspace.name}`,
                })
              }
            >
              Show log
            </Button>
            <Button size="s" tone="quiet" busy={reloading} onClick={() => void reload()}>
              Reload all
            </Button>
          </>
        }
      >
        {fault && <Notice live tone="error" title={fault.message} hint={fault.hint} detail={fault.detail} />}
        {loaded.value?.servers.length === 0 ? (
          <p className="max-w-140 text-m text-pretty text-ink-2">
            No MCP server is configured. They are named under{" "}
            <code className="font-mono text-s">mcp_servers</code> in codex's config.toml, your own or that of
            a project.
          </p>
        ) : (
          <ul aria-label="MCP servers" className="grid grid-cols-1 gap-2">
            {loaded.value?.servers.map((server) => (
              <ServerRow
                key={server.name}
                server={server}
                shown={shown}
                reloads={reloads}
                busy={reloading}
                onReconnect={() => void reload()}
              />
            ))}
          </ul>
        )}
      </AskedPart>
    </div>
  );
}
