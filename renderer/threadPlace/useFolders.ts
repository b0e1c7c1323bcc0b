// The folders of an environment, one after the other, for a dialog that shows them.
//
// Races, and what settles each:
// - Another folder is asked for before the last answer is here: the answers of earlier questions are let go of.
// - The dialog is closed meanwhile: whatever comes then is let go of too.

import { useCallback, useEffect, useRef, useState } from "react";
import type { CallResult } from "../../preload/contract";
import type { FaultView } from "../../preload/contract/fault";
import { faultOf } from "../state/callFault";
import { call } from "../state/connection";

export type Listing = CallResult<"environments.list">;

export interface Folders {
  /** The last one that could be read; it stays while the next is asked for. */
  listing: Listing | null;
  asking: boolean;
  /** Why the last one that was asked for could not be read. */
  fault: FaultView | null;
  /** Null: the folder in which the environment starts. Resolves with null when it could not be read, or was overtaken. */
  go(path: string | null): Promise<Listing | null>;
}

export function useFolders(environmentId: string): Folders {
  const [shown, setShown] = useState<Omit<Folders, "go">>({ listing: null, asking: true, fault: null });
  const asked = useRef(0);
  useEffect(
    () => () => {
      asked.current += 1;
    },
    [],
  );
  const go = useCallback(
    async (path: string | null) => {
      asked.current += 1;
      const mine = asked.current;
      setShown(({ listing }) => ({ listing, asking: true, fault: null }));
      try {
        const listing = await call("environments.list", { environmentId, path });
        if (mine !== asked.current) return null;
        setShown({ listing, asking: false, fault: null });
        return listing;
      } catch (error) {
        if (mine !== asked.current) return null;
        setShown(({ listing }) => ({ listing, asking: false, fault: faultOf(error) }));
        return null;
      }
    },
    [environmentId],
  );
  return { ...shown, go };
}
