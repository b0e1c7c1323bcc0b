// Which app-server is asked, when a server is ended, and when the watchdog itself is done. Pure: `watchdogLoop.ts` performs the
// effects (behaviour: When things go away).
//
// Races settled here:
// - A turn begins while the answer "idle" is on its way, or begins and ends between two questions: codex tells every
//   client when a thread becomes active, and that counts more than the answer. Between taking a turn and saying so it
//   needs some 40 ms, so one idle answer is not enough, however short the time is.
// - The machine sleeps, or its clock is set: only time in which the server was watched counts as idle time, so what passed
//   between two questions counts for as much as was meant to pass, not for more.
// - A server does not answer for a moment: that neither counts as idle nor makes what was idle busy. One that does not answer
//   at all must not stay for ever, so from the third time on it counts as idle.
// - An exec-server is no work by itself: it stays for the app-servers, whose threads may have commands in it, and goes when the
//   last of them is done. Without any it stays as long as an idle one would. One app-server that cannot be ended holds it up no
//   longer than until the first attempt has failed.
// - Holdfast's home has gone (removed, moved, another one in its place), or its ledger: nobody can ever come back, whatever a
//   server does, and whatever it waits for. It has to be gone in several looks in a row, as it may only be moved about. Then all
//   is ended; what cannot be ended is given up after some attempts, since there is nobody left to see it.
// - Main was about to end all when it was killed, or ran out of time: nothing is asked, all is ended.
// - Main tells something after its end: it cannot have, so it is ignored. Nobody takes a server back from here; the next
//   start of the app ends this watchdog first.

import type { OwnedServer } from "./watchdogMessages";

export type Watch =
  /** Main lives: there is nothing to do but to remember. */
  | { owner: "here"; unattendedMs: number; keepsNothing: boolean; servers: readonly OwnedServer[] }
  | { owner: "gone"; unattendedMs: number; home: Home; watched: readonly Watched[] };

/** How often in a row it was not there, as long as it might come back. */
type Home = { looksInVain: number } | "gone";

interface Watched {
  server: OwnedServer;
  phase: Phase;
}

/**
 * In each phase exactly one thing is under way that leads out of it: a question, a timer, or an ending; of an exec-server that
 * stays, the end of the last app-server.
 */
export type Phase =
  | { step: "staying" }
  | { step: "asking"; idle: Idle; stirred: boolean }
  | { step: "waiting to ask"; idle: Idle }
  | { step: "ending"; failures: number }
  | { step: "waiting to end"; failures: number };

interface Idle {
  /** Without an interruption. */
  ms: number;
  /** When it was last found idle; null: busy since, or never asked. */
  seenAtMs: number | null;
  /** Questions in a row without an answer. */
  unanswered: number;
}

/** What a server said, or did not say. */
export type Answer =
  /** A turn runs, or waits for a person. */
  | "busy"
  | "idle"
  | "none"
  /** There is no such process any more. */
  | "dead";

export type WatchEvent =
  | { type: "own"; server: OwnedServer }
  | { type: "disown"; handleId: string }
  | { type: "unattended"; ms: number }
  | { type: "keep nothing" }
  | { type: "owner gone" }
  | { type: "home looked for"; isGone: boolean }
  | { type: "answered"; handleId: string; answer: Answer; atMs: number }
  /** A thread of it has become active. */
  | { type: "stirred"; handleId: string }
  | { type: "due"; handleId: string }
  | { type: "end tried"; handleId: string; succeeded: boolean };

export type WatchEffect =
  /** Answered by "answered". */
  | { type: "ask"; server: OwnedServer }
  /** End all that belongs to it. Answered by "end tried". */
  | { type: "end"; server: OwnedServer }
  /** Send "due" after `delayMs`. */
  | { type: "wait"; handleId: string; delayMs: number }
  /** Answered by "home looked for", after `delayMs`. */
  | { type: "look for home"; delayMs: number }
  /** There is nothing left to watch. */
  | { type: "exit" };

export type Decision = [Watch, WatchEffect[]];

export const defaultUnattendedMs = 10 * 60_000;
/** The end of main ends a server on stdio, and that takes it a moment. */
export const stdioGraceMs = 2_000;
export const mostUnanswered = 3;
export const homeLookMs = 5_000;
export const looksForGone = 3;
const mostEndingsWithoutHome = 8;
const longestAskPauseMs = 15_000;
const shortestAskPauseMs = 200;
const firstEndPauseMs = 1_000;
const longestEndPauseMs = 5 * 60_000;

