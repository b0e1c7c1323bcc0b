// Before and after all end-to-end tests. When they are over, nothing that carries a handle's marker may be left of this run:
// each test proves it of its own Holdfast, and this proves it of them all, whatever a test forgot.

import { randomUUID } from "node:crypto";
import { expect } from "@playwright/test";
import { describeProcess, endProcesses, markedOfRun } from "./processes";

export default function beginSuite(): () => Promise<void> {
  // `npm test` names its run; a run of Playwright alone names itself. The tests' processes inherit it.
  process.env.HOLDFAST_TEST_RUN ??= randomUUID();
  const run = process.env.HOLDFAST_TEST_RUN;
  return async () => {
    try {
      await expect
        .poll(async () => (await markedOfRun(run)).map(describeProcess), {
          message: "processes that carry the marker of a handle, after all tests",
          timeout: 30_000,
        })
        .toEqual([]);
    } finally {
      endProcesses(await markedOfRun(run));
    }
  };
}
