// Where a thread's commands run, in words: one home for the composer, the head, the notice, the sidebar and the cards. Pure.

import {
  type EnvironmentConnection,
  type EnvironmentView,
  isReplaced,
  type ThreadEnvironment,
} from "../../preload/contract/environments";
import type { DotTone } from "../ui/StatusDot";

export const thisMachine = "This machine";

/** What stands where a name would, once its environment was removed. */
const removedName = "removed environment";

/** So much of the name of a place is to be read, however narrow it is. */
export const leastNameCharacters = 8;

export function placeName({ name }: Pick<ThreadEnvironment, "name">): string {
  return name ?? removedName;
}

/** In a sentence: "on build-box". */
export function onPlace({ name }: Pick<ThreadEnvironment, "name">): string {
  return name === null ? `in a ${removedName}` : `on ${name}`;
}

/** The same for a row of the list, which knows only the id. Null: on this machine, which goes without saying. */
export function onEnvironment(
  environmentId: string | undefined,
  environments: readonly Pick<EnvironmentView, "environmentId" | "name">[],
): string | null {
  if (environmentId === undefined) return null;
  return onPlace({ name: environments.find((each) => each.environmentId === environmentId)?.name ?? null });
}

export interface PlaceLook {
  tone: DotTone;
  word: string;
}

/**
 * How it stands with codex's connection to it, by which the thread's commands run. `connection` is Holdfast's own to the same
 * environment: it knows at once what codex is long about, and hears first when it is there again.
 */
export function placeLook(
  place: ThreadEnvironment,
  connection: EnvironmentConnection | undefined,
): PlaceLook {
  const stands = standing(place, connection);
  switch (stands) {
    case "removed":
      return { tone: "bad", word: "removed" };
    case "connected":
      return { tone: "ok", word: "connected" };
    case "not used yet":
      return { tone: "hollow", word: "not used yet" };
    case "reconnecting":
      return { tone: "warn", word: "reconnecting" };
    case "there again":
      return { tone: "hollow", word: "connects at the next turn" };
    case "unusable":
      return { tone: "bad", word: "cannot be used" };
    case "disconnected":
      return { tone: "bad", word: "disconnected" };
    default:
      return stands satisfies never;
  }
}

type Standing =
  | "removed"
  | "connected"
  | "not used yet"
  /** codex and Holdfast both try to reach the same executor again. */
  | "reconnecting"
  /** Holdfast has it, or its replacement; codex connects to that when it is used next. */
  | "there again"
  | "unusable"
  | "disconnected";

function standing(
  { name, state, fault }: ThreadEnvironment,
  connection: EnvironmentConnection | undefined,
): Standing {
  if (name === null) return "removed";
  if (state === "disconnected") {
    if (connection?.state === "reconnecting") return "reconnecting";
    const isThere = connection?.state === "connected" || isReplaced(connection);
    return isThere ? "there again" : "disconnected";
  }
  return fault === null ? state : "unusable";
}

export interface PlaceTrouble {
  tone: "info" | "warning";
  title: string;
  hint: string;
  detail: string | null;
  /** Its registry can be asked where it is now. */
  canRefresh: boolean;
}

const notHere = "Nothing of this thread runs on this machine instead.";

/** What keeps the thread's commands from running where they should. Null: nothing. */
export function placeTrouble(
  place: ThreadEnvironment,
  connection: EnvironmentConnection | undefined,
  running: boolean,
): PlaceTrouble | null {
  const { name, fault } = place;
  const trouble = { tone: "warning", detail: null, canRefresh: true } as const;
  const stands = standing(place, connection);
  switch (stands) {
    case "connected":
    case "not used yet":
      return null;
    case "removed":
      return {
        ...trouble,
        title: "The environment that this thread runs in was removed.",
        hint: "Nothing of it runs until you choose another place: it never moves to this machine by itself.",
        canRefresh: false,
      };
    case "there again":
      return {
        ...trouble,
        tone: "info",
        title: `${name} is there again.`,
        hint: running
          ? "What this turn had begun there may be lost. The next message goes on there."
          : "The next message goes on there. What had run there before is not run again.",
        canRefresh: false,
      };
    case "reconnecting":
      return {
        ...trouble,
        title: `${name} is reconnecting.`,
        hint: `What runs there waits for it. If it was replaced, Refresh finds the new one. ${notHere}`,
      };
    case "unusable":
    case "disconnected":
      if (fault) {
        const isSaid = fault.hint?.includes("this machine") ?? false;
        return {
          ...trouble,
          title: fault.message,
          detail: fault.detail ?? null,
          hint: isSaid ? (fault.hint ?? "") : [fault.hint, notHere].filter(Boolean).join(" "),
        };
      }
      return {
        ...trouble,
        title: `${name} is disconnected.`,
        hint: running
          ? `What this turn does there fails until it is back. ${notHere}`
          : `The next message tries to connect to it again, wherever it is by then. ${notHere}`,
      };
    default:
      return stands satisfies never;
  }
}

/** Before a command is approved that codex would run there: what is to be known of that. Null: nothing. */
export function approvalTrouble(
  { state, executorGone }: ThreadEnvironment,
  connection: EnvironmentConnection | undefined,
): string | null {
  if (state !== "disconnected") return null;
  const isGivenUp = connection?.state === "not connected" && connection.fault !== null;
  return executorGone || isGivenUp
    ? "The executor that this would run on is not there any more: it will fail, and nothing of it runs elsewhere."
    : "codex has lost the executor that this would run on: it waits for that, and fails if it does not come back. Nothing of it runs elsewhere.";
}

/** Why the thread stays where it is for now. Null: another place can be chosen. */
export function whyItStays({ running, isAgent }: { running: boolean; isAgent: boolean }): string | null {
  if (isAgent) return "An agent runs where the thread that it works for has put it.";
  if (running) return "Can be changed when the turn has ended.";
  return null;
}