export function newWatch(): Watch {
  return { owner: "here", unattendedMs: defaultUnattendedMs, keepsNothing: false, servers: [] };
}

export function decide(watch: Watch, event: WatchEvent): Decision {
  return watch.owner === "here" ? whileOwned(watch, event) : whileUnattended(watch, event);
}

export function askPauseMs(unattendedMs: number): number {
  return Math.max(shortestAskPauseMs, Math.min(longestAskPauseMs, unattendedMs / 4));
}

function whileOwned(watch: Extract<Watch, { owner: "here" }>, event: WatchEvent): Decision {
  const { unattendedMs, keepsNothing, servers } = watch;
  switch (event.type) {
    case "own":
      return [{ ...watch, servers: [...without(servers, event.server.handleId), event.server] }, []];
    case "disown":
      return [{ ...watch, servers: without(servers, event.handleId) }, []];
    case "unattended":
      return [{ ...watch, unattendedMs: event.ms }, []];
    case "keep nothing":
      return [{ ...watch, keepsNothing: true }, []];
    case "owner gone": {
      const isNeeded = servers.some(({ kind }) => kind === "app-server");
      const begun = servers.map((server) => {
        if (keepsNothing && server.channel.kind !== "stdio") return endNow(server);
        if (server.kind === "exec-server") return beginExecServer(server, isNeeded, unattendedMs);
        return begin(server);
      });
      return settle(
        { owner: "gone", unattendedMs, home: { looksInVain: 0 }, watched: begun.map(([watched]) => watched) },
        [...begun.flatMap(([, effects]) => effects), ...(begun.length > 0 ? [lookForHome(0)] : [])],
      );
    }
    case "home looked for":
    case "answered":
    case "stirred":
    case "due":
    case "end tried":
      // Nothing was asked or begun yet.
      return [watch, []];
    default:
      return event satisfies never;
  }
}

function begin(server: OwnedServer): [Watched, WatchEffect[]] {
  if (server.channel.kind === "stdio") return endAfter(server, stdioGraceMs);
  const idle: Idle = { ms: 0, seenAtMs: null, unanswered: 0 };
  return [{ server, phase: { step: "asking", idle, stirred: false } }, [{ type: "ask", server }]];
}

function beginExecServer(
  server: OwnedServer,
  isNeeded: boolean,
  unattendedMs: number,
): [Watched, WatchEffect[]] {
  if (isNeeded) return [{ server, phase: { step: "staying" } }, []];
  return endAfter(server, Math.max(unattendedMs, shortestAskPauseMs));
}

function endAfter(server: OwnedServer, delayMs: number): [Watched, WatchEffect[]] {
  const { handleId } = server;
  return [{ server, phase: { step: "waiting to end", failures: 0 } }, [{ type: "wait", handleId, delayMs }]];
}

function whileUnattended(watch: Extract<Watch, { owner: "gone" }>, event: WatchEvent): Decision {
  switch (event.type) {
    case "own":
    case "disown":
    case "unattended":
    case "keep nothing":
    case "owner gone":
      return [watch, []];
    case "home looked for":
      return homeLookedFor(watch, event.isGone);
    case "answered":
    case "stirred":
    case "due":
    case "end tried": {
      const { handleId } = event;
      const one = watch.watched.find((other) => other.server.handleId === handleId);
      if (!one) return [watch, []];
      const next = follow(one, event, watch);
      if (next === null) return [watch, []];
      const [phase, effects] = next;
      const watched = watch.watched.flatMap((other) =>
        other !== one ? [other] : phase === null ? [] : [{ server: one.server, phase }],
      );
      return settle({ ...watch, watched }, effects);
    }
    default:
      return event satisfies never;
  }
}

function homeLookedFor(watch: Extract<Watch, { owner: "gone" }>, isGone: boolean): Decision {
  if (watch.home === "gone" || watch.watched.length === 0) return [watch, []];
  const looksInVain = isGone ? watch.home.looksInVain + 1 : 0;
  if (looksInVain < looksForGone) return [{ ...watch, home: { looksInVain } }, [lookForHome(homeLookMs)]];
  const ending = watch.watched.map((one): [Watched, WatchEffect[]] =>
    isBeingEnded(one.phase) ? [one, []] : endNow(one.server),
  );
  return settle(
    { ...watch, home: "gone", watched: ending.map(([one]) => one) },
    ending.flatMap(([, effects]) => effects),
  );
}

