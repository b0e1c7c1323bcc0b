import { useEffect, useRef } from "react";
import { Notice } from "../../ui/Notice";
import { Spinner } from "../../ui/Spinner";
import { isOpenWay, type WayCheck } from "./useWayCheck";
import { WaySteps } from "./WaySteps";

/** What a look at the way has found so far. What stands in the way is spoken in short; the steps are there to be read. */
export function WayResult({ check }: { check: WayCheck }) {
  const box = useRef<HTMLDivElement>(null);
  // It comes below what was pressed, where one may not see it.
  useEffect(() => {
    if (check.phase === "found") box.current?.scrollIntoView({ block: "nearest" });
  }, [check.phase]);
  return (
    <div ref={box} className="grid grid-cols-1 gap-2.5 empty:hidden">
      {(check.phase === "looking" || check.phase === "found") && (
        <p role="status" aria-label="The way" className="flex items-center gap-2 text-s text-ink-2">
          {check.phase === "looking" ? (
            <>
              <Spinner /> Looking…
            </>
          ) : (
            <Sentence check={check} />
          )}
        </p>
      )}
      {check.phase === "failed" && (
        <Notice
          live
          tone="error"
          title={check.fault.message}
          hint={check.fault.hint}
          detail={check.fault.detail}
        />
      )}
      {(check.phase === "found" || (check.phase === "looking" && check.steps !== null)) && (
        <div className={check.phase === "looking" ? "opacity-60" : undefined}>
          <WaySteps steps={check.steps ?? []} />
        </div>
      )}
    </div>
  );
}

function Sentence({ check }: { check: Extract<WayCheck, { phase: "found" }> }) {
  if (isOpenWay(check)) return "The way is open.";
  const failed = check.steps.find(({ outcome }) => outcome === "failed");
  return (
    <>
      Not there yet.
      {failed && <span className="sr-only">{failed.text}</span>}
    </>
  );
}
