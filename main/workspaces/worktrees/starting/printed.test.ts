import fc from "fast-check";
import { expect, it } from "vitest";
import { ManualClock } from "../../../clock";
import { mostPrinted, Printed } from "./printed";

it("whoever asks on and on gets all that is kept, in order, and then its end", async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(fc.string({ maxLength: 50 }), { maxLength: 30 }), async (pieces) => {
      const printed = new Printed(new ManualClock());
      const heard = (async () => {
        let text = "";
        for (;;) {
          const part = await printed.after(text.length);
          expect(part.from).toBe(text.length);
          text += part.text;
          if (part.ended) return text;
        }
      })();
      for (const piece of pieces) {
        printed.add(piece);
        await Promise.resolve();
      }
      printed.end();
      expect(await heard).toBe(pieces.join(""));
    }),
  );
});

it("only the end of a flood is kept, and that is said", async () => {
  const printed = new Printed(new ManualClock());
  for (let count = 0; count < 40; count++) printed.add("x".repeat(mostPrinted / 8));
  printed.add("end");
  printed.end();
  const first = await printed.after(0);
  expect(first.from).toBe(mostPrinted * 5 + 3 - mostPrinted);
  const second = await printed.after(first.from + first.text.length);
  expect(first.text.length + second.text.length).toBe(mostPrinted);
  expect([second.ended, second.text.endsWith("end")]).toEqual([true, true]);
});

it("a question ends after a while, and leaves no timer", async () => {
  const clock = new ManualClock();
  const printed = new Printed(clock);
  const asked = printed.after(0);
  clock.advance(60_000);
  expect(await asked).toEqual({ from: 0, text: "", ended: false });
  const other = printed.after(0);
  printed.add("now");
  expect((await other).text).toBe("now");
  expect(clock.pendingCount).toBe(0);
});
