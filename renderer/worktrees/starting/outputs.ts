// What the set-up script of a start prints, read for as long as it is on screen.
//
// Races, and what settles each:
// - What is shown goes away, or another one is shown: a late answer finds that nobody asks for it any more.
// - Another run begins: its output takes the place of the one before.
// - The window has no answer for a moment: it asks again, later each time.

import { useEffect, useState } from "react";
import type { CallResult } from "../../../preload/contract";
import { faultOf } from "../../state/callFault";
import { call } from "../../state/connection";

/** Characters; main keeps about as many. */
const mostShown = 256 * 1024;
const againMs = 1_000;

export interface ShownOutput {
  text: string;
  /** Something was printed before it that is kept no more. */
  isCut: boolean;
}

export function useSetupOutput(startId: string, phase: string): ShownOutput {
  const [output, setOutput] = useState<ShownOutput>({ text: "", isCut: false });
  // biome-ignore lint/correctness/useExhaustiveDependencies: another phase may be another run
  useEffect(() => {
    let isWanted = true;
    void (async () => {
      let run: string | null = null;
      let seen = 0;
      while (isWanted) {
        try {
          const part: CallResult<"worktreeStarts.output"> = await call("worktreeStarts.output", {
            startId,
            run,
            seen,
          });
          if (!isWanted) return;
          const isOther = part.run !== run;
          const isGap = part.from > (isOther ? 0 : seen);
          run = part.run;
          seen = part.from + part.text.length;
          if (isOther || isGap || part.text !== "") {
            setOutput((before) => {
              const joined = isOther || isGap ? part.text : before.text + part.text;
              const isCut = isGap || (!isOther && before.isCut) || joined.length > mostShown;
              return { text: joined.slice(-mostShown), isCut };
            });
          }
          if (part.ended) return;
        } catch (error) {
          console.warn("The output of the set-up cannot be read", faultOf(error).message);
          await new Promise((resolve) => setTimeout(resolve, againMs));
        }
      }
    })();
    return () => {
      isWanted = false;
    };
  }, [startId, phase]);
  return output;
}
