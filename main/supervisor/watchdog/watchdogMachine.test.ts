import { describe, expect, test } from "vitest";
import {
  type Answer,
  askPauseMs,
  decide,
  homeLookMs,
  looksForGone,
  mostUnanswered,
  newWatch,
  stdioGraceMs,
  type Watch,
  type WatchEffect,
  type WatchEvent,
} from "./watchdogMachine";
import { type OwnedServer, readMessage, type ServerChannel, writeMessage } from "./watchdogMessages";

const unattendedMs = 600_000;
const pauseMs = askPauseMs(unattendedMs);

function server(handleId = "h", channel: ServerChannel = { kind: "socket", path: "/s" }): OwnedServer {
  return { kind: "app-server", handleId, pid: 10, startTime: "boot/1", channel };
}

function execServer(handleId = "x"): OwnedServer {
  return { ...server(handleId, { kind: "loopback", tokenFile: "/t", port: 4711 }), kind: "exec-server" };
}

const own = (one = server()): WatchEvent => ({ type: "own", server: one });
const ownerGone: WatchEvent = { type: "owner gone" };
const keepNothing: WatchEvent = { type: "keep nothing" };
const due = (handleId = "h"): WatchEvent => ({ type: "due", handleId });
const stirred: WatchEvent = { type: "stirred", handleId: "h" };
const answered = (answer: Answer, atMs = 0, handleId = "h"): WatchEvent => ({
  type: "answered",
  handleId,
  answer,
  atMs,
});
const endTried = (succeeded: boolean, handleId = "h"): WatchEvent => ({
  type: "end tried",
  handleId,
  succeeded,
});

const asked: WatchEffect = { type: "ask", server: server() };
const ended: WatchEffect = { type: "end", server: server() };
const waits = (delayMs: number, handleId = "h"): WatchEffect => ({ type: "wait", handleId, delayMs });

const lookedFor = (isGone: boolean): WatchEvent => ({ type: "home looked for", isGone });
const looks = (delayMs: number): WatchEffect => ({ type: "look for home", delayMs });

/** What the last event led to, besides the first look for the home. */
function history(...events: WatchEvent[]): { watch: Watch; effects: WatchEffect[] } {
  let watch = newWatch();
  let effects: WatchEffect[] = [];
  for (const event of events) [watch, effects] = decide(watch, event);
  return { watch, effects: effects.filter(({ type }) => type !== "look for home") };
}

/** The server is asked every `everyMs` and answers like this; says at which answer it was ended, from 1; null: never. */
function endedAt(answers: readonly Answer[], everyMs = pauseMs): number | null {
  let { watch, effects } = history(own(), ownerGone);
  for (const [index, answer] of answers.entries()) {
    [watch, effects] = decide(watch, answered(answer, index * everyMs));
    if (effects[0]?.type === "end") return index + 1;
    expect(effects).toEqual([waits(pauseMs)]);
    [watch, effects] = decide(watch, due());
    expect(effects).toEqual([asked]);
  }
  return null;
}

const idle = (count: number): Answer[] => Array(count).fill("idle");

describe("while Holdfast lives", () => {
  test("nothing is done", () => {
    const { effects } = history(
      own(),
      own(server("i")),
      { type: "unattended", ms: 5 },
      answered("idle"),
      due(),
    );
    expect(effects).toEqual([]);
  });

  test("a server that was told twice counts once, with the later facts", () => {
    const later = { ...server(), pid: 11 };
    expect(history(own(), own(later), ownerGone).effects).toEqual([{ type: "ask", server: later }]);
  });
});

