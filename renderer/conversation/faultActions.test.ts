import { expect, test } from "vitest";
import { faultActions } from "./faultActions";

const fault = (code: string, retryable: boolean) => ({ code, message: "", retryable });

test("what can be done fits what is wrong", () => {
  expect(faultActions(fault("folder_gone", false))).toEqual(["locate", "retry"]);
  expect(faultActions(fault("open_elsewhere", true))).toEqual(["retry", "fork"]);
  expect(faultActions(fault("thread_archived", false))).toEqual(["unarchive"]);
  expect(faultActions(fault("history_lost", false))).toEqual(["new thread"]);
  expect(faultActions(fault("agent_of_agent", false))).toEqual([]);
  expect(faultActions(fault("process_cleanup_pending", true))).toEqual(["clean up", "show cleanup"]);
});

test("a fault of a kind that is not known can at least be tried again", () => {
  expect(faultActions(fault("something_new", true))).toEqual(["retry"]);
  expect(faultActions(fault("something_new", false))[0]).toBe("retry");
});
