import { expect, it } from "vitest";
import { commandApproval, runningCommand } from "./testCodexData";
import { begin, bench, codex, complete, opened, prepareBench, say, start, T } from "./testRuntime";
import { textOf } from "./testThreads";

prepareBench();

async function asked() {
  const window = await opened();
  begin("t2");
  start("t2", runningCommand("c"));
  codex().ask(7, "item/commandExecution/requestApproval", commandApproval(T, "t2", { itemId: "c" }));
  return { state: () => window.copy.items.map(textOf).at(-1) };
}

/** As codex does it: the question is settled by nobody, and the item is never completed. */
function stopped(): void {
  say("serverRequest/resolved", { requestId: 7 });
  complete("t2", "interrupted");
}

it("a command at whose question the turn is stopped was not let run", async () => {
  const command = await asked();
  stopped();
  expect(command.state()).toMatch(/^command declined/);
});

it("a command that was let run and then stopped was cut off", async () => {
  const command = await asked();
  bench.threads.answer({ requestKey: bench.waiting[0]?.key ?? "", decisionId: "accept" });
  stopped();
  expect(command.state()).toMatch(/^command lost/);
});

it("a decision that codex is given again counts as given", async () => {
  const command = await asked();
  bench.threads.answer({ requestKey: bench.waiting[0]?.key ?? "", decisionId: "accept" });
  codex().ask(7, "item/commandExecution/requestApproval", commandApproval(T, "t2", { itemId: "c" }));
  stopped();
  expect(command.state()).toMatch(/^command lost/);
});