describe("when Holdfast has gone", () => {
  test("and owned nothing, the watchdog ends", () => {
    expect(history(ownerGone).effects).toEqual([{ type: "exit" }]);
    expect(history(own(), { type: "disown", handleId: "h" }, ownerGone).effects).toEqual([{ type: "exit" }]);
  });

  test("each server is asked at once", () => {
    const { effects } = history(own(), own(server("i")), ownerGone);
    expect(effects).toEqual([asked, { type: "ask", server: server("i") }]);
  });

  test("a server that is idle all the time is ended when the time is over, not before", () => {
    expect(endedAt(idle(40))).toBeNull();
    expect(endedAt(idle(41))).toBe(41);
  });

  test("no time at all: a server is ended when it was found idle twice, since a turn may just begin", () => {
    const told: WatchEvent = { type: "unattended", ms: 0 };
    const first = history(own(), told, ownerGone, answered("idle"));
    expect(first.effects).toEqual([waits(200)]);
    const again = decide(first.watch, due())[0];
    expect(decide(again, answered("idle", 200))[1]).toEqual([ended]);
    expect(decide(again, answered("busy", 200))[1]).toEqual([waits(200)]);
    expect(decide(decide(again, stirred)[0], answered("idle", 200))[1]).toEqual([waits(200)]);
  });

  test("a running turn is not ended, and afterwards the time begins anew", () => {
    expect(endedAt(Array(500).fill("busy"))).toBeNull();
    expect(endedAt([...idle(40), "busy", ...idle(40)])).toBeNull();
    expect(endedAt([...idle(40), "busy", ...idle(41)])).toBe(82);
  });

  test("a turn between two questions begins the time anew", () => {
    let { watch } = history(own(), ownerGone);
    let effects: WatchEffect[] = [];
    for (let count = 0; count < 40; count++) {
      [watch] = decide(watch, answered("idle", count * pauseMs));
      if (count === 39) [watch] = decide(watch, stirred);
      [watch] = decide(watch, due());
    }
    [watch, effects] = decide(watch, answered("idle", 40 * pauseMs));
    expect(effects).toEqual([waits(pauseMs)]);
  });

  test("time in which nobody watched does not count: the machine slept, or its clock was set", () => {
    const { watch } = history(own(), ownerGone, answered("idle", 0), due());
    expect(decide(watch, answered("idle", 8 * 3_600_000))[1]).toEqual([waits(pauseMs)]);
    expect(decide(watch, answered("idle", -8 * 3_600_000))[1]).toEqual([waits(pauseMs)]);
  });

  test("a server that never answers counts as idle from the third question on", () => {
    expect(endedAt(Array(40 + mostUnanswered - 1).fill("none"))).toBeNull();
    expect(endedAt(Array(40 + mostUnanswered).fill("none"))).toBe(40 + mostUnanswered);
  });

  test("one question without an answer makes nothing idle and nothing busy", () => {
    expect(endedAt(["busy", "none", "none", "busy"])).toBeNull();
    expect(endedAt([...idle(20), "none", ...idle(20)])).toBe(41);
  });

  test("a dead server: what it left behind is ended, once, and the watchdog ends too", () => {
    const { watch, effects } = history(own(), ownerGone, answered("dead"));
    expect(effects).toEqual([ended]);
    expect(decide(watch, endTried(true))[1]).toEqual([{ type: "exit" }]);
  });

  test("the watchdog stays as long as one server is left", () => {
    const { effects } = history(own(), own(server("i")), ownerGone, answered("dead"), endTried(true));
    expect(effects).toEqual([]);
  });

  test("a server on stdio is ended after a moment, without being asked, whatever the time is", () => {
    const onStdio = server("h", { kind: "stdio" });
    expect(history(own(onStdio), ownerGone).effects).toEqual([waits(stdioGraceMs)]);
    expect(history(own(onStdio), ownerGone, due()).effects).toEqual([{ type: "end", server: onStdio }]);
  });

  test("an ending that fails is tried again, ever more slowly, and for ever", () => {
    let { watch } = history(own(), ownerGone, answered("dead"));
    const delays: number[] = [];
    for (let count = 0; count < 2_000; count++) {
      let effects: WatchEffect[];
      [watch, effects] = decide(watch, endTried(false));
      for (const effect of effects) if (effect.type === "wait") delays.push(effect.delayMs);
      [watch, effects] = decide(watch, due());
      expect(effects).toEqual([ended]);
    }
    expect(delays.slice(0, 4)).toEqual([1_000, 2_000, 4_000, 8_000]);
    expect(delays.length).toBe(2_000);
    expect(delays.at(-1)).toBe(300_000);
  });

  test("while it is being ended it is not asked, and what it says changes nothing", () => {
    const { watch } = history(own(), ownerGone, answered("dead"));
    for (const event of [answered("busy"), stirred, due()]) expect(decide(watch, event)).toEqual([watch, []]);
  });

  test("nothing that Holdfast could say afterwards counts", () => {
    const { watch } = history(own(), ownerGone);
    for (const event of [own(server("i")), ownerGone]) expect(decide(watch, event)).toEqual([watch, []]);
    expect(decide(watch, { type: "disown", handleId: "h" })).toEqual([watch, []]);
    expect(decide(watch, { type: "unattended", ms: 0 })).toEqual([watch, []]);
    expect(decide(watch, keepNothing)).toEqual([watch, []]);
  });

  test("that was about to end all: a server is ended without being asked, one on stdio has its moment", () => {
    const onStdio = server("i", { kind: "stdio" });
    const { effects } = history(own(), own(onStdio), own(execServer()), keepNothing, ownerGone);
    expect(effects).toEqual([ended, waits(stdioGraceMs, "i"), { type: "end", server: execServer() }]);
  });

  test("an event of a server that is not watched is ignored", () => {
    const { watch } = history(own(), ownerGone);
    expect(decide(watch, answered("dead", 0, "other"))).toEqual([watch, []]);
  });
});

