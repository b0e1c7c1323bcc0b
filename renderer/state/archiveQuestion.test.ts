import { expect, test } from "vitest";
import type { ThreadRow } from "../../preload/contract/app";
import { archiveQuestion } from "./archiveQuestion";
import { threadRow } from "./testThread";

const asked = (row: ThreadRow, ...others: ThreadRow[]) =>
  archiveQuestion(new Map([row, ...others].map((each) => [each.threadId, each])), row);
const child = (threadId: string, part: Partial<ThreadRow> = {}, parentThreadId = "top") =>
  threadRow(threadId, { parentThreadId, ...part });

test("nothing is asked where nothing goes on, whatever other threads do", () => {
  const other = threadRow("other", { state: "running", leftRunning: ["make"] });
  expect(asked(threadRow("top"), child("c"), other)).toEqual({ question: null, isBusy: false });
});

test("what is cut off is named: of the thread itself, and of its agents", () => {
  const busy = asked(threadRow("top", { state: "running" }), child("c"));
  expect(busy).toMatchObject({ isBusy: true });
  expect(busy.question?.text).toMatch(/^It is still at work\./);
  const agent = asked(threadRow("top"), child("c"), child("d", { state: "waiting for approval" }, "c"));
  expect(agent).toMatchObject({ isBusy: true });
  expect(agent.question?.text).toMatch(/^An agent of it is still at work\./);
  const agents = asked(threadRow("top"), child("c", { state: "running" }), child("d", { state: "running" }));
  expect(agents.question?.text).toMatch(/^Agents of it are still at work\. What they are doing/);
});

test("commands that it, or one of its agents, has left running are named", () => {
  const { question, isBusy } = asked(
    threadRow("top", { leftRunning: ["make"] }),
    child("c", { leftRunning: ["npm run dev"] }),
  );
  expect(isBusy).toBe(false);
  expect(question?.text).toBe("Commands that still run are ended: “make”, “npm run dev”.");
});
