import { expect, it } from "vitest";
import { runRow, scriptRow } from "../state/testRuns";
import { scriptCommands } from "./scriptCommands";

it("runs each script and stops each run that can be stopped, by name", () => {
  const done: string[] = [];
  const made = scriptCommands(
    [scriptRow("a", { name: "Review" })],
    [runRow("1", { scriptName: "Nightly" }), runRow("2", { scriptName: "Nearly over", state: "ending" })],
    { run: (scriptId) => done.push(`run ${scriptId}`), stop: (runId) => done.push(`stop ${runId}`) },
  );
  expect(made.map(({ title }) => title)).toEqual(["Run script Review", "Stop the script Nightly"]);
  for (const each of made) each.run();
  expect(done).toEqual(["run a", "stop 1"]);
  expect(new Set(made.map(({ id }) => id)).size).toBe(2);
});
