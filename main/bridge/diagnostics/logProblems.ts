// The last warnings and errors of Holdfast's own log, whose lines are JSON. What cannot be read is passed over: the log may
// have been cut off in the middle of a line, and anybody may have written into it. Pure.

import { recordOf, stringOrNull } from "../../threads/loose";
import type { LogProblem } from "./rawDiagnostics";

const mostProblems = 100;
const longestText = 4_000;

/** The newest first. `more`: how many there are before those. */
export function logProblems(text: string): { problems: LogProblem[]; more: number } {
  const problems: LogProblem[] = [];
  let more = 0;
  for (const line of text.split("\n").reverse()) {
    const problem = problemIn(line);
    if (problem === null) continue;
    if (problems.length < mostProblems) problems.push(problem);
    else more += 1;
  }
  return { problems, more };
}

function problemIn(line: string): LogProblem | null {
  // Most lines are neither, and need not be read.
  if (!line.includes('"warn"') && !line.includes('"error"')) return null;
  const { at, level, message, facts } = recordOf(parsed(line));
  if (level !== "warn" && level !== "error") return null;
  const words = stringOrNull(message) ?? "";
  const more = facts === undefined ? "" : `\n${JSON.stringify(facts, null, 2)}`;
  return { at: stringOrNull(at) ?? "", level, text: `${words}${more}`.slice(0, longestText) };
}

function parsed(line: string): unknown {
  try {
    return JSON.parse(line);
  } catch {
    return null;
  }
}
