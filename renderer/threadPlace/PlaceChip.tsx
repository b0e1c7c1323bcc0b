import { Server } from "lucide-react";
import { goToEnvironments } from "../state/navigation";
import { Drawn } from "../ui/Drawn";
import { Hint } from "../ui/Hint";
import { StatusDot } from "../ui/StatusDot";
import { useShownPlace } from "./usePlace";
import { leastNameCharacters, onPlace, placeName } from "./words";

/** In the head of a thread that does not run on this machine: where it runs, and whether that is there. */
export function PlaceChip() {
  const shown = useShownPlace();
  if (shown === null) return null;
  const { place, look } = shown;
  const isWell = look.tone === "ok" || look.tone === "hollow";
  const words = `Runs ${onPlace(place)} in ${place.cwd}`;
  const name = placeName(place);
  const least = `${Math.min(leastNameCharacters, name.length)}ch`;
  return (
    <Hint text={`${words} · ${look.word}`}>
      <button
        type="button"
        aria-label={`${words}: ${look.word}. Show the environment`}
        onClick={() => goToEnvironments(place.name === null ? undefined : place.environmentId)}
        style={{ minWidth: `calc(${least} + 52px)` }}
        className="flex h-[22px] max-w-120 shrink items-center gap-1.5 overflow-hidden rounded-full border border-line px-2 text-s text-ink-2 transition-colors hover:border-line-strong hover:text-ink"
      >
        <Server aria-hidden size={12} className="shrink-0" />
        <span style={{ minWidth: least }} className="shrink-[1] truncate">
          {name}
        </span>
        {/* A path tells most at its end. */}
        <span className="hidden min-w-0 shrink-[8] truncate font-mono text-xs [direction:rtl] @2xl:block">
          <bdi>
            <Drawn text={place.cwd} />
          </bdi>
        </span>
        <StatusDot tone={look.tone} />
        {place.name !== null && (
          <Drawn
            className={isWell ? "hidden shrink-0 @xl:block" : "hidden shrink-0 @md:block"}
            text={look.word}
          />
        )}
      </button>
    </Hint>
  );
}