describe("the home", () => {
  const all = () => decide(history(own(), own(execServer()), own(server("i"))).watch, ownerGone);

  test("is looked for as long as something is watched", () => {
    let [watch, effects] = all();
    expect(effects.at(-1)).toEqual(looks(0));
    for (const isGone of [false, true, true, false, true, true]) {
      [watch, effects] = decide(watch, lookedFor(isGone));
      expect(effects).toEqual([looks(homeLookMs)]);
    }
  });

  test("that has gone: all that is watched is ended, whatever it does, and is not asked any more", () => {
    let [watch, effects] = all();
    [watch] = decide(watch, answered("busy"));
    for (let look = 0; look < looksForGone; look++) [watch, effects] = decide(watch, lookedFor(true));
    const ends = (one: OwnedServer) => ({ type: "end", server: one });
    expect(effects).toEqual([ends(server()), ends(execServer()), ends(server("i"))]);
    for (const event of [due(), answered("busy", 0, "i"), lookedFor(false), lookedFor(true)])
      expect(decide(watch, event)).toEqual([watch, []]);
    for (const handleId of ["h", "x"]) [watch, effects] = decide(watch, endTried(true, handleId));
    expect(effects).toEqual([]);
    expect(decide(watch, endTried(true, "i"))[1]).toEqual([{ type: "exit" }]);
  });

  test("that has gone: what cannot be ended is given up at last", () => {
    let { watch } = history(own(), ownerGone);
    for (let look = 0; look < looksForGone; look++) [watch] = decide(watch, lookedFor(true));
    let waitedMs = 0;
    for (;;) {
      const [next, effects] = decide(watch, endTried(false));
      if (effects[0]?.type === "exit") break;
      if (effects[0]?.type === "wait") waitedMs += effects[0].delayMs;
      [watch] = decide(next, due());
    }
    expect(waitedMs).toBe(127_000);
  });
});

