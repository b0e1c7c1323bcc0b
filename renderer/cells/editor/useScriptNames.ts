// The names that a script finds: asked for once, when an editor is opened first.

import { useEffect, useState } from "react";
import { faultOf } from "../../state/callFault";
import { call } from "../../state/connection";
import { noNames, type ScriptNames, scriptNames } from "./scriptNames";

let known: ScriptNames | null = null;
let asking: Promise<ScriptNames> | null = null;

async function ask(): Promise<ScriptNames> {
  try {
    const { names } = await call("scripts.names", {});
    known = scriptNames(names);
    return known;
  } catch (error) {
    // Writing goes on without them; the next editor that is opened asks again.
    console.warn("What scripts find is not known", faultOf(error).message);
    return noNames;
  } finally {
    asking = null;
  }
}

export function useScriptNames(): ScriptNames {
  const [names, setNames] = useState(known ?? noNames);
  useEffect(() => {
    if (known !== null) {
      setNames(known);
      return;
    }
    let isHere = true;
    asking ??= ask();
    void asking.then((all) => {
      if (isHere) setNames(all);
    });
    return () => {
      isHere = false;
    };
  }, []);
  return names;
}
