// Above the field for the next message: why the thread's commands cannot run where they should, and what can be done.

import { ChevronDown, RefreshCw, Server } from "lucide-react";
import { refreshEnvironment } from "../environments/actions";
import { useApp } from "../state/appStore";
import { goToEnvironments } from "../state/navigation";
import { useHead } from "../state/threadStore";
import { Button } from "../ui/Button";
import { MenuButton } from "../ui/Menu";
import { Notice } from "../ui/Notice";
import { PlaceChoices } from "./PlaceChoices";
import { useShownPlace } from "./usePlace";
import { placeTrouble } from "./words";

export function PlaceNotice() {
  const shown = useShownPlace();
  const running = useHead((head) => head.run !== null);
  const archived = useHead((head) => head.archived);
  const trouble = shown && placeTrouble(shown.place, shown.connection, running);
  // Nothing of an archived one is about to run.
  if (!shown || !trouble || archived) return null;
  const { place } = shown;
  return (
    <Notice
      live
      tone={trouble.tone}
      className="mb-2"
      title={trouble.title}
      hint={trouble.hint}
      detail={trouble.detail}
      actions={
        <>
          {trouble.canRefresh && <Refresh environmentId={place.environmentId} />}
          <MenuButton
            side="top"
            button={
              <Button size="s">
                <span className="inline-flex items-center gap-1">
                  Run elsewhere…
                  <ChevronDown aria-hidden size={12} className="text-ink-3" />
                </span>
              </Button>
            }
          >
            <PlaceChoices />
          </MenuButton>
          <Button
            size="s"
            tone="quiet"
            icon={<Server aria-hidden size={12} />}
            onClick={() => goToEnvironments(place.name === null ? undefined : place.environmentId)}
          >
            Open environments
          </Button>
        </>
      }
    />
  );
}

/** Asks where it is now and goes over to that; also while one that was asked for elsewhere is under way. */
function Refresh({ environmentId }: { environmentId: string }) {
  const refreshing = useApp(
    (app) => app.environments.find((each) => each.environmentId === environmentId)?.refreshing ?? false,
  );
  return (
    <Button
      size="s"
      icon={<RefreshCw aria-hidden size={12} />}
      busy={refreshing}
      onClick={() => void refreshEnvironment(environmentId)}
    >
      Refresh
    </Button>
  );
}