describe("an exec-server without an owner", () => {
  const ending: WatchEffect = { type: "end", server: execServer() };

  test("stays for an app-server, without being asked, and goes when that has gone", () => {
    const { watch, effects } = history(own(execServer()), own(), ownerGone);
    expect(effects).toEqual([asked]);
    const busy = decide(watch, answered("busy"))[0];
    for (const event of [due("x"), answered("idle", 0, "x"), { ...stirred, handleId: "x" }]) {
      expect(decide(busy, event)).toEqual([busy, []]);
    }
    const [dead, deadEffects] = decide(watch, answered("dead"));
    expect(deadEffects, "what is left of the other is ended first").toEqual([ended]);
    const [alone, aloneEffects] = decide(dead, endTried(true));
    expect(aloneEffects).toEqual([ending]);
    expect(decide(alone, endTried(true, "x"))[1]).toEqual([{ type: "exit" }]);
  });

  test("stays until the last of several has gone, one on stdio among them", () => {
    const onStdio = server("i", { kind: "stdio" });
    const { watch } = history(own(), own(onStdio), own(execServer()), own(execServer("y")), ownerGone);
    const idle = decide(watch, answered("dead"))[0];
    const [one, oneEffects] = decide(idle, endTried(true));
    expect(oneEffects).toEqual([]);
    const [none, noEffects] = decide(one, due("i"));
    expect(noEffects).toEqual([{ type: "end", server: onStdio }]);
    expect(decide(none, endTried(true, "i"))[1]).toEqual([ending, { type: "end", server: execServer("y") }]);
  });

  test("does not wait for an app-server that cannot be ended", () => {
    const { watch } = history(own(), own(execServer()), ownerGone, answered("dead"));
    expect(decide(watch, endTried(false))[1]).toEqual([waits(1_000), ending]);
  });

  test("goes after the unattended time when there is no app-server", () => {
    const { watch, effects } = history(own(execServer()), ownerGone);
    expect(effects).toEqual([waits(unattendedMs, "x")]);
    expect(decide(watch, due("x"))[1]).toEqual([ending]);
    const told: WatchEvent = { type: "unattended", ms: 0 };
    expect(history(own(execServer()), told, ownerGone).effects, "nothing is to stay").toEqual([
      waits(200, "x"),
    ]);
    const disowned: WatchEvent = { type: "disown", handleId: "h" };
    expect(history(own(), own(execServer()), disowned, ownerGone).effects).toEqual([
      waits(unattendedMs, "x"),
    ]);
  });

  test("that does not end is tried again", () => {
    const { watch } = history(own(execServer()), ownerGone, due("x"));
    const [waiting, effects] = decide(watch, endTried(false, "x"));
    expect(effects).toEqual([waits(1_000, "x")]);
    expect(decide(waiting, due("x"))[1]).toEqual([ending]);
  });
});

test("a server is asked often enough for the time that it has, and not too often", () => {
  expect([0, 500, 2_000, 60_000, 24 * 3_600_000].map(askPauseMs)).toEqual([200, 200, 500, 15_000, 15_000]);
});

describe("a message", () => {
  test("is read as it was written", () => {
    const loopback: ServerChannel = { kind: "loopback", tokenFile: "/t", port: null };
    for (const message of [
      { type: "own", server: server("h", loopback) },
      { type: "own", server: execServer() },
      { type: "disown", handleId: "h" },
      { type: "unattended", ms: 1.5 },
    ] as const) {
      expect(writeMessage(message).endsWith("}\n")).toBe(true);
      expect(readMessage(writeMessage(message))).toEqual(message);
    }
  });

  test("that is cut, or that would name a process wrongly, is none", () => {
    expect(readMessage('{"type":"disown","hand')).toBeNull();
    expect(readMessage('{"type":"unattended","ms":-1}')).toBeNull();
    for (const pid of [-1, 0, 1, 1.5, "10"]) {
      expect(readMessage(JSON.stringify({ type: "own", server: { ...server(), pid } }))).toBeNull();
    }
    expect(readMessage(JSON.stringify({ type: "own", server: { ...server(), handleId: "" } }))).toBeNull();
  });
});
