import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { retryCleanup, retryEverything } from "./cleanups";
import { connection } from "./connection";
import { onSignal } from "./signals";
import { FakePort } from "./testPort";
import { cleanup } from "./testThread";
import { dismissToast, showFault, toastStore } from "./toasts";

let port: FakePort;

beforeEach(() => {
  port = new FakePort();
  connection.attach(port);
});
afterEach(() => {
  for (const { id } of toastStore.getState().toasts) dismissToast(id);
});

const pending = {
  code: "process_cleanup_pending",
  message: "An earlier codex has not ended.",
  retryable: true,
};

describe("a retry of what a refused start was refused for", () => {
  it("goes on when nothing is left", async () => {
    const done: string[] = [];
    const retried = retryCleanup("w", () => done.push("shown"));
    expect(done).toEqual([]);
    const [asked] = port.calls("cleanups.retryAll");
    expect(asked?.params).toEqual({ workspaceId: "w" });
    port.answer(asked, { left: 0 });
    await retried;
    expect(done).toEqual(["shown"]);
    expect(toastStore.getState().toasts).toEqual([]);
  });

  it("does not go on while something is left, and says where to look", async () => {
    const done: string[] = [];
    const retried = retryCleanup("w", () => done.push("shown"));
    port.answer(port.calls("cleanups.retryAll")[0], { left: 2 });
    await retried;
    expect(done).toEqual([]);
    expect(toastStore.getState().toasts).toMatchObject([
      { text: "2 cleanups are still owed.", tone: "warning", actions: [{ label: "Show cleanup" }] },
    ]);
  });

  it("does not go on when main could not even try", async () => {
    const done: string[] = [];
    const retried = retryCleanup("w", () => done.push("shown"));
    port.fail(port.calls("cleanups.retryAll")[0], {
      ...pending,
      code: "ledger",
      message: "The disk is full.",
    });
    await retried;
    expect(done).toEqual([]);
    expect(toastStore.getState().toasts).toMatchObject([{ text: "The disk is full.", tone: "error" }]);
  });
});

it("tries everything: once for each workspace, and what belongs to none one by one", async () => {
  const owed = [
    cleanup("a", { workspaceId: "w" }),
    cleanup("b", { workspaceId: "w" }),
    cleanup("c", { workspaceId: "v" }),
    cleanup("d", { workspaceId: null }),
  ];
  const retried = retryEverything(owed);
  expect(port.calls("cleanups.retryAll").map(({ params }) => params)).toEqual([
    { workspaceId: "w" },
    { workspaceId: "v" },
  ]);
  expect(port.calls("cleanups.retry").map(({ params }) => params)).toEqual([{ id: "d" }]);
  port.answer(port.calls("cleanups.retryAll")[0], { left: 1 });
  port.fail(port.calls("cleanups.retryAll")[1], { ...pending, message: "No." });
  port.answer(port.calls("cleanups.retry")[0], { left: false });
  expect(await retried).toMatchObject({ message: "No." });
});

it("offers to show what is owed wherever a start was refused without a place to say so", () => {
  let shown = 0;
  const stop = onSignal("show-cleanup", () => {
    shown += 1;
  });
  showFault(pending);
  toastStore.getState().toasts[0]?.actions[0]?.run();
  expect(shown).toBe(1);
  showFault({ ...pending, code: "other", message: "Something else." });
  expect(toastStore.getState().toasts[1]?.actions).toEqual([]);
  stop();
});
