#!/usr/bin/env node
// A stand-in for the codex binary, for what the real one cannot be made to do: unknown items and requests, lost events, late
// and wrong answers, sudden death. It knows `--version` and `app-server`, over stdio and over a WebSocket on a unix socket.
// What it does beside the plain conversation is decided by a scenario (see scenario.ts). `conformance.test.ts` holds it
// against the real binary.

import { startFake } from "./fake.mjs";
import { openJournal } from "./journal.mjs";
import { loadScenario } from "./loadScenario.mjs";

const [command, ...rest] = process.argv.slice(2);
const scenario = await loadScenario(process.env);

if (command === "--version" || command === "-V") {
  process.stdout.write(`codex-cli ${scenario.version}\n`);
} else if (command === "app-server") {
  const at = rest.indexOf("--listen");
  const address = at < 0 ? "stdio://" : (rest[at + 1] ?? "");
  await startFake({ address, args: rest, scenario, journal: openJournal(process.env) });
} else {
  process.stderr.write(`error: the fake codex does not know ${JSON.stringify(command ?? "")}\n`);
  process.exitCode = 2;
}
