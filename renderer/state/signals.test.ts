import { expect, it } from "vitest";
import { onSignal, send, sendSoon } from "./signals";

function listen(nowMs = 0) {
  const heard = { times: 0 };
  const stop = onSignal(
    "focus-composer",
    () => {
      heard.times += 1;
    },
    nowMs,
  );
  return { heard, stop };
}

it("reaches whoever listens, and nobody who has stopped", () => {
  const { heard, stop } = listen();
  send("focus-composer");
  send("focus-search");
  expect(heard.times).toBe(1);
  stop();
  send("focus-composer");
  expect(heard.times).toBe(1);
});

it("waits for a part that is about to come, once and not for long", () => {
  sendSoon("focus-composer", 0);
  const first = listen(1_000);
  expect(first.heard.times).toBe(1);
  first.stop();
  const second = listen(1_001);
  expect(second.heard.times).toBe(0);
  second.stop();
  sendSoon("focus-composer", 0);
  const late = listen(60_000);
  expect(late.heard.times).toBe(0);
  sendSoon("focus-composer", 60_000);
  expect(late.heard.times).toBe(1);
  late.stop();
});
