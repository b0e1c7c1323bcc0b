import { useCallback, useEffect, useState } from "react";
import type { CallResult } from "../../preload/contract";
import { faultOf } from "../state/callFault";
import { call } from "../state/connection";

type Servers = CallResult<"localModels.find">["servers"];

/** Model servers that run on this machine, looked for once when this comes on screen and again when asked. */
export function useLocalModels(): { servers: Servers; looking: boolean; look: () => Promise<void> } {
  const [servers, setServers] = useState<Servers>([]);
  const [looking, setLooking] = useState(true);
  const look = useCallback(async () => {
    setLooking(true);
    try {
      setServers((await call("localModels.find", {})).servers);
    } catch (error) {
      // To the person this is the same as finding none.
      console.warn("Local models could not be looked for", faultOf(error).message);
    }
    setLooking(false);
  }, []);
  useEffect(() => {
    void look();
  }, [look]);
  return { servers, looking, look };
}
