// What the menus of one environment offer.

import { Pencil, Plug, RefreshCw, Trash2 } from "lucide-react";
import type { EnvironmentView } from "../../preload/contract/environments";
import { showDialog } from "../state/uiStore";
import { MenuItem, MenuSeparator } from "../ui/Menu";
import { checkEnvironment, refreshEnvironment, removeEnvironment, showServerLog } from "./actions";
import { checkWords, refreshWords } from "./environmentLook";

const icon = { size: 14 } as const;

export function EnvironmentMenu({ environment }: { environment: EnvironmentView }) {
  const { environmentId, server } = environment;
  return (
    <>
      <MenuItem
        icon={<Plug {...icon} />}
        description={checkWords(environment)}
        onSelect={() => void checkEnvironment(environmentId)}
      >
        Check
      </MenuItem>
      <MenuItem
        icon={<RefreshCw {...icon} />}
        description={refreshWords}
        onSelect={() => void refreshEnvironment(environmentId)}
      >
        Refresh
      </MenuItem>
      <MenuSeparator />
      <MenuItem
        icon={<Pencil {...icon} />}
        onSelect={() => showDialog({ kind: "environment", about: { what: "edit", environmentId } })}
      >
        Edit…
      </MenuItem>
      {server?.hasLog && <MenuItem onSelect={() => showServerLog(environment)}>Show log</MenuItem>}
      <MenuSeparator />
      <MenuItem
        icon={<Trash2 {...icon} />}
        tone="danger"
        onSelect={() => void removeEnvironment(environmentId)}
      >
        Remove…
      </MenuItem>
    </>
  );
}
