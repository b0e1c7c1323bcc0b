// What is said of limits and usage. What is not known is said as that, and never as zero. Pure.

import type { LimitsView, LimitWindow } from "../../preload/contract/codexPage";
import type { FaultView } from "../../preload/contract/fault";

const dayMs = 24 * 60 * 60_000;

/** "weekly limit", "5-hour limit". */
export function windowName(minutes: number | null, rank: "primary" | "secondary"): string {
  if (minutes === null) return rank === "primary" ? "limit" : "longer limit";
  const days = minutes / (24 * 60);
  if (days === 7) return "weekly limit";
  if (days === 1) return "daily limit";
  if (days >= 28 && days <= 31) return "monthly limit";
  if (days > 1 && Number.isInteger(days)) return `${days}-day limit`;
  if (minutes % 60 === 0) return `${minutes / 60}-hour limit`;
  return `${minutes}-minute limit`;
}

/** Whole percent. What is barely used is not "0 %", and what is not used up is not "100 %". */
export function percentWords(usedPercent: number): string {
  const percent = Math.max(0, usedPercent);
  if (percent > 0 && percent < 1) return "under 1 %";
  return `${percent < 100 ? Math.min(99, Math.round(percent)) : Math.round(percent)} %`;
}

/** When it begins anew: "resets 09:00", "resets Tue 09:00", "resets 12 Mar". Null: not known. */
export function resetWords(resetsAtMs: number | null, nowMs: number, locale?: string): string | null {
  if (resetsAtMs === null) return null;
  const at = new Date(resetsAtMs);
  const time = at.toLocaleTimeString(locale, { hour: "2-digit", minute: "2-digit", hour12: false });
  if (resetsAtMs <= nowMs) return "begins anew with the next use";
  const days = Math.round((startOfDay(resetsAtMs) - startOfDay(nowMs)) / dayMs);
  if (days === 0) return `resets ${time}`;
  if (days < 7) return `resets ${at.toLocaleDateString(locale, { weekday: "short" })} ${time}`;
  return `resets ${at.toLocaleDateString(locale, { day: "numeric", month: "short" })} ${time}`;
}

/** How long that is: "in 3 h 12 min", "in 2 d 4 h". */
export function inWords(thenMs: number, nowMs: number): string {
  const minutes = Math.max(0, Math.ceil((thenMs - nowMs) / 60_000));
  if (minutes === 0) return "now";
  if (minutes < 60) return `in ${minutes} min`;
  const hours = Math.floor(minutes / 60);
  if (hours < 24) return minutes % 60 === 0 ? `in ${hours} h` : `in ${hours} h ${minutes % 60} min`;
  const days = Math.floor(hours / 24);
  return hours % 24 === 0 ? `in ${days} d` : `in ${days} d ${hours % 24} h`;
}

function startOfDay(ms: number): number {
  return new Date(ms).setHours(0, 0, 0, 0);
}

export type LimitLevel = "calm" | "high" | "full";

export function levelOf(usedPercent: number): LimitLevel {
  return usedPercent >= 100 ? "full" : usedPercent >= 80 ? "high" : "calm";
}

export interface NamedWindow extends LimitWindow {
  name: string;
}

/** A window whose time has come says nothing about now any more. */
export function currentWindows(
  limits: Pick<LimitsView, "primary" | "secondary">,
  nowMs: number,
): NamedWindow[] {
  return (["primary", "secondary"] as const).flatMap((rank) => {
    const window = limits[rank];
    if (window === null || (window.resetsAtMs !== null && window.resetsAtMs <= nowMs)) return [];
    return [{ ...window, name: windowName(window.minutes, rank) }];
  });
}

/** codex does no work for now. What was used up before a window began anew is not used up any more. */
export function isReached(limits: LimitsView, nowMs: number): boolean {
  const current = currentWindows(limits, nowMs);
  if (current.some(({ usedPercent }) => usedPercent >= 100)) return true;
  const isOver = [limits.primary, limits.secondary].some(
    (window) => window?.resetsAtMs != null && window.resetsAtMs <= nowMs && window.usedPercent >= 100,
  );
  return limits.reached === true && !isOver;
}

/** The line for the status bar: of the limit that is nearest to its end. Null: nothing is known. */
export function limitLine(
  limits: LimitsView | null,
  nowMs: number,
  locale?: string,
): { words: string; level: LimitLevel } | null {
  if (limits === null) return null;
  const [nearest] = currentWindows(limits, nowMs).sort((a, b) => b.usedPercent - a.usedPercent);
  if (!nearest) return null;
  const reset = resetWords(nearest.resetsAtMs, nowMs, locale);
  const words = `${nearest.name} ${percentWords(nearest.usedPercent)}`;
  return { words: reset === null ? words : `${words} · ${reset}`, level: levelOf(nearest.usedPercent) };
}

/** codex refuses to say what is used when nobody is signed in; that is no error of anybody's. */
export function isSignedOut(fault: FaultView): boolean {
  return fault.code === "codex_error" && /authentication required|not logged in/i.test(fault.message);
}

export function creditWords(credits: LimitsView["credits"]): string {
  if (credits === null) return "not known";
  if (credits.unlimited) return "unlimited";
  if (!credits.has) return "none";
  return credits.balance ?? "there are some";
}
