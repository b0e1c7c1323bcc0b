// What the palette has to ask for: files of the shown workspace, and what was said in threads.
//
// Races, and what settles each:
// - Answers overtake each other: only the answer to what is typed now is taken.
// - Something else is typed: what was found stays until the next answer is there, so that the list does not flicker; it
//   stands behind everything else, so that nothing moves when it changes, but for a file whose very name is typed.

import { useEffect, useState } from "react";
import type { CallResult } from "../../preload/contract";
import type { ThreadHit } from "../../preload/contract/thread";
import { filePlace } from "../files/filePlace";
import { faultOf } from "../state/callFault";
import { call } from "../state/connection";
import type { Asked } from "./prefixes";

export type FoundFile = CallResult<"files.search">["files"][number];

export interface Answers {
  files: readonly FoundFile[];
  hits: readonly ThreadHit[];
  asking: boolean;
  /** Why there is none, in words. */
  failed: string | null;
}

const nothing: Answers = { files: [], hits: [], asking: false, failed: null };
const stillMs = 120;
const leastLetters = 2;
const mostFiles = 30;
const mostFilesAmongOthers = 8;

export function useAsked({ mode, query }: Asked, workspaceId: string | null): Answers {
  const [answers, setAnswers] = useState(nothing);
  const wantsFiles =
    workspaceId !== null && (mode === "files" || (mode === "all" && query.length >= leastLetters));
  const wantsHits = mode === "text" && query.length >= leastLetters;
  useEffect(() => {
    if (!wantsFiles && !wantsHits) {
      setAnswers(nothing);
      return;
    }
    let current = true;
    setAnswers((before) => ({ ...before, asking: true, failed: null }));
    const timer = setTimeout(async () => {
      try {
        const next = wantsHits ? await hitsFor(query) : await filesFor(workspaceId ?? "", query, mode);
        if (current) setAnswers({ ...nothing, ...next });
      } catch (error) {
        if (current) setAnswers({ ...nothing, failed: faultOf(error).message });
      }
    }, stillMs);
    return () => {
      current = false;
      clearTimeout(timer);
    };
  }, [mode, query, workspaceId, wantsFiles, wantsHits]);
  return answers;
}

async function hitsFor(query: string): Promise<Partial<Answers>> {
  return { hits: (await call("threads.search", { query })).hits };
}

async function filesFor(workspaceId: string, query: string, mode: Asked["mode"]): Promise<Partial<Answers>> {
  const { files } = await call("files.search", { workspaceId, query: filePlace(query).path });
  const shown = files.filter(({ path }) => !/(^|[/\\])\.git([/\\]|$)/.test(path));
  return { files: shown.slice(0, mode === "files" ? mostFiles : mostFilesAmongOthers) };
}
