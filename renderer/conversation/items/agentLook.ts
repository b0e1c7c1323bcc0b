import type { DotTone } from "../../ui/StatusDot";

/** The dot for an agent's state, whose words are codex's own; one that is not known has a plain dot. */
export function agentLook(state: string): DotTone {
  const word = state.toLowerCase();
  if (/running|started|pending|working|active/.test(word)) return "busy";
  if (/complete|answered|finished|done/.test(word)) return "ok";
  if (/fail|error/.test(word)) return "bad";
  if (/wait|approval/.test(word)) return "warn";
  return /interrupt|shutdown|closed|stopped|not ?found/.test(word) ? "hollow" : "idle";
}
