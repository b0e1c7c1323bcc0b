// The files that differ from a branch, and the branches that there are.
//
// Race: another branch is chosen, or the folder changes, while the list is made: only the newest question's answer counts.

import { useEffect, useRef, useState } from "react";
import type { CallResult } from "../../../preload/contract";
import type { FaultView } from "../../../preload/contract/fault";
import { faultOf } from "../../state/callFault";
import { call } from "../../state/connection";

export type Against = CallResult<"changes.listAgainst">;

export interface AgainstState {
  against: Against | null;
  /** Which branch that is. */
  of: string | null;
  fault: FaultView | null;
  loading: boolean;
}

const nothing: AgainstState = { against: null, of: null, fault: null, loading: false };

/** `base` null: nothing is asked for. `looks`: counts the reasons to look again. */
export function useAgainst(workspaceId: string, base: string | null, looks: number): AgainstState {
  const [state, setState] = useState(nothing);
  const question = useRef(0);
  // biome-ignore lint/correctness/useExhaustiveDependencies: `looks` is a reason
  useEffect(() => {
    question.current += 1;
    const mine = question.current;
    if (base === null) {
      setState(nothing);
      return;
    }
    setState((before) => (before.of === base ? { ...before, loading: true } : { ...nothing, loading: true }));
    call("changes.listAgainst", { workspaceId, base }).then(
      (against) => {
        if (mine === question.current) setState({ against, of: base, fault: null, loading: false });
      },
      (error: unknown) => {
        if (mine === question.current) setState({ ...nothing, of: base, fault: faultOf(error) });
      },
    );
    return () => {
      question.current += 1;
    };
  }, [workspaceId, base, looks]);
  return state;
}

/** The branches of a workspace's repository; null until they are known. Asked for while `wanted`. */
export function useBranches(workspaceId: string, wanted: boolean): readonly string[] | null {
  const [branches, setBranches] = useState<{ of: string; names: readonly string[] } | null>(null);
  useEffect(() => {
    if (!wanted) return;
    let over = false;
    call("workspaces.reviewTargets", { workspaceId }).then(
      ({ branches: names }) => {
        if (!over) setBranches({ of: workspaceId, names });
      },
      (error: unknown) => {
        console.warn("The branches could not be listed", faultOf(error).message);
        if (!over) setBranches({ of: workspaceId, names: [] });
      },
    );
    return () => {
      over = true;
    };
  }, [workspaceId, wanted]);
  return branches?.of === workspaceId ? branches.names : null;
}

/** What one most likely compares with when nothing was chosen. Pure. */
export function usualBase(branches: readonly string[], current: string | null): string | null {
  const others = branches.filter((name) => name !== current);
  const usual = ["main", "master", "origin/main", "origin/master", "develop"];
  return usual.find((name) => others.includes(name)) ?? others[0] ?? null;
}
