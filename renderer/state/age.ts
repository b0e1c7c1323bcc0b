// How long ago something was, as briefly as a list needs it: "now", "9m", "1h", "Tue", "12 Mar", "Mar 2023". Pure.

const minuteMs = 60_000;
const hourMs = 60 * minuteMs;
const dayMs = 24 * hourMs;

function startOfDay(ms: number): number {
  return new Date(ms).setHours(0, 0, 0, 0);
}

export function ageWords(thenMs: number, nowMs: number, locale?: string): string {
  // A clock that was set back must not make a thread come from the future.
  const agoMs = Math.max(0, nowMs - thenMs);
  if (agoMs < minuteMs) return "now";
  if (agoMs < hourMs) return `${Math.floor(agoMs / minuteMs)}m`;
  const days = Math.round((startOfDay(nowMs) - startOfDay(thenMs)) / dayMs);
  if (days === 0 || agoMs < 12 * hourMs) return `${Math.floor(agoMs / hourMs)}h`;
  const then = new Date(thenMs);
  if (days < 7) return then.toLocaleDateString(locale, { weekday: "short" });
  if (then.getFullYear() === new Date(nowMs).getFullYear()) {
    return then.toLocaleDateString(locale, { day: "numeric", month: "short" });
  }
  return then.toLocaleDateString(locale, { month: "short", year: "numeric" });
}

/** The instant in full, for a tooltip. */
export function instantWords(ms: number, locale?: string): string {
  return new Date(ms).toLocaleString(locale, { dateStyle: "medium", timeStyle: "short" });
}
