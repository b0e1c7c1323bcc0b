// A model that has one agent hand work on to another, each step held at a gate of its own; and a thread beside them that
// tells when enough time has passed for codex to have unloaded whatever it would.

import { expect } from "@playwright/test";
import type { ModelRequest } from "../../main/demo/modelRequest";
import type { Holdfast } from "./app";
import { functionCall, type ModelServer, message, reply } from "./modelServer";

export const featureLines = ["multi_agent = true", "multi_agent_v2 = true"];
export const childsWords = "The child is done.";
export const parentsWords = "The parent is done.";
const toParent = "Hand it on.";
const toClock = "Tell the time.";

type Gate = "spawn" | "spawned" | "child" | "parent";

export interface Family {
  /** What to say to the parent. */
  readonly toParent: string;
  reached(gate: Gate): Promise<void>;
  release(...gates: Gate[]): void;
  /** Requests that the child has sent for itself. */
  readonly childsRequests: readonly ModelRequest[];
}

export interface FamilyOptions {
  /** When the parent is let go on, it asks the child once more. */
  followUp?: string;
}

/**
 * The parent waits at "spawn", starts a child, waits at "spawned" for its answer to end, then at "parent", and ends. The child
 * waits at "child" and ends. Everything after that is answered at once.
 */
export function scriptFamily(model: ModelServer, { followUp }: FamilyOptions = {}): Family {
  const childsRequests: ModelRequest[] = [];
  let parentId: string | null = null;
  let parentsRequests = 0;
  const ofParent = () => {
    parentsRequests += 1;
    switch (parentsRequests) {
      case 1: {
        const task = { task_name: "child", message: "Do this part.", fork_turns: "none" };
        const call = functionCall("spawn_agent", task, "collaboration");
        return reply([model.hold("spawn")], call, [model.hold("spawned")]);
      }
      case 2:
        return followUp === undefined
          ? reply([model.hold("parent")], message(parentsWords))
          : reply(
              [model.hold("parent")],
              functionCall("followup_task", { target: "child", message: followUp }, "collaboration"),
            );
      default:
        return reply(message(parentsWords));
    }
  };
  model.handle((request) => {
    if (request.lastUserText === toClock) return reply(message("Noon."));
    parentId ??= request.threadId;
    if (request.threadId === parentId) return ofParent();
    childsRequests.push(request);
    return childsRequests.length === 1
      ? reply([model.hold("child")], message(childsWords))
      : reply(message("Noted by the child."));
  });
  return {
    toParent,
    reached: (gate) => model.gate(gate).reached,
    release: (...gates) => {
      for (const gate of gates) model.gate(gate).release();
    },
    childsRequests,
  };
}

/** A thread that does nothing, shown by this window. */
export async function startClock(holdfast: Holdfast): Promise<void> {
  await holdfast.newThread();
  await holdfast.send(toClock);
  await expect(holdfast.thread(/^Tell the time\., idle/)).toBeVisible();
}

/**
 * What was left before this call, and may be unloaded, has been: the clock is left now, and codex has unloaded it since. The
 * window shows a new thread then.
 */
export async function untilUnloadIsDue(holdfast: Holdfast): Promise<void> {
  await holdfast.newThread();
  await expect(holdfast.thread(/^Tell the time\./)).toHaveAccessibleName(/, not loaded/);
}
