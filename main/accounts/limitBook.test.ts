import { expect, it } from "vitest";
import type { LimitsView } from "../../preload/contract/codexPage";
import { Fault } from "../fault";
import { LimitBook } from "./limitBook";

const saying = (usedPercent: number, more: object = {}) => ({
  rateLimits: { primary: { usedPercent, windowDurationMins: 300, resetsAt: 1_800_000_000 }, ...more },
});

function book() {
  const asked: { answer(value: unknown): void; refuse(fault: Fault): void }[] = [];
  const heard: (LimitsView | null)[] = [];
  const limits = new LimitBook({
    clock: { nowMs: () => 5_000, after: () => ({ cancel() {} }) },
    client: async () => ({
      request: (method) => {
        expect(method).toBe("account/rateLimits/read");
        return new Promise((answer, refuse) => asked.push({ answer, refuse }));
      },
    }),
    onChange: (view) => heard.push(view),
  });
  const question = async (nth: number) => {
    await expect.poll(() => asked.length).toBeGreaterThan(nth);
    const one = asked[nth];
    if (!one) throw new Error("nobody asked");
    return one;
  };
  return { limits, asked, heard, question };
}

it("two who ask at once share one request, and the answer says when it was given", async () => {
  const { limits, asked, heard, question } = book();
  const both = Promise.all([limits.read(), limits.read()]);
  (await question(0)).answer(saying(34));
  await both;
  expect(asked).toHaveLength(1);
  expect(heard).toMatchObject([{ primary: { usedPercent: 34 }, secondary: null, atMs: 5_000 }]);
});

it("what is told while a read is under way is not taken back by its answer", async () => {
  const { limits, heard, question } = book();
  const read = limits.read();
  const { answer } = await question(0);
  limits.notification("account/rateLimits/updated", saying(41));
  answer(saying(40, { credits: { hasCredits: true, unlimited: false, balance: "3" } }));
  await read;
  expect(heard.at(-1)).toMatchObject({ primary: { usedPercent: 41 }, credits: { balance: "3" } });
});

it("an answer about an account that has gone is dropped, and the next one is asked for", async () => {
  const { limits, heard, question } = book();
  const read = limits.read();
  const first = await question(0);
  limits.accountChanged();
  const again = limits.read();
  const second = await question(1);
  first.answer(saying(90));
  await read;
  expect(heard).toEqual([]);
  second.answer(saying(1));
  await again;
  expect(heard).toMatchObject([{ primary: { usedPercent: 1 } }]);
  limits.accountChanged();
  expect(heard.at(-1)).toBeNull();
});

it("that codex knows nothing is no news", () => {
  const { limits, heard } = book();
  limits.notification("account/rateLimits/updated", {
    rateLimits: { primary: null, secondary: null, credits: null },
  });
  limits.notification("turn/completed", saying(3));
  expect(heard).toEqual([]);
});

it("a session that goes away before it answers is no answer: another one is asked, once", async () => {
  const { limits, heard, question } = book();
  const gone = new Fault("connection_lost", "The connection to codex was lost.", { retryable: true });
  const read = limits.read();
  (await question(0)).refuse(gone);
  (await question(1)).answer(saying(5));
  await read;
  expect(heard).toMatchObject([{ primary: { usedPercent: 5 } }]);
  const again = limits.read();
  (await question(2)).refuse(gone);
  (await question(3)).refuse(gone);
  await expect(again).rejects.toBe(gone);
});

it("a refusal is told to who asked, and what was known stays", async () => {
  const { limits, heard, question } = book();
  limits.notification("account/rateLimits/updated", saying(12));
  const read = limits.read();
  (await question(0)).refuse(new Fault("codex_refused", "codex account authentication required"));
  await expect(read).rejects.toMatchObject({ code: "codex_refused" });
  expect(heard).toMatchObject([{ primary: { usedPercent: 12 } }]);
});
