// A file of a workspace, read piece by piece as far as it is wanted.
//
// Races, and what settles each:
// - Another file is shown while a piece is on its way: the piece is dropped.
// - The file changes between two pieces: it is read anew from its beginning.

import { useCallback, useEffect, useRef, useState } from "react";
import type { FaultView } from "../../preload/contract/fault";
import { faultOf } from "../state/callFault";
import { call } from "../state/connection";
import { type FileText, fileTextOf, withPiece } from "./fileText";

export interface FileState {
  text: FileText | null;
  reading: boolean;
  fault: FaultView | null;
}

export interface FileHandle extends FileState {
  again(): void;
  more(): void;
}

/** More lines than these come only when they are asked for. */
const mostLines = 400_000;

/** `line`, from 1: pieces are read until it is there. To be mounted anew for another file. */
export function useFile(workspaceId: string, path: string, line: number | null): FileHandle {
  const [state, setState] = useState<FileState>({ text: null, reading: true, fault: null });
  const turn = useRef(0);
  const held = useRef<FileText | null>(null);

  const read = useCallback(
    async (until: "first" | "more", upTo: number) => {
      turn.current += 1;
      const mine = turn.current;
      setState((before) => ({ ...before, reading: true, fault: null }));
      try {
        let text = until === "more" ? held.current : null;
        let most = upTo;
        do {
          const fromByte = text?.nextByte ?? 0;
          const piece = await call("files.read", { workspaceId, path, fromByte });
          if (mine !== turn.current) return;
          const next = text === null ? fileTextOf(piece) : withPiece(text, piece);
          // One that keeps changing would never be read to its end: its beginning has to do.
          if (next === null) most = 0;
          text = next;
          if (text !== null) {
            held.current = text;
            setState({ text, reading: true, fault: null });
          }
        } while (text === null || (text.nextByte !== null && (text.lines?.length ?? 0) < most));
        setState({ text, reading: false, fault: null });
      } catch (error) {
        if (mine === turn.current)
          setState((before) => ({ ...before, reading: false, fault: faultOf(error) }));
      }
    },
    [workspaceId, path],
  );
  useEffect(
    () => () => {
      turn.current += 1;
    },
    [],
  );
  const wanted = Math.min(mostLines, line ?? 0);
  useEffect(() => {
    const here = held.current;
    if (here === null) void read("first", wanted);
    else if (here.nextByte !== null && (here.lines?.length ?? 0) < wanted) void read("more", wanted);
  }, [read, wanted]);
  return {
    ...state,
    again: () => void read("first", wanted),
    more: () => void read("more", (held.current?.lines?.length ?? 0) + 1),
  };
}
