import { useCallback, useEffect, useMemo, useSyncExternalStore } from "react";
import type { EditedScript, ScriptView } from "./editedScript";
import { scripts } from "./scripts";

/** The script that is shown, for as long as it is. */
export function useEditedScript(scriptId: string): { script: EditedScript; view: ScriptView } {
  const script = useMemo(() => scripts.of(scriptId), [scriptId]);
  useEffect(() => scripts.hold(script), [script]);
  const subscribe = useCallback((listener: () => void) => script.subscribe(listener), [script]);
  return { script, view: useSyncExternalStore(subscribe, () => script.view) };
}
