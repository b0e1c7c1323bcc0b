// What is shown of the lines around the hunks of a difference.
//
// Race: the file changes while they are asked for, or has changed since the difference was made. Main refuses then; the refusal
// is said, and the difference is loaded anew. Lines belong to one content of the file, and are gone with it; when only something
// else is staged they stay.

import { useCallback, useMemo, useRef, useState } from "react";
import type { Comparison, DiffLine, FileDiff } from "../../../preload/contract/changes";
import { faultOf } from "../../state/callFault";
import { call } from "../../state/connection";
import { showFault, toast } from "../../state/toasts";
import { lookAgain } from "../state/changesStore";
import { type Direction, type Gap, gapsOf, nextOf, type ShownLines } from "./gaps";

const none: ShownLines = new Map();

export interface ContextState {
  gaps: readonly Gap[];
  /** Which of them are being asked for. */
  busy: ReadonlySet<number>;
  /** Resolves with the first line that it brought; null: none. */
  more(at: number, direction: Direction): Promise<number | null>;
}

export function useContextLines(
  workspaceId: string,
  comparison: Comparison,
  diff: FileDiff | null,
): ContextState | null {
  const [state, setState] = useState<{ of: string; lines: ShownLines }>({ of: "", lines: none });
  const [busy, setBusy] = useState<ReadonlySet<number>>(new Set());
  const asking = useRef(new Set<string>());
  const fingerprint = diff?.fingerprint ?? "";
  const content = diff?.content.kind === "text" ? diff.content : null;
  const of = content?.newContent ?? fingerprint;
  const shown = state.of === of ? state.lines : none;
  const gaps = useMemo(
    () => content && gapsOf(content.hunks, content.left === null ? content.after : null, shown),
    [content, shown],
  );
  const more = useCallback(
    async (at: number, direction: Direction) => {
      const hidden = gaps?.[at]?.hidden;
      const asked = `${fingerprint} ${at}`;
      if (!diff || !hidden || asking.current.has(asked)) return null;
      const wanted = nextOf(hidden, direction);
      asking.current.add(asked);
      setBusy((before) => new Set(before).add(at));
      try {
        const { path, oldPath } = diff;
        const found = await call("changes.context", {
          workspaceId,
          path,
          oldPath,
          comparison,
          fingerprint,
          ...wanted,
        });
        setState((before) => ({
          of,
          lines: new Map([
            ...(before.of === of ? before.lines : none),
            ...found.lines.map((line): [number, DiffLine] => [line.newLine ?? 0, line]),
          ]),
        }));
        return found.lines[0]?.newLine ?? null;
      } catch (error) {
        const fault = faultOf(error);
        if (fault.code === "changed_meanwhile") {
          toast(`“${diff.path}” has changed meanwhile`, { hint: "What is different in it now is shown." });
          lookAgain(workspaceId);
        } else showFault(fault);
        return null;
      } finally {
        asking.current.delete(asked);
        setBusy((before) => new Set([...before].filter((each) => each !== at)));
      }
    },
    [workspaceId, comparison, diff, fingerprint, of, gaps],
  );
  return gaps && { gaps, busy, more };
}
