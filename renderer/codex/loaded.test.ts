import { beforeEach, expect, it } from "vitest";
import { CallFault } from "../state/callFault";
import { load, loadedStore } from "./loaded";

const of = (key: string) => loadedStore.getState().byKey.get(key);
const refusal = new CallFault({ code: "codex_error", message: "No.", retryable: false });

beforeEach(() => loadedStore.setState({ byKey: new Map() }));

it("what is known stays while it is asked for again, and when that fails", async () => {
  await load("a", async () => 1);
  let refuse: (error: Error) => void = () => {};
  const again = load("a", () => new Promise((_resolve, reject) => (refuse = reject)));
  expect(of("a")).toEqual({ value: 1, fault: null, loading: true });
  refuse(refusal);
  await again;
  expect(of("a")).toEqual({ value: 1, fault: refusal.view, loading: false });
  await load("a", async () => 2);
  expect(of("a")).toEqual({ value: 2, fault: null, loading: false });
});

it("asking while it is under way asks once more, after it", async () => {
  const asked: number[] = [];
  let answer: (value: unknown) => void = () => {};
  const first = load("a", () => {
    asked.push(1);
    return new Promise((resolve) => (answer = resolve));
  });
  void load("a", async () => asked.push(2));
  void load("a", async () => asked.push(3));
  expect(asked).toEqual([1]);
  answer("old");
  await first;
  expect(asked).toEqual([1, 3]);
  expect(of("a")).toMatchObject({ value: 2, loading: false });
});

it("what is asked for one thing says nothing about another, and not everything is kept for ever", async () => {
  for (let nth = 0; nth < 250; nth += 1) await load(`k${nth}`, async () => nth);
  expect(of("k0")).toBeUndefined();
  expect(of("k249")?.value).toBe(249);
  expect(loadedStore.getState().byKey.size).toBe(200);
});
