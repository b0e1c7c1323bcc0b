import { Server } from "lucide-react";
import { MenuChip } from "../composer/MenuChip";
import { useApp } from "../state/appStore";
import { MenuButton } from "../ui/Menu";
import { PlaceChoices } from "./PlaceChoices";
import { type ShownPlace, useShownPlace } from "./usePlace";
import { placeName, thisMachine } from "./words";

/** Beside the other settings of the next turn. Who has no environments is not troubled with where else it could run. */
export function PlaceMenu() {
  const shown = useShownPlace();
  const hasEnvironments = useApp((app) => app.environments.length > 0);
  if (shown === null && !hasEnvironments) return null;
  return (
    <MenuButton
      side="top"
      button={
        <MenuChip
          what="Runs on"
          rank="place"
          icon={<Server aria-hidden size={12} />}
          caution={shown && cautionOf(shown)}
        >
          {shown === null ? thisMachine : placeName(shown.place)}
        </MenuChip>
      }
    >
      <PlaceChoices />
    </MenuButton>
  );
}

function cautionOf({ place, look }: ShownPlace): string | null {
  if (place.name === null) return "choose another place";
  return look.tone === "bad" || look.tone === "warn" ? look.word : null;
}
