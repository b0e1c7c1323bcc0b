// What this desktop can do of what can be set.

import { useEffect, useState } from "react";
import type { CallResult } from "../../preload/contract";
import { useApp } from "../state/appStore";
import { call } from "../state/connection";
import { attempt } from "../state/toasts";
import type { Setting } from "./setting";

type Desktop = CallResult<"attention.desktop">;

/** Null until it is known: until then nothing is said to be missing. */
export function useDesktop(): Desktop | null {
  const mac = useApp((app) => app.platform === "darwin");
  const [desktop, setDesktop] = useState<Desktop | null>(null);
  useEffect(() => {
    let isWanted = true;
    void attempt(call("attention.desktop", {})).then((answer) => {
      // A Mac keeps apps without windows anyway.
      if (isWanted && answer) setDesktop({ ...answer, tray: answer.tray && !mac });
    });
    return () => {
      isWanted = false;
    };
  }, [mac]);
  return desktop;
}

export function hasWhatItNeeds({ needs }: Setting, desktop: Desktop | null): boolean {
  return needs === undefined || desktop === null || desktop[needs];
}
