// Looks at the way to an exec-server, again and again as the person mends it.
//
// Race: it is looked at again, or the address or the token is typed anew, before the answer is there. Each look has a number;
// only the answer to the newest is shown.

import { useCallback, useRef, useState } from "react";
import type { CallParams } from "../../../preload/contract";
import type { WayStep } from "../../../preload/contract/environments";
import type { FaultView } from "../../../preload/contract/fault";
import { faultOf } from "../../state/callFault";
import { call } from "../../state/connection";

export type WayCheck =
  | { phase: "not yet" }
  | { phase: "looking"; steps: readonly WayStep[] | null }
  | { phase: "found"; steps: readonly WayStep[] }
  | { phase: "failed"; fault: FaultView };

export function useWayCheck() {
  const [check, setCheck] = useState<WayCheck>({ phase: "not yet" });
  const newest = useRef(0);
  const look = useCallback(async (way: CallParams<"environments.inspectWay">) => {
    newest.current += 1;
    const mine = newest.current;
    setCheck((before) => ({ phase: "looking", steps: before.phase === "found" ? before.steps : null }));
    const next = await call("environments.inspectWay", way).then(
      ({ steps }): WayCheck => ({ phase: "found", steps }),
      (error): WayCheck => ({ phase: "failed", fault: faultOf(error) }),
    );
    if (mine === newest.current) setCheck(next);
  }, []);
  /** What was found is not about what is typed now. */
  const forget = useCallback(() => {
    newest.current += 1;
    setCheck({ phase: "not yet" });
  }, []);
  return { check, look, forget };
}

export function isOpenWay(check: WayCheck): boolean {
  return (
    check.phase === "found" &&
    check.steps.length > 0 &&
    check.steps.every(({ outcome }) => outcome === "ok" || outcome === "warning")
  );
}
