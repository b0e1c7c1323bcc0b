import type { OpenWork, WorkChoice } from "./lifecycle";

/**
 * The answer that the person has given in advance; null: ask. What it cannot hold for is asked about: scripts, terminals and
 * commands that were left running would be cut off, and so would threads that cannot go on.
 */
export function answerOnRecord(setting: "ask" | "keep" | "stop", work: OpenWork): WorkChoice | null {
  // These end with Holdfast whatever is answered.
  if (setting === "ask" || kindsIn(work).length > 0) return null;
  if (setting === "stop") return work.commandsToKeep.length > 0 ? null : "stop";
  return work.canKeep && work.endsWithApp.length === 0 ? "keep" : null;
}

export function questionAbout(work: OpenWork): string {
  if (hasThreads(work)) {
    const what = work.canKeep ? "Keep them running without Holdfast?" : "Stop them and quit?";
    return `Agents are still at work. ${what}`;
  }
  const kinds = kindsIn({ ...work, commands: [...work.commands, ...work.commandsToKeep] });
  const [first] = kinds;
  const isOne = kinds.length === 1 && first?.count === 1;
  const names = kinds.map(({ one }) => `${one}s`);
  const last = names.pop();
  const words = names.length === 0 ? `${last}` : `${names.join(", ")} and ${last}`;
  const what = isOne ? `A ${first.one} is` : `${words.charAt(0).toUpperCase()}${words.slice(1)} are`;
  const them = isOne ? "it" : "them";
  if (!work.canKeep) return `${what} still running. Stop ${them} and quit?`;
  // Of several kinds, only one can go on.
  return `${what} still running. Keep ${kinds.length > 1 ? "the commands" : them} running without Holdfast?`;
}

type Kinds = Pick<OpenWork, "scripts" | "terminals" | "commands">;

/** Apart from threads, which are named by themselves. */
function kindsIn({ scripts, terminals, commands }: Kinds): { one: string; count: number }[] {
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
  if (work.commandsToKeep.length > 0) {
    const commands = named(work.commandsToKeep.map(oneLine));
    lines.push(`Commands left running, which can go on ${untilWords(work.keptMinutes)}: ${commands}.`);
  }
  if (hasThreads(work) && !work.canKeep) lines.push("None of it can go on without Holdfast.");
  if (work.canKeep && work.endsWithApp.length > 0)
    lines.push(`Ends with Holdfast: ${named(work.endsWithApp)}.`);
  return lines.join("\n");
}

function untilWords(minutes: number): string {
  if (minutes <= 0) return "as long as an agent is at work beside them";
  const words = minutes < 1 ? `${Math.round(minutes * 60)} seconds` : `${Math.round(minutes)} minutes`;
  return `until no agent has been at work for ${words === "1 minutes" ? "a minute" : words}`;
}

function oneLine(command: string): string {
  return command.trim().replace(/\s+/g, " ");
}

function hasThreads(work: OpenWork): boolean {
  return work.running.length + work.waiting.length + work.queued.length > 0;
}
