// For tests, run as a process of its own: `node testWriter.cjs PATH TASK`. Opens the ledger, does the task, and says so.

import { createInterface } from "node:readline";
import { systemClock } from "../clock";
import { asFault } from "../fault";
import { silentLog } from "../log";
import type { Ledger } from "./ledger";
import { openLedger } from "./openLedger";

const [path = "", task = ""] = process.argv.slice(2);
/** Two that write all the time wait for each other, for as long as a busy machine makes them. */
const busyTimeoutMs = 60_000;
const settings = { model: null, effort: null, sandbox: null, approvalPolicy: null };

function recordAll(ledger: Ledger): void {
  const workspace = ledger.workspaces.add({ path: "/somewhere", name: "somewhere", parentId: null });
  ledger.drafts.put("thread", "half a thought", []);
  ledger.handles.intend({
    handleId: "handle",
    sessionId: "session",
    workspaceId: workspace.id,
    profileId: "default",
    marker: "mark",
    command: { file: "/bin/codex", args: ["app-server"], workingDirectory: "/" },
    channel: { kind: "stdio" },
    teardown: null,
    logPath: null,
  });
  ledger.cleanups.record({ id: "cleanup", kind: "close", subject: {}, reason: "test" });
  ledger.submissions.record({
    clientId: "client",
    threadKey: "thread",
    threadId: null,
    workspaceId: workspace.id,
    profileId: "default",
    kind: "turn",
    text: "please do it",
    attachments: [],
    settings,
  });
}

function addSettings(ledger: Ledger, name: string): void {
  for (let count = 0; count < 200; count++) ledger.settings.set(`${name}-${count}`, count);
}

async function run(): Promise<void> {
  const input = createInterface({ input: process.stdin });
  const lines = input[Symbol.asyncIterator]();
  try {
    const { ledger } = openLedger({ path, clock: systemClock, log: silentLog, busyTimeoutMs });
    switch (task) {
      case "record":
        recordAll(ledger);
        process.stdout.write("recorded\n");
        // Stays, with the database open, until it is killed.
        await lines.next();
        break;
      case "add":
        process.stdout.write("open\n");
        await lines.next();
        addSettings(ledger, String(process.pid));
        ledger.close();
        process.stdout.write(`${process.pid}\n`);
        break;
      default:
        process.stdout.write("open\n");
        ledger.close();
    }
  } catch (error) {
    const fault = asFault(error);
    process.stdout.write(`${fault.code}: ${fault.message}\n`);
  } finally {
    input.close();
  }
}

void run();
