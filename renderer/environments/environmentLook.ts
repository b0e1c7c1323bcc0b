// What the window says of environments: one home for the words, so that the list, the head, the sidebar and the palette
// agree. Pure.

import { type EnvironmentView, isReplaced, type RegistryView } from "../../preload/contract/environments";
import type { FaultView } from "../../preload/contract/fault";
import type { DotTone } from "../ui/StatusDot";
import { fixedTokenName } from "./form/draft";

export interface EnvironmentLook {
  tone: DotTone;
  words: string;
}

/** "connected · 3 ms", "reconnecting, attempt 2", "not connected", "was replaced", "failed"; for a local one also of its exec-server. */
export function environmentLook(environment: EnvironmentView): EnvironmentLook {
  const { connection, refreshing, server } = environment;
  if (refreshing) return { tone: "busy", words: "refreshing" };
  if (server !== null && server.state !== "running") return serverLook(server);
  switch (connection.state) {
    case "not connected":
      if (isReplaced(connection)) return { tone: "hollow", words: "was replaced" };
      if (connection.fault !== null) return { tone: "bad", words: "failed" };
      return server === null ? { tone: "hollow", words: "not connected" } : { tone: "ok", words: "running" };
    case "connecting":
      return { tone: "busy", words: "connecting" };
    case "connected":
      return connectedLook(environment, server === null ? "connected" : "running");
    case "reconnecting":
      return { tone: "warn", words: `reconnecting, attempt ${connection.attempt}` };
    default:
      return connection satisfies never;
  }
}

function serverLook({ state, fault }: NonNullable<EnvironmentView["server"]>): EnvironmentLook {
  switch (state) {
    case "stopped":
      return fault === null ? { tone: "hollow", words: "stopped" } : { tone: "bad", words: "failed" };
    case "starting":
      return { tone: "busy", words: "starting" };
    case "ending":
      return { tone: "busy", words: "stopping" };
    case "running":
      return { tone: "ok", words: "running" };
    default:
      return state satisfies never;
  }
}

function connectedLook(environment: EnvironmentView, word: string): EnvironmentLook {
  const check = currentCheck(environment);
  if (check === null) return { tone: "ok", words: word };
  if (check.fault !== null) return { tone: "warn", words: `${word}, does not answer` };
  return {
    tone: "ok",
    words: check.latencyMs === null ? word : `${word} · ${latencyWords(check.latencyMs)}`,
  };
}

/** There is an executor that it goes on with, also while the connection to it is made anew. */
export function isConnected({ connection }: EnvironmentView): boolean {
  return connection.state === "connected" || connection.state === "reconnecting";
}

/** The last check, if it was of this very connection. */
export function currentCheck({ connection, check }: EnvironmentView): EnvironmentView["check"] {
  return connection.state === "connected" && check !== null && check.atMs >= connection.sinceMs
    ? check
    : null;
}

/** "under 1 ms", "3 ms", "1.2 s". */
export function latencyWords(latencyMs: number): string {
  if (latencyMs < 1) return "under 1 ms";
  if (latencyMs < 1000) return `${Math.round(latencyMs)} ms`;
  return `${(latencyMs / 1000).toFixed(1)} s`;
}

/** Where it is found, briefly: an address, a file, a command, or this machine. */
export function whereWords(registry: RegistryView): string {
  switch (registry.kind) {
    case "local":
      return "on this machine";
    case "fixed":
      return registry.url;
    case "file":
      return `file ${registry.path}`;
    case "command":
      return `command ${[registry.command, ...registry.args].map(shownArgument).join(" ")}`;
    default:
      return registry satisfies never;
  }
}

/** As one would tell it apart when reading it; nobody runs this. */
function shownArgument(argument: string): string {
  return argument === "" || /[\s"']/.test(argument) ? JSON.stringify(argument) : argument;
}

/** Why it cannot be used at the moment, as far as anyone has tried. */
export function currentFault(environment: EnvironmentView): FaultView | null {
  const { connection, server } = environment;
  if (server !== null && server.state !== "running" && server.fault !== null) return server.fault;
  if (connection.state === "not connected" || connection.state === "reconnecting") return connection.fault;
  return currentCheck(environment)?.fault ?? null;
}

/** The one that the page shows: the one that was chosen, or else the first. */
export function shownOf(
  environments: readonly EnvironmentView[],
  chosen: string | null,
): EnvironmentView | undefined {
  return environments.find(({ environmentId }) => environmentId === chosen) ?? environments[0];
}

/** Nothing can run there now, although somebody has tried. */
function isDown(environment: EnvironmentView): boolean {
  const { connection } = environment;
  return (
    connection.state === "not connected" && !isReplaced(connection) && currentFault(environment) !== null
  );
}

/** What the sidebar says: what is in the way of a thread comes first, then how many are connected. */
export function sidebarLook(
  environments: readonly EnvironmentView[],
  usedByThreads: ReadonlySet<string>,
): EnvironmentLook | null {
  const used = environments.filter(({ environmentId }) => usedByThreads.has(environmentId));
  const down = used.filter(isDown).length;
  if (down > 0) return { tone: "bad", words: `${down} disconnected` };
  const recovering = used.filter(({ connection }) => connection.state === "reconnecting").length;
  if (recovering > 0) return { tone: "warn", words: `${recovering} reconnecting` };
  const connected = environments.filter(({ connection }) => connection.state === "connected").length;
  return connected > 0 ? { tone: "idle", words: `${connected} connected` } : null;
}

export const keptWords: Record<EnvironmentView["tokens"][number]["kept"], string> = {
  "key store": "in this machine's key store",
  "this run": "until Holdfast ends: this machine has no key store",
  unreadable: "cannot be read any more, set it again",
};

/** One for an address has no name to speak of. */
export function tokenWords(name: string): string {
  return name === fixedTokenName ? "the token" : `the token “${name}”`;
}

/** What a check does. */
export function checkWords({ server }: EnvironmentView): string {
  return server !== null && server.state === "stopped"
    ? "Starts its exec-server, connects to it and asks whether it answers."
    : "Asks whether it answers, and connects first if there is no connection.";
}

export const refreshWords =
  "For after a replacement: asks anew where it is, and goes over to what is named there.";

export const systemWords: Record<string, string> = {
  linux: "Linux",
  macos: "macOS",
  darwin: "macOS",
  windows: "Windows",
  win32: "Windows",
};

/** A point in time as a person needs it: the time of day, and the day when it is not today. */
export function whenWords(ms: number, nowMs: number, locale?: string): string {
  const then = new Date(ms);
  const time = then.toLocaleTimeString(locale, { hour: "2-digit", minute: "2-digit", second: "2-digit" });
  if (then.toDateString() === new Date(nowMs).toDateString()) return time;
  return `${then.toLocaleDateString(locale, { day: "numeric", month: "short" })}, ${time}`;
}
