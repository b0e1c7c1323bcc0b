// The commands that choose where the shown thread runs: one for each environment, so only in the palette. Pure.

import type { EnvironmentView, ThreadEnvironment } from "../../preload/contract/environments";
import type { Command } from "../shell/command";

export interface PlaceActions {
  runIn(environment: EnvironmentView): void;
  runHere(): void;
  /** There is none to choose yet. */
  addOne(): void;
}

const keywords = "environment executor exec-server remote machine where commands move";

/** `place`: where it runs now. None of them is offered while it has to stay there. */
export function placeCommands(
  place: ThreadEnvironment | null,
  stays: boolean,
  environments: readonly EnvironmentView[],
  { runIn, runHere, addOne }: PlaceActions,
): Command[] {
  if (stays) return [];
  const base = { group: "Threads", keywords } as const;
  const elsewhere = environments.map(
    (environment): Command => ({
      ...base,
      id: `run-thread-on ${environment.environmentId}`,
      title:
        environment.environmentId === place?.environmentId
          ? `Run this thread in another folder on ${environment.name}…`
          : `Run this thread on ${environment.name}${environment.registry.kind === "local" ? "" : "…"}`,
      run: () => runIn(environment),
    }),
  );
  const here: Command = {
    ...base,
    id: "run-thread-here",
    title: "Run this thread on this machine",
    run: runHere,
  };
  const none: Command = {
    ...base,
    id: "run-thread-elsewhere",
    title: "Run this thread elsewhere…",
    run: addOne,
  };
  return [
    ...elsewhere,
    ...(place === null ? [] : [here]),
    ...(environments.length === 0 && place === null ? [none] : []),
  ];
}
