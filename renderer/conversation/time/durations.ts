// Durations and amounts as a person says them. Units are written out once, here, so that the whole window agrees.

const secondMs = 1000;
const minuteMs = 60 * secondMs;
const hourMs = 60 * minuteMs;
const dayMs = 24 * hourMs;

/** How long something took: "0.2 s", "14 s", "4 min 12 s", "1 h 3 min". */
export function durationWords(durationMs: number): string {
  const ms = Math.max(0, durationMs);
  if (ms < 100) return "under 0.1 s";
  const tenths = Math.round(ms / 100) / 10;
  if (tenths < 10) return `${tenths.toFixed(1)} s`;
  return elapsedWords(Math.round(ms / secondMs) * secondMs);
}

/** When something ended: "after 14 s". */
export function afterWords(durationMs: number): string {
  return durationMs < 100 ? "at once" : `after ${durationWords(durationMs)}`;
}

/** How long something has been going on: whole seconds that only ever count up. */
export function elapsedWords(elapsedMs: number): string {
  const ms = Math.max(0, elapsedMs);
  if (ms < minuteMs) return `${Math.floor(ms / secondMs)} s`;
  if (ms < hourMs) {
    const minutes = Math.floor(ms / minuteMs);
    const seconds = Math.floor((ms % minuteMs) / secondMs);
    return seconds === 0 ? `${minutes} min` : `${minutes} min ${seconds} s`;
  }
  if (ms < dayMs) {
    const hours = Math.floor(ms / hourMs);
    const minutes = Math.floor((ms % hourMs) / minuteMs);
    return minutes === 0 ? `${hours} h` : `${hours} h ${minutes} min`;
  }
  const days = Math.floor(ms / dayMs);
  const hours = Math.floor((ms % dayMs) / hourMs);
  return hours === 0 ? `${days} d` : `${days} d ${hours} h`;
}

/** The time between two instants that may both be missing; null when there is nothing to say. */
export function between(startedAtMs: number | null, completedAtMs: number | null): number | null {
  if (startedAtMs === null || completedAtMs === null) return null;
  return Math.max(0, completedAtMs - startedAtMs);
}

/** "1 file", "3 files". */
export function count(amount: number, one: string, many = `${one}s`): string {
  return `${amount.toLocaleString("en")} ${amount === 1 ? one : many}`;
}

/** Tokens as one reads them beside a meter: "950", "12k", "1.2M". */
export function tokenWords(tokens: number): string {
  if (tokens < 1000) return String(Math.max(0, Math.round(tokens)));
  if (tokens < 9_950) return `${(tokens / 1000).toFixed(1).replace(/\.0$/, "")}k`;
  if (tokens < 999_500) return `${Math.round(tokens / 1000)}k`;
  return `${(tokens / 1_000_000).toFixed(1).replace(/\.0$/, "")}M`;
}

/** Sizes of files: "812 B", "40 KB", "2.1 MB". */
export function byteWords(bytes: number): string {
  if (bytes < 1000) return `${bytes} B`;
  if (bytes < 999_500) return `${Math.round(bytes / 1000)} KB`;
  return `${(bytes / 1_000_000).toFixed(1)} MB`;
}
