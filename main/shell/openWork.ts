import type { OpenWork, WorkChoice } from "./lifecycle";

/**
 * The answer that the person has given in advance; null: ask. What it cannot hold for is asked about: scripts, terminals and
 * commands that were left running would be cut off, and so would threads that cannot go on.
 */
export function answerOnRecord(setting: "ask" | "keep" | "stop", work: OpenWork): WorkChoice | null {
  if (setting === "ask" || endingKinds(work).length > 0) return null;
  if (setting === "stop") return "stop";
  return work.canKeep && work.endsWithApp.length === 0 ? "keep" : null;
}

export function questionAbout(work: OpenWork): string {
  if (work.canKeep) return "Agents are still at work. Keep them running without Holdfast?";
  if (hasThreads(work)) return "Agents are still at work. Stop them and quit?";
  const kinds = endingKinds(work);
  const [first] = kinds;
  if (kinds.length === 1 && first?.count === 1) return `A ${first.one} is still running. Stop it and quit?`;
  const names = kinds.map(({ one }) => `${one}s`);
  const last = names.pop();
  const words = names.length === 0 ? `${last}` : `${names.join(", ")} and ${last}`;
  return `${words.charAt(0).toUpperCase()}${words.slice(1)} are still running. Stop them and quit?`;
}

/** What ends with Holdfast whatever is answered, apart from threads. */
function endingKinds({ scripts, terminals, commands }: OpenWork): { one: string; count: number }[] {
  const kinds = [
    { one: "script", count: scripts.length },
    { one: "terminal", count: terminals.length },
    { one: "command", count: commands.length },
  ];
  return kinds.filter(({ count }) => count > 0);
}

/** What is open, in words: a line for each kind of work that there is. */
export function describeWork(work: OpenWork): string {
  const named = (names: string[]) => {
    const some = names
      .slice(0, 4)
      .map((title) => `“${title.length > 60 ? `${title.slice(0, 59)}…` : title}”`);
    const more = names.length - some.length;
    return more > 0 ? `${some.join(", ")} and ${more} more` : some.join(", ");
  };
  const lines: string[] = [];
  if (work.running.length > 0) lines.push(`Running: ${named(work.running)}.`);
  if (work.waiting.length > 0) lines.push(`Waiting for you: ${named(work.waiting)}.`);
  if (work.queued.length > 0) lines.push(`With queued messages: ${named(work.queued)}.`);
  if (work.scripts.length > 0) lines.push(`Scripts, which end with Holdfast: ${named(work.scripts)}.`);
  if (work.terminals.length > 0) {
    lines.push(`In terminals, which end with Holdfast: ${named(work.terminals.map(oneLine))}.`);
  }
  if (work.commands.length > 0) {
    const commands = named(work.commands.map(oneLine));
    lines.push(`Commands left running, which end with Holdfast: ${commands}.`);
  }
  if (work.commandsBesideWork.length > 0) {
    const commands = named(work.commandsBesideWork.map(oneLine));
    lines.push(`Commands left running, which go on only as long as the agents do: ${commands}.`);
  }
  if (hasThreads(work) && !work.canKeep) lines.push("None of it can go on without Holdfast.");
  if (work.canKeep && work.endsWithApp.length > 0)
    lines.push(`Ends with Holdfast: ${named(work.endsWithApp)}.`);
  return lines.join("\n");
}

function oneLine(command: string): string {
  return command.trim().replace(/\s+/g, " ");
}

function hasThreads(work: OpenWork): boolean {
  return work.running.length + work.waiting.length + work.queued.length > 0;
}
