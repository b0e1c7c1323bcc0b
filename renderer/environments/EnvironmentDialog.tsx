import type { EnvironmentDialogShown } from "../state/uiStore";
import { EditEnvironmentDialog, NewEnvironmentDialog } from "./form/EnvironmentForm";
import { TokenDialog } from "./form/TokenDialog";
import { CheckWayDialog } from "./way/CheckWayDialog";
import { WayDialog } from "./way/WayDialog";

export interface EnvironmentDialogProps {
  about: EnvironmentDialogShown;
  onClose: () => void;
}

/** Whatever of environments is asked for in a dialog. */
export function EnvironmentDialog({ about, onClose }: EnvironmentDialogProps) {
  switch (about.what) {
    case "new":
      return <NewEnvironmentDialog registry={about.registry} onClose={onClose} />;
    case "edit":
      return <EditEnvironmentDialog environmentId={about.environmentId} onClose={onClose} />;
    case "token":
      return <TokenDialog environmentId={about.environmentId} name={about.name} onClose={onClose} />;
    case "recipe":
      return <WayDialog onClose={onClose} />;
    case "way":
      return <CheckWayDialog environmentId={about.environmentId} onClose={onClose} />;
    default:
      return about satisfies never;
  }
}
