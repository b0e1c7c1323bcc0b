// What is wrong with an environment and what can be done about it, at the top of its overview.

import { type EnvironmentView, isReplaced } from "../../../preload/contract/environments";
import type { FaultView } from "../../../preload/contract/fault";
import { showDialog } from "../../state/uiStore";
import { Button } from "../../ui/Button";
import { Notice } from "../../ui/Notice";
import { checkEnvironment, showServerLog, startServer } from "../actions";
import { currentFault } from "../environmentLook";
import { environmentsStore, setFailure, useIsBusy } from "../environmentsStore";

export function Trouble({ environment }: { environment: EnvironmentView }) {
  const { environmentId, connection } = environment;
  const failure = environmentsStore((store) => store.failures.get(environmentId));
  const fault = currentFault(environment);
  // What was asked for has failed with what is the matter anyway: once is enough.
  const isSame = failure !== undefined && fault !== null && failure.fault.message === fault.message;
  return (
    <>
      {failure && !isSame && (
        <Notice
          live
          tone="error"
          title={`${failure.what}. ${failure.fault.message}`}
          hint={failure.fault.hint}
          detail={failure.fault.detail}
          onDismiss={() => setFailure(environmentId, null)}
          actions={fault === null && <Actions environment={environment} fault={failure.fault} />}
        />
      )}
      {fault !== null && (
        <Notice
          tone={toneOf(connection)}
          title={fault.message}
          hint={fault.hint}
          detail={fault.detail}
          actions={<Actions environment={environment} fault={fault} />}
        />
      )}
    </>
  );
}

function toneOf(connection: EnvironmentView["connection"]): "info" | "warning" | "error" {
  if (isReplaced(connection)) return "info";
  return connection.state === "not connected" ? "error" : "warning";
}

function Actions({ environment, fault }: { environment: EnvironmentView; fault: FaultView }) {
  const { environmentId, registry, server, tokens, connection } = environment;
  const replaced = isReplaced(connection);
  const checking = useIsBusy(environmentId, "check");
  const starting = useIsBusy(environmentId, "start");
  const isAboutToken = tokenCodes.has(fault.code);
  return (
    <>
      {isAboutToken && (
        <Button
          onClick={() =>
            showDialog({
              kind: "environment",
              about: { what: "token", environmentId, name: tokens[0]?.name ?? null },
            })
          }
        >
          Set a token…
        </Button>
      )}
      {server !== null && server.state === "stopped" && (
        <Button busy={starting} onClick={() => void startServer(environmentId)}>
          Start
        </Button>
      )}
      {server?.hasLog && <Button onClick={() => showServerLog(environment)}>Show log</Button>}
      {server === null && connection.state === "not connected" && (
        <Button busy={checking} onClick={() => void checkEnvironment(environmentId)}>
          {replaced ? "Connect" : "Try again"}
        </Button>
      )}
      {registry.kind === "fixed" && !replaced && (
        <Button onClick={() => showDialog({ kind: "environment", about: { what: "way", environmentId } })}>
          Look at the way to it…
        </Button>
      )}
      {registry.kind !== "local" && !replaced && (
        <Button
          tone="quiet"
          onClick={() => showDialog({ kind: "environment", about: { what: "edit", environmentId } })}
        >
          Edit…
        </Button>
      )}
    </>
  );
}

const tokenCodes = new Set([
  "credential_missing",
  "credential_unreadable",
  "connect_rejected",
  "credential_timeout",
]);
