import { expect, it } from "vitest";
import type { Threads } from "../threads/threads";
import { workIn } from "./workIn";

function thread(workspaceId: string, title: string, commands: string[], running = false) {
  const leftRunning = commands.map((command) => ({ command }));
  const facts = { title, requests: [], followUps: { entries: [] }, leftRunning };
  return { workspaceId, state: { running, facts } };
}

it("names the threads that are at work, and the commands that agents have left running", () => {
  const all = [
    thread("w", "At rest", []),
    thread("w", "Busy", ["npm run dev"], true),
    thread("w", "Done", [`make \\\n  ${"x".repeat(100)}`]),
    thread("other", "Elsewhere", ["sleep 1"], true),
  ];
  const source = {
    threads: { all } as unknown as Threads,
    cells: { needsSession: () => false, scriptsIn: () => [] },
    terminals: { rows: [] },
    isAtWork: () => true,
  };
  const [busy, dev, make, ...more] = workIn(source, { workIn: () => [] }, "w");
  expect([busy, dev, more]).toEqual(["the thread “Busy”", "the command “npm run dev”", []]);
  expect(make).toMatch(/^the command “make \\ x+…”$/);
});
