// Text that was cut off is found although codex has no record of it.

import { expect, it } from "vitest";
import { keptHits, withKeptHits } from "./keptHits";
import { agentItem, commandItem } from "./testCodexData";
import { begin, bench, complete, opened, prepareBench, start, T, text } from "./testRuntime";
import { settle } from "./testThreads";

prepareBench();

const found = (query: string, archived = false) =>
  keptHits(
    {
      items: bench.ledger.runningItems,
      threads: bench.ledger.threads,
      folder: (id) => (id === bench.workspaceId ? bench.folder : null),
    },
    query,
    archived,
  );

async function cutOff() {
  await opened();
  begin("t2");
  start("t2", agentItem("m", ""));
  text("t2", "m", "The 100% **answer is** a bucket");
  start("t2", commandItem("c", null, { command: "npm run bench_all", status: "inProgress" }));
  complete("t2", "interrupted");
  await settle();
  bench.clock.advance(2_000);
  await settle();
}

it("by the words of a message and of a command, and by nothing else", async () => {
  await cutOff();
  expect(found("ANSWER is")).toMatchObject([
    {
      threadId: T,
      title: "Title",
      cwd: bench.folder,
      archived: false,
      snippet: "The 100% answer is a bucket",
    },
  ]);
  expect(found("bench_all")).toMatchObject([{ snippet: "npm run bench_all" }]);
  for (const none of ["lost", "commandExecution", "bench-all", "100_", "t2"])
    expect(found(none), none).toEqual([]);
  expect(found("answer", true), "it is not archived").toEqual([]);
});

it("once, where codex has found the thread too", async () => {
  await cutOff();
  const [hit] = found("answer");
  if (!hit) throw new Error("nothing was found");
  const newer = { ...hit, threadId: "newer", updatedAtMs: hit.updatedAtMs + 1 };
  const told = { ...hit, snippet: "codex's own words" };
  expect(withKeptHits([told], [hit])).toEqual([told]);
  expect(withKeptHits([hit], [newer]).map(({ threadId }) => threadId)).toEqual(["newer", T]);
});
