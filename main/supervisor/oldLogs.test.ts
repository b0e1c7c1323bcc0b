import { randomUUID } from "node:crypto";
import { mkdtempSync, readdirSync, rmSync, utimesSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, test } from "vitest";
import { removeOldLogs } from "./oldLogs";

test("of the logs of gone processes the newest stay; those in use and other files are not touched", async () => {
  const logs = mkdtempSync(join(tmpdir(), "holdfast-logs-"));
  const ids = Array.from({ length: 6 }, () => randomUUID());
  const nameOf = (id: string) => `codex-${id}.log`;
  for (const [age, id] of ids.entries()) {
    writeFileSync(join(logs, nameOf(id)), "x");
    utimesSync(join(logs, nameOf(id)), 1_000_000 - age, 1_000_000 - age);
  }
  writeFileSync(join(logs, "main.log"), "x");
  const [newest = "", second = "", , , , oldest = ""] = ids;
  await removeOldLogs(logs, new Set([oldest]), 2);
  expect(readdirSync(logs).sort()).toEqual(
    ["main.log", nameOf(newest), nameOf(second), nameOf(oldest)].sort(),
  );
  rmSync(logs, { recursive: true });
});
