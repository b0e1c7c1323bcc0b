// What codex offers as models, for the settings of new threads. Asked once for each time that the settings are open.

import { useEffect, useState } from "react";
import type { CallResult } from "../../preload/contract";
import { faultOf } from "../state/callFault";
import { call } from "../state/connection";
import { currentWorkspaceId } from "../state/navigation";

export type Models = CallResult<"models.list">["models"];

/** Null while it is not known. `fault`: why there is nothing to choose from but codex's own default. */
export function useModels(): { models: Models | null; fault: string | null } {
  const [models, setModels] = useState<Models | null>(null);
  const [fault, setFault] = useState<string | null>(null);
  useEffect(() => {
    const workspaceId = currentWorkspaceId();
    if (workspaceId === null) {
      setFault("The models are known once a workspace is open.");
      return;
    }
    let current = true;
    call("models.list", { workspaceId }).then(
      (answer) => current && setModels(answer.models),
      (error: unknown) =>
        current && setFault(`codex does not say which there are: ${faultOf(error).message}`),
    );
    return () => {
      current = false;
    };
  }, []);
  return { models, fault };
}
