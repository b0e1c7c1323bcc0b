// For tests, run as a process of its own, which can be killed: `node testOwner.cjs LEDGER SCRIPT LOGS UNATTENDED_MS`. It owns
// the servers that it is told of on its input, one a line, until it is told {disown}, as Holdfast's main process would, and says when it has told
// the watchdog. A line "close" closes the watchdog, and "keep nothing" tells it so.

import { createInterface } from "node:readline";
import { systemClock } from "../../clock";
import { openLedger } from "../../ledger/openLedger";
import { silentLog } from "../../log";
import { markHome } from "../homeMark";
import { Watchdog } from "./watchdog";

const [path = "", script = "", logs = "", unattendedMs = ""] = process.argv.slice(2);

async function run(): Promise<void> {
  const { ledger } = openLedger({ path, clock: systemClock, log: silentLog });
  const watchdog = new Watchdog({
    owner: logs,
    home: markHome(logs, path, silentLog),
    script,
    handles: ledger.handles,
    logs,
    clock: systemClock,
    log: silentLog,
    environment: process.env,
    unattendedMs: Number(unattendedMs),
  });
  const input = createInterface({ input: process.stdin });
  for await (const line of input) {
    if (line === "close") {
      await watchdog.close();
      break;
    }
    if (line === "keep nothing") {
      watchdog.keepNothing();
      process.stdout.write("told\n");
      continue;
    }
    const told = JSON.parse(line);
    if ("disown" in told) watchdog.disown(told.disown);
    else watchdog.own(told);
    process.stdout.write("told\n");
  }
  input.close();
  ledger.close();
}

void run();
