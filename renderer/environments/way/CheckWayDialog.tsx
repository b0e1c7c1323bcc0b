import { useEffect } from "react";
import { useApp } from "../../state/appStore";
import { Button } from "../../ui/Button";
import { Dialog } from "../../ui/Dialog";
import { useWayCheck } from "./useWayCheck";
import { WayResult } from "./WayResult";

export interface CheckWayDialogProps {
  environmentId: string;
  onClose: () => void;
}

/** Looks at the way to an environment that is on the list, with the token that is saved for it. */
export function CheckWayDialog({ environmentId, onClose }: CheckWayDialogProps) {
  const environment = useApp((app) => app.environments.find((each) => each.environmentId === environmentId));
  const url = environment?.registry.kind === "fixed" ? environment.registry.url : null;
  const { check, look } = useWayCheck();
  useEffect(() => {
    if (url !== null) void look({ url, token: null, environmentId });
  }, [url, environmentId, look]);
  return (
    <Dialog
      open
      onClose={onClose}
      title={`The way to ${environment?.name ?? "the environment"}`}
      description={<span className="font-mono text-s break-all">{url}</span>}
      footer={
        <>
          <Button
            busy={check.phase === "looking"}
            onClick={() => url !== null && void look({ url, token: null, environmentId })}
          >
            Check again
          </Button>
          <Button tone="primary" onClick={onClose}>
            Close
          </Button>
        </>
      }
    >
      <div className="grid gap-3">
        <WayResult check={check} />
      </div>
    </Dialog>
  );
}
