import { Button } from "../../ui/Button";
import { Spinner } from "../../ui/Spinner";
import type { WayBack } from "./useWayBack";

/** At the top of the conversation while the place where one was is looked for, or was not found yet. */
export function WayBackNote({
  wayBack,
  onLookFurther,
  onStay,
}: {
  wayBack: WayBack;
  onLookFurther: () => void;
  onStay: () => void;
}) {
  if (wayBack === "none") return null;
  return (
    <div className="absolute top-3 left-1/2 flex h-8 -translate-x-1/2 animate-late items-center gap-2 rounded-full border border-line-strong bg-raised pr-1 pl-3 text-s text-ink-2 shadow-pop">
      <span role="status" className="flex items-center gap-2">
        {wayBack === "looking" && <Spinner />}
        {wayBack === "looking" ? "Going back to where you were…" : "Where you were lies further back."}
      </span>
      {wayBack === "further" && (
        <Button size="s" tone="quiet" onClick={onLookFurther}>
          Look further
        </Button>
      )}
      <Button size="s" tone="quiet" onClick={onStay}>
        Stay here
      </Button>
    </div>
  );
}
