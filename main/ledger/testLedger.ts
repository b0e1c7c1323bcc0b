// For tests: a ledger in a folder of its own, and a clock that stands still.

import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { ManualClock } from "../clock";
import { silentLog } from "../log";
import type { Ledger } from "./ledger";
import { openLedger } from "./openLedger";

export interface TestLedger {
  ledger: Ledger;
  clock: ManualClock;
  path: string;
  /** Closes the ledger and opens its file again, as after a restart. */
  reopen(): Ledger;
  remove(): void;
}

export function makeTestLedger(): TestLedger {
  const folder = makeTestFolder();
  const path = join(folder, "holdfast.db");
  const clock = new ManualClock();
  const open = () => openLedger({ path, clock, log: silentLog }).ledger;
  const test: TestLedger = {
    ledger: open(),
    clock,
    path,
    reopen() {
      test.ledger.close();
      test.ledger = open();
      return test.ledger;
    },
    remove() {
      test.ledger.close();
      rmSync(folder, { recursive: true });
    },
  };
  return test;
}

export function makeTestFolder(): string {
  return mkdtempSync(join(tmpdir(), "holdfast-ledger-"));
}

export const noSettings = { model: null, effort: null, sandbox: null, approvalPolicy: null };

/** A workspace, since threads and submissions belong to one. */
export function addWorkspace(ledger: Ledger, path = "/home/ada/engine"): string {
  return ledger.workspaces.add({ path, name: "engine", parentId: null }).id;
}
