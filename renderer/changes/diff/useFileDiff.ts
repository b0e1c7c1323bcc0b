// The difference of the file that is shown, as main has it now.
//
// Races, and what settles each:
// - Another file is chosen while this one is loaded: the answer belongs to a question, and only the newest one's is shown.
// - The folder changes while it is shown: what is shown stays until the new one is there, so that nothing flickers.

import { useEffect, useRef, useState } from "react";
import type { Comparison, FileDiff } from "../../../preload/contract/changes";
import type { FaultView } from "../../../preload/contract/fault";
import { faultOf } from "../../state/callFault";
import { call } from "../../state/connection";

export interface FileDiffState {
  diff: FileDiff | null;
  fault: FaultView | null;
  loading: boolean;
  /** Counts the answers, also those that brought nothing new. */
  loads: number;
}

/** `looks`: counts the reasons to load it again. For one component that lives as long as the file is shown. */
export function useFileDiff(
  workspaceId: string,
  path: string,
  oldPath: string | null,
  comparison: Comparison,
  whole: boolean,
  looks: number,
): FileDiffState {
  const [state, setState] = useState<FileDiffState>({ diff: null, fault: null, loading: true, loads: 0 });
  const question = useRef(0);
  const asked = JSON.stringify(comparison);
  // biome-ignore lint/correctness/useExhaustiveDependencies: `asked` is the comparison, `looks` a reason
  useEffect(() => {
    question.current += 1;
    const mine = question.current;
    setState((before) => ({ ...before, loading: true }));
    call("changes.diff", { workspaceId, path, oldPath, comparison, whole }).then(
      (diff) => {
        if (mine !== question.current) return;
        // The same difference is the same object: what is drawn from it is not drawn anew.
        setState((before) => ({
          diff:
            before.diff?.fingerprint === diff.fingerprint && isAsWhole(before.diff, diff)
              ? before.diff
              : diff,
          fault: null,
          loading: false,
          loads: before.loads + 1,
        }));
      },
      (error: unknown) => {
        if (mine !== question.current) return;
        setState(({ loads }) => ({ diff: null, fault: faultOf(error), loading: false, loads: loads + 1 }));
      },
    );
    return () => {
      question.current += 1;
    };
  }, [workspaceId, path, oldPath, asked, whole, looks]);
  return state;
}

function isAsWhole(before: FileDiff, now: FileDiff): boolean {
  const left = ({ content }: FileDiff) => (content.kind === "text" ? content.left : null);
  return before.content.kind === now.content.kind && left(before) === left(now);
}
