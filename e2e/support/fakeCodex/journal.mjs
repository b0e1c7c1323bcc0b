// What the fake writes down for tests: one JSON object a line, in the file named by HOLDFAST_FAKE_LOG. Written synchronously,
// so that nothing is missing when it dies in the next instant.

/** @import { Journal } from "./fakeTypes" */

import { appendFileSync } from "node:fs";

/** @param {NodeJS.ProcessEnv} environment @returns {Journal} */
export function openJournal(environment) {
  const file = environment.HOLDFAST_FAKE_LOG;
  return {
    write(entry) {
      if (file) appendFileSync(file, `${JSON.stringify({ atMs: Date.now(), pid: process.pid, ...entry })}\n`);
    },
  };
}
