// What answers a turn is asked for once, however many windows offer it.

import { expect, it } from "vitest";
import { codexTurn, resumed, userItem } from "./testCodexData";
import { begin, bench, codex, end, opened, prepareBench, send, shows, T } from "./testDelivery";
import { settle } from "./testThreads";

prepareBench();

const clientId = "00000000-0000-4000-8000-aaaaaaaaaaaa";
const check =
  (turnId = "t1") =>
  () =>
    bench.threads.actions.checkUnanswered(T, turnId, clientId);
const refused = expect.objectContaining({ code: "turn_answered" });

it("a message that is the answer to a turn is refused once anything else is on its way, runs, or came after it", async () => {
  await opened();
  expect(check()).not.toThrow();
  const id = send("Do it");
  expect(check(), "it is written down").toThrow(refused);
  await settle();
  expect(check(), "it is on its way").toThrow(refused);
  codex()
    .only("turn/start")
    .answer({ turn: codexTurn("t2") });
  begin("t2");
  shows("t2", "Do it", id);
  expect(check(), "it is worked on").toThrow(refused);
  end("t2");
  await settle();
  expect(check(), "it is done").toThrow(refused);
  expect(check("t2")).not.toThrow();
});

it("the very message that has been taken already is no other one", async () => {
  await opened();
  bench.threads.send(T, { clientId, text: "Implement the plan.", attachments: [], mode: "turn" });
  expect(check()).not.toThrow();
});

it("a failed turn is retried once", async () => {
  const failed = codexTurn("t1", "failed", [userItem("u", "Hello")]);
  bench.rule("thread/resume", () => resumed(T, [failed]));
  await opened();
  const { actions } = bench.threads;
  await actions.retry(T);
  await expect(actions.retry(T)).rejects.toMatchObject({ code: "turn_running" });
  await settle();
  await expect(actions.retry(T)).rejects.toMatchObject({ code: "turn_running" });
  expect(codex().all("turn/start")).toHaveLength(1);
});
