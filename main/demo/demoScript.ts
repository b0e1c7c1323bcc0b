// The demo model: what it answers to any request of codex. It keeps no memory; the conversation that codex sends decides.

import { asksForReview, reviewTurn } from "./demoReview";
import type { Pace } from "./demoSpeech";
import { asksForMessage, suggestionTurn } from "./demoSuggestion";
import { type DemoTools, fateOf, type TourCall, tour, tourCalls, turnMark } from "./demoTour";
import { afterStoppedTour, compactionTurn, failTurn, longTurn, noteTurn } from "./demoTurns";
import type { ModelRequest } from "./modelRequest";
import type { Script, Step } from "./responseSteps";

export interface DemoScriptOptions {
  pace: Pace;
  /** Whether the workspace is a git repository, asked anew for each response. */
  hasGit(): boolean;
}

export function demoScript(options: DemoScriptOptions): Script {
  return (request) => answer(request, { pace: options.pace, git: options.hasGit() });
}

function answer(request: ModelRequest, tools: DemoTools): Generator<Step> {
  const { pace } = tools;
  if (request.kind === "compaction") return compactionTurn(pace);
  if (asksForMessage(request)) return suggestionTurn(request, pace);
  if (asksForReview(request)) return reviewTurn(request, tools);
  const mark = turnMark(request);
  const calls = tourCalls(request.entries);
  // A message that is put into a running tour does not change what the turn is.
  if (calls.some((call) => call.turnMark === mark)) return tour(request, tools);
  switch (keyword(request.lastUserText)) {
    case "tour":
      return tour(request, tools);
    case "long":
      return longTurn(pace);
    case "fail":
      return failTurn(pace);
    case null:
      break;
  }
  if (isFirstTurn(request)) return tour(request, tools);
  const last = calls.at(-1);
  if (last && !isFinished(last) && !spokeSince(request, last)) {
    const isUnsaid = ["declined", "unanswered"].includes(fateOf(last.output));
    return afterStoppedTour(request, pace, last.stage === "ask" && isUnsaid);
  }
  return noteTurn(request, pace, mark);
}

/** The word that a message consists of, if it is one that the demo knows. */
function keyword(text: string): "tour" | "long" | "fail" | null {
  const word = text
    .trim()
    .replace(/^[`"'“/]+|[`"'”.!?]+$/g, "")
    .toLowerCase();
  return word === "tour" || word === "long" || word === "fail" ? word : null;
}

function isFirstTurn(request: ModelRequest): boolean {
  return !request.entries.some((entry) => entry.type === "assistant" || entry.type === "call");
}

function isFinished(last: TourCall): boolean {
  return last.stage === "wrap" || last.stage === "instead";
}

/** Whether the model has said anything after the turn in which the tour was stopped. */
function spokeSince(request: ModelRequest, last: TourCall): boolean {
  const at = request.entries.findLastIndex(
    (entry) => entry.type === "call" && entry.callId.includes(`-${last.stage}-${last.turnMark}-`),
  );
  return request.entries.slice(at + 1).some((entry) => entry.type === "assistant");
}
