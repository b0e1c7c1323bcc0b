// A team of agents on one scripted model: each answers by its own list of replies. Who asks is told by the first mark in
// what it was asked, "[lead]" or the like: codex starts each agent with its task alone. The last reply is repeated when it
// decides by the request, as `whenAnswered` does.
//
// Race: an agent may answer before the one above waits for it: the answer then comes with the next request, and no wait ends
// with it. So who waits looks at what it has been told already.

import type { ModelRequest } from "../../main/demo/modelRequest";
import type { Step, Steps } from "../../main/demo/responseSteps";
import { failure, functionCall, type ModelServer, type Reply } from "./modelServer";

/** Lines for the end of config.toml, whose last table is `[features]`. */
export const agentsV2 = ["multi_agent = true", "multi_agent_v2 = true"];
/** The older tools: agents may start agents, and take messages from a person. */
export const agentsV1 = ["multi_agent = true", "multi_agent_v2 = false", "", "[agents]", "max_depth = 3"];

export interface Team {
  /** What this member was asked so far, in order. */
  asked(name: string): readonly ModelRequest[];
}

export function scriptTeam(model: ModelServer, replies: Record<string, Reply[]>): Team {
  const asked = new Map<string, ModelRequest[]>();
  model.handle((request) => {
    const name = /\[([a-z]+)\]/.exec(JSON.stringify(request.body.input))?.[1] ?? "nobody";
    const before = asked.get(name) ?? [];
    asked.set(name, [...before, request]);
    const last = replies[name]?.at(-1);
    const reply = replies[name]?.[before.length] ?? (typeof last === "function" ? last : undefined);
    if (reply === undefined) return failure(400, `The test has no reply number ${before.length} of ${name}.`);
    return typeof reply === "function" ? reply(request) : reply;
  });
  return { asked: (name) => asked.get(name) ?? [] };
}

export const spawn = (name: string, task: string): Step[] =>
  functionCall("spawn_agent", { task_name: name, message: task, fork_turns: "none" }, "collaboration");
export const followUp = (target: string, task: string): Step[] =>
  functionCall("followup_task", { target, message: task }, "collaboration");
/** Waits for its agents until so many have answered. */
export function whenAnswered(answers: number, then: Steps): Reply {
  return (request) => (answersIn(request) < answers ? waitForAgents() : then);
}

/** How often agents have answered so far. */
export function answersIn(request: ModelRequest): number {
  return JSON.stringify(request.body.input).split("Message Type: FINAL_ANSWER").length - 1;
}

export const waitForAgents = (): Step[] =>
  functionCall("wait_agent", { timeout_ms: 60_000 }, "collaboration");
export const spawnV1 = (task: string, role?: string): Step[] =>
  functionCall("spawn_agent", { message: task, ...(role ? { agent_type: role } : {}) }, "multi_agent_v1");
