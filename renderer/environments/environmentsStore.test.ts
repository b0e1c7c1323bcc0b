import { expect, it } from "vitest";
import { environmentsStore, isBusy, setBusy } from "./environmentsStore";

it("knows each thing that was asked for by itself: a check that hangs does not keep from stopping", () => {
  setBusy("a", "check", true);
  expect([isBusy("a", "check"), isBusy("a", "stop"), isBusy("b", "check")]).toEqual([true, false, false]);
  setBusy("a", "stop", true);
  setBusy("a", "check", false);
  expect([isBusy("a", "check"), isBusy("a", "stop")]).toEqual([false, true]);
  setBusy("a", "stop", false);
  expect(environmentsStore.getState().busy.size).toBe(0);
});
