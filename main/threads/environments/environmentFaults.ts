// Why nothing of a thread runs until a person has done something about the place where it is to run.

import { Fault } from "../../fault";

export function removedFault(): Fault {
  return new Fault("environment_removed", "The environment of this thread was removed.", {
    hint: "Choose where its commands are to run: in another environment, or on this machine. Until then nothing of it runs.",
    retryable: true,
  });
}

export function unknownFault(environmentId: string): Fault {
  return new Fault("environment_unknown", "There is no such environment any more.", {
    detail: environmentId,
  });
}

/** `wish`: how a script has called it. */
export function notFoundFault(wish: string, names: readonly string[]): Fault {
  const known = names.length === 0 ? "There are none." : `There are: ${names.join(", ")}`;
  return new Fault("environment_unknown", `There is no environment “${wish}”. ${known}`);
}

/** Which of them is meant cannot be told from the name. */
export function ambiguousFault(wish: string): Fault {
  return new Fault("environment_ambiguous", `There are several environments “${wish}”. Name one by its id.`);
}

export function notReachedFault(name: string, words: string, cause: unknown): Fault {
  return new Fault("environment_not_reached", `codex could not connect to the environment ${name}.`, {
    hint: "See on the page Environments what is the matter with it; then send again. Nothing was run on this machine instead.",
    detail: words,
    retryable: true,
    cause,
  });
}

export function unsupportedFault(cause: unknown): Fault {
  return new Fault(
    "environments_unsupported",
    "This version of codex cannot run commands in an environment.",
    {
      hint: "Update codex and restart it for this workspace, or choose this machine for the thread.",
      cause,
    },
  );
}

export function notAFullPathFault(cwd: string): Fault {
  return new Fault("path_not_absolute", "The folder in an environment is named by its full path there.", {
    hint: "For example /home/ada/engine, or C:\\engine on Windows.",
    detail: cwd,
  });
}

export function atWorkFault(): Fault {
  return new Fault("turn_running", "This thread is at work where it is.", {
    hint: "Stop it, or wait for its end; then choose another place.",
  });
}

export function agentFault(): Fault {
  return new Fault("agent_of_agent", "An agent works where the thread that started it works.", {
    hint: "Choose the place of that thread.",
  });
}

/** codex lets an agent go on where it was started, or where its parent ran when it was loaded. */
export function agentsStayFault(names: readonly string[]): Fault {
  const who = names.length === 1 ? `the agent ${names[0]}` : `${names.length} agents`;
  return new Fault(
    "agents_stay",
    `codex has ${who} of this thread in memory, and would go on with them at the place where they are.`,
    { hint: "Restart codex for this workspace; then choose another place." },
  );
}

/** codex has an agent work where its parent is told to work when the agent is loaded, and leaves it there. */
export function agentWaitsFault(): Fault {
  return new Fault("agent_waits", "This agent is loaded once its thread has gone on in its environment.", {
    hint: "Until then it can be read. Write to the thread that started it.",
    retryable: true,
  });
}

/** It can be kept by codex alone, which would run it on this machine. */
export function foreignFollowUpFault(): Fault {
  return new Fault(
    "foreign_follow_up",
    "Another program has queued a message for this thread that codex would run on this machine.",
    {
      hint: "Delete it there, or choose this machine for the thread. Until then it can only be read.",
      retryable: true,
    },
  );
}

const notPlaced = "environment_changed";

/** Where it works has changed since codex was brought there: nothing was begun. */
export function notPlacedFault(): Fault {
  return new Fault(notPlaced, "The environment of this thread changed just then.", {
    hint: "Try again.",
    retryable: true,
  });
}

export function isNotPlaced(error: unknown): boolean {
  return error instanceof Fault && error.code === notPlaced;
}
