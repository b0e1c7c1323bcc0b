// Plan mode: what the person chooses is what codex is told, and what codex says is what is shown.

import { expect, it } from "vitest";
import { resumed } from "./testCodexData";
import { settle } from "./testThreads";
import { bench, codex, opened, P, prepareBench, say } from "./testTree";

prepareBench();

const planned = {
  mode: "plan",
  settings: { model: "gpt-5", reasoning_effort: "low", developer_instructions: null },
};
const chosen = { model: "gpt-5", effort: "low", sandbox: null, approvalPolicy: null } as const;

const send = (text: string) =>
  bench.threads.send(P, { clientId: crypto.randomUUID(), text, attachments: [], mode: "turn" });

it("a thread that is to plan says so with its settings and with each turn, until it is to code again", async () => {
  bench.rule("thread/settings/update", () => ({}));
  await opened(P);
  await bench.threads.setSettings(P, { ...chosen, mode: "plan" });
  expect(codex().only("thread/settings/update").params.collaborationMode).toEqual(planned);
  expect(bench.ledger.threads.getSettings(P)?.mode).toBe("plan");
  send("Plan it");
  await settle();
  expect(codex().only("turn/start").params.collaborationMode).toEqual(planned);
  await bench.threads.setSettings(P, { ...chosen, mode: "code" });
  expect(codex().last("thread/settings/update").params.collaborationMode).toEqual({
    ...planned,
    mode: "default",
  });
});

it("a thread for which nothing was chosen is left as codex has it", async () => {
  await opened(P);
  send("Do it");
  await settle();
  expect(codex().only("turn/start").params.collaborationMode).toBeUndefined();
});

it("what codex says of the mode is shown: when it changes, and when a thread is loaded", async () => {
  bench.rule("thread/resume", () => ({ ...resumed(P, []), collaborationMode: planned }));
  const window = await opened(P);
  expect(window.head.settings.mode).toBe("plan");
  const said = (mode: string) =>
    say(P, "thread/settings/updated", {
      threadSettings: { model: "gpt-5", collaborationMode: { ...planned, mode } },
    });
  said("default");
  expect(window.head.settings.mode).toBeUndefined();
  said("plan");
  expect(window.head.settings.mode).toBe("plan");
});
