// The watchdog: a small process of its own that ends app-servers and exec-servers which nobody owns any more, so that a crash
// of Holdfast leaves no process for good. Main tells it on its input what it owns (watchdogMessages.ts). While that input is
// open it does nothing; when it ends, main has gone, however it went. What then belongs to nobody is watched until nothing is left.
// It never writes the ledger: the next start of Holdfast ends this process first and then settles what it finds.
//
// Races:
// - Main dies in the middle of a line: what there is of it is no message, and is ignored.
// - Main was killed: the end of the input may come as an error (ECONNRESET). Either is the end; the first one counts.
// - Told to end (SIGTERM) in the middle of ending a server: it ends at once, as every process does that says nothing else. The
//   server may be stopped or half ended then; it does not answer, so it is not adopted, and whoever started us ends it.
// Everything is loaded at the start: by the time it is needed, an update may have replaced the files.

import { writeSync } from "node:fs";
import { systemClock } from "../../clock";
import { LineSplitter } from "../../codex/lineSplitter";
import type { Log } from "../../log";
import { endHandleTree } from "../handleTree";
import { type HomeMark, isHomeGone } from "../homeMark";
import { ServerInquiry } from "./serverInquiry";
import { WatchdogLoop } from "./watchdogLoop";
import { readMessage } from "./watchdogMessages";

const clock = systemClock;

function write(level: string, message: string, facts?: Record<string, unknown>): void {
  const line = JSON.stringify({ time: new Date(clock.nowMs()).toISOString(), level, message, ...facts });
  try {
    writeSync(2, `${line}\n`);
  } catch {
    // The disk is full, say: a watchdog that cannot write its log still watches.
  }
}

const log: Log = {
  info: (message, facts) => write("info", message, facts),
  warn: (message, facts) => write("warn", message, facts),
  error: (message, facts) => write("error", message, facts),
};

let home: HomeMark | null = null;

const inquiries = new Map<string, ServerInquiry>();

const loop = new WatchdogLoop({
  clock,
  log,
  ask(server) {
    const { handleId } = server;
    const onStirred = () => loop.handle({ type: "stirred", handleId });
    const inquiry = inquiries.get(handleId) ?? new ServerInquiry(server, { clock, log, onStirred });
    inquiries.set(handleId, inquiry);
    return inquiry.ask();
  },
  end({ handleId, pid, startTime }) {
    const inquiry = inquiries.get(handleId);
    inquiries.delete(handleId);
    return endHandleTree({ handleId, leader: { pid, startTime } }, clock, () => inquiry?.close());
  },
  isHomeGone: async () => home !== null && (await isHomeGone(home)),
  exit: () => process.exit(0),
});

const input = new LineSplitter({
  onLine(line) {
    const message = readMessage(line);
    if (message === null) {
      log.warn("a message was not understood", { characters: line.length });
      return;
    }
    if (message.type === "home") home = message.home;
    else loop.handle(message);
  },
  onOversizedLine: (bytes) => log.error("a message was too long", { bytes }),
});

let ended = false;
function ownerGone(): void {
  if (ended) return;
  ended = true;
  input.end();
  loop.handle({ type: "owner gone" });
}

process.stdin.on("data", (chunk: Buffer) => input.push(chunk));
process.stdin.on("end", ownerGone);
process.stdin.on("close", ownerGone);
process.stdin.on("error", ownerGone);
