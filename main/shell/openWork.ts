import type { OpenWork } from "./lifecycle";

/** What is open, in words: a line for each kind of work that there is. */
export function describeWork(work: OpenWork): string {
  const named = (threads: string[]) => {
    const some = threads
      .slice(0, 4)
      .map((title) => `“${title.length > 60 ? `${title.slice(0, 59)}…` : title}”`);
    const more = threads.length - some.length;
    return more > 0 ? `${some.join(", ")} and ${more} more` : some.join(", ");
  };
  const lines: string[] = [];
  if (work.running.length > 0) lines.push(`Running: ${named(work.running)}.`);
  if (work.waiting.length > 0) lines.push(`Waiting for you: ${named(work.waiting)}.`);
  if (work.queued.length > 0) lines.push(`With queued messages: ${named(work.queued)}.`);
  if (!work.canKeep) lines.push("None of it can go on without Holdfast.");
  if (work.canKeep && work.endsWithApp.length > 0)
    lines.push(`Ends with Holdfast: ${named(work.endsWithApp)}.`);
  return lines.join("\n");
}
