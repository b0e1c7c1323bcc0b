// What a menu offers for where the thread's commands run.

import { FolderOpen, Server } from "lucide-react";
import type { EnvironmentView } from "../../preload/contract/environments";
import { environmentLook } from "../environments/environmentLook";
import { useApp, useWorkspace } from "../state/appStore";
import { goToEnvironments } from "../state/navigation";
import { useHead } from "../state/threadStore";
import { shortPath } from "../state/words";
import { type MenuChoice, MenuChoices, MenuItem, MenuSeparator } from "../ui/Menu";
import { runHere, runIn } from "./placeActions";
import { useShownPlace, useWhyItStays } from "./usePlace";
import { thisMachine } from "./words";

/** The choice that is no environment. */
const here = "";

export function PlaceChoices() {
  const threadKey = useHead((head) => head.key);
  const workspaceId = useHead((head) => head.workspaceId);
  const shown = useShownPlace();
  const place = shown?.place ?? null;
  const environments = useApp((app) => app.environments);
  const home = useApp((app) => app.home);
  const workspace = useWorkspace(workspaceId);
  const why = useWhyItStays();
  const current = environments.find(({ environmentId }) => environmentId === place?.environmentId);
  const choices: MenuChoice<string>[] = [
    { value: here, label: thisMachine, description: workspace && shortPath(workspace.path, home) },
    ...environments.map((each) => ({
      value: each.environmentId,
      label: each.name,
      description:
        shown !== null && each === current
          ? `${shown.place.cwd} · ${shown.look.word}`
          : environmentDescription(each),
    })),
  ];
  const choose = (value: string) => {
    const environment = environments.find(({ environmentId }) => environmentId === value);
    if (environment) void runIn(threadKey, workspaceId, environment);
    else if (value === here) void runHere(threadKey);
  };
  return (
    <>
      <MenuChoices
        label={why ?? "Runs on, from the next turn on"}
        value={place?.environmentId ?? here}
        choices={choices}
        onChange={choose}
        disabled={why !== null}
      />
      <MenuSeparator />
      {place !== null && current && (
        <MenuItem
          icon={<FolderOpen size={14} />}
          disabled={why !== null}
          onSelect={() => void runIn(threadKey, workspaceId, current, place.cwd)}
        >
          Another folder there…
        </MenuItem>
      )}
      <MenuItem icon={<Server size={14} />} onSelect={() => goToEnvironments(current?.environmentId)}>
        Manage environments…
      </MenuItem>
    </>
  );
}

function environmentDescription(environment: EnvironmentView): string {
  const { words } = environmentLook(environment);
  return environment.registry.kind === "local" ? `${words} · on this machine` : words;
}