/** Whatever it waits for otherwise comes later, and is then ignored. */
function isBeingEnded(phase: Phase): boolean {
  return phase.step === "ending" || (phase.step === "waiting to end" && phase.failures > 0);
}

function lookForHome(delayMs: number): WatchEffect {
  return { type: "look for home", delayMs };
}

function endNow(server: OwnedServer): [Watched, WatchEffect[]] {
  const [phase, effects] = end(server, 0);
  return [{ server, phase }, effects];
}

function settle(watch: Extract<Watch, { owner: "gone" }>, effects: WatchEffect[]): Decision {
  const { watched } = watch;
  if (watched.length === 0) return [watch, [...effects, { type: "exit" }]];
  if (watched.some(mayBeAtWork)) return [watch, effects];
  const released = watched.map(({ server, phase }): [Watched, WatchEffect[]] => {
    return phase.step === "staying" ? endNow(server) : [{ server, phase }, []];
  });
  return [
    { ...watch, watched: released.map(([one]) => one) },
    [...effects, ...released.flatMap(([, more]) => more)],
  ];
}

function mayBeAtWork({ server, phase }: Watched): boolean {
  if (server.kind === "exec-server") return false;
  return phase.step === "ending" || phase.step === "waiting to end" ? phase.failures === 0 : true;
}

type ServerEvent = Extract<WatchEvent, { type: "answered" | "stirred" | "due" | "end tried" }>;

/** The next phase, where null means that nothing is left of the server; or null when the event says nothing new. */
function follow(
  { server, phase }: Watched,
  event: ServerEvent,
  { unattendedMs, home }: Extract<Watch, { owner: "gone" }>,
): [Phase | null, WatchEffect[]] | null {
  const { handleId } = server;
  switch (phase.step) {
    case "staying":
      return null;
    case "asking":
      if (event.type === "stirred") return [{ ...phase, stirred: true }, []];
      if (event.type !== "answered") return null;
      if (event.answer === "dead") return end(server, 0);
      return weigh(server, phase, event.answer, event.atMs, unattendedMs);
    case "waiting to ask":
      if (event.type === "stirred") return [{ ...phase, idle: busy }, []];
      if (event.type !== "due") return null;
      return [{ step: "asking", idle: phase.idle, stirred: false }, [{ type: "ask", server }]];
    case "ending": {
      if (event.type !== "end tried") return null;
      if (event.succeeded) return [null, []];
      const delayMs = Math.min(longestEndPauseMs, firstEndPauseMs * 2 ** phase.failures);
      const failures = phase.failures + 1;
      if (home === "gone" && failures >= mostEndingsWithoutHome) return [null, []];
      return [{ step: "waiting to end", failures }, [{ type: "wait", handleId, delayMs }]];
    }
    case "waiting to end":
      return event.type === "due" ? end(server, phase.failures) : null;
    default:
      return phase satisfies never;
  }
}

const busy: Idle = { ms: 0, seenAtMs: null, unanswered: 0 };

function weigh(
  server: OwnedServer,
  { idle, stirred }: Extract<Phase, { step: "asking" }>,
  answer: Exclude<Answer, "dead">,
  atMs: number,
  unattendedMs: number,
): [Phase, WatchEffect[]] {
  const pauseMs = askPauseMs(unattendedMs);
  const unanswered = answer === "none" ? idle.unanswered + 1 : 0;
  let next: Idle;
  if (stirred || answer === "busy") {
    next = { ...busy, unanswered };
  } else if (answer === "idle" || unanswered >= mostUnanswered) {
    const sinceMs = idle.seenAtMs === null ? 0 : Math.max(0, atMs - idle.seenAtMs);
    // Twice the pause: answers take their time, and timers are late on a busy machine.
    next = { ms: idle.ms + Math.min(sinceMs, 2 * pauseMs), seenAtMs: atMs, unanswered };
    if (next.ms >= Math.max(unattendedMs, shortestAskPauseMs)) return end(server, 0);
  } else {
    next = { ...idle, unanswered };
  }
  const wait: WatchEffect = { type: "wait", handleId: server.handleId, delayMs: pauseMs };
  return [{ step: "waiting to ask", idle: next }, [wait]];
}

function end(server: OwnedServer, failures: number): [Phase, WatchEffect[]] {
  return [{ step: "ending", failures }, [{ type: "end", server }]];
}

function without(servers: readonly OwnedServer[], handleId: string): OwnedServer[] {
  return servers.filter((server) => server.handleId !== handleId);
}
