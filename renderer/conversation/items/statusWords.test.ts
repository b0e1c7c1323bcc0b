import { expect, it } from "vitest";
import type { TurnView } from "../../../preload/contract/thread";
import { cutBy, type ItemTurn, statusWords } from "./statusWords";

const fault = { code: "process_gone", message: "codex was killed.", retryable: true };
const turn = (status: TurnView["status"], why: TurnView["fault"] = null): ItemTurn => ({
  status,
  fault: why,
});
const lost = { status: "lost" } as const;

it("speaks of a disconnect only where the process or its connection went away", () => {
  expect(statusWords(lost, turn("interrupted", fault))).toBe("interrupted by disconnect");
  const quit = { ...fault, code: "stopped_at_quit" };
  expect(statusWords(lost, turn("interrupted", quit))).toBe(statusWords(lost, turn("interrupted", null)));
  const others = [turn("running"), turn("completed"), turn("interrupted"), turn("failed", fault), undefined];
  expect(others.map((each) => statusWords(lost, each))).toEqual([
    "cut off",
    "cut off",
    "interrupted",
    "cut off as the turn failed",
    "cut off",
  ]);
  expect(others.map(cutBy)).not.toContain("disconnect");
});

it("says of a command at whose question the turn was stopped that it did not run", () => {
  const declined = { status: "declined", kind: "command" } as const;
  expect(statusWords(declined, turn("interrupted"))).toBe("not run");
  expect(statusWords(declined, turn("completed"))).toBe("declined");
  expect(statusWords({ ...declined, kind: "fileChange" }, turn("interrupted"))).toBe("declined");
});

it("needs no word for what is done or goes on", () => {
  expect(statusWords({ status: "completed" }, turn("completed"))).toBeNull();
  expect(statusWords({ status: "running" }, turn("running"))).toBeNull();
});
