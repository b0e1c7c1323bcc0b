// What outlives Holdfast holds nothing of it open: neither Chromium's files nor the sockets between its processes.

import { readdirSync, readlinkSync } from "node:fs";
import path from "node:path";
import { expect, test } from "../support/app";
import { message, reply, shell } from "../support/modelServer";
import { commandsWith } from "../support/processes";

function openFilesOf(pid: number): string[] {
  const folder = `/proc/${pid}/fd`;
  return readdirSync(folder).flatMap((name) => {
    try {
      return [readlinkSync(path.join(folder, name))];
    } catch {
      // It was closed while it was looked at.
      return [];
    }
  });
}

test("codex, what it runs, and the watchdog have none of Holdfast's files open", async ({
  holdfast,
  model,
  sandbox,
}) => {
  model.queue(reply(shell("sleep 4711", { yieldTimeMs: 60_000 })), reply(message("Slept.")));
  await holdfast.newThread();
  await holdfast.send("Sleep.");
  const ofTools = () => commandsWith("sleep 4711", sandbox.processes());
  await expect.poll(() => ofTools().length).toBeGreaterThan(0);
  const mainFiles = new Set(openFilesOf(holdfast.app.process().pid ?? 0));
  expect([...mainFiles].filter((file) => file.startsWith(path.join(sandbox.home, "electron")))).not.toEqual(
    [],
  );

  const all = [
    ...commandsWith(" app-server ", sandbox.processes()),
    ...commandsWith("watchdog.cjs", sandbox.processes()),
    ...ofTools(),
  ];
  expect(all.length).toBeGreaterThanOrEqual(3);
  for (const { pid, command } of all) {
    // Files that every program of the kind opens for itself are not Holdfast's.
    const shared = openFilesOf(pid).filter(
      (file) => mainFiles.has(file) && !/^(\/dev\/|anon_inode:)/.test(file),
    );
    expect(
      shared.filter((file) => !command.includes("watchdog.cjs") || file.startsWith(sandbox.home)),
      command,
    ).toEqual([]);
  }
  await holdfast.button("Stop").click();
  await expect(holdfast.thread(/interrupted/)).toBeVisible();
});
