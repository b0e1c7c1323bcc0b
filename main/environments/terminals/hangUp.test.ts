import { expect, it } from "vitest";
import { ManualClock } from "../../clock";
import { Environment } from "../client/environment";
import { TestWorld } from "../client/testEnvironment";
import { HangUp } from "./hangUp";

const said = "typed ahead\r\n\u001b]7;other\u0007\u001b]7777;4711\u0007\u001b[1m$ \u001b";

it("the number of the shell is taken out of what it prints, in whatever pieces that comes", async () => {
  const world = await TestWorld.open();
  const environment = new Environment(world.options);
  for (let first = 0; first <= said.length; first += 1) {
    for (const second of [first, first + 1, first + 7, said.length]) {
      const hangUp = new HangUp(environment, new ManualClock());
      const heard = [said.slice(0, first), said.slice(first, second), said.slice(second)].map((text) => {
        const bytes = Buffer.from(text);
        const event = hangUp.withoutName({ type: "output", seq: 1, stream: "pty", bytes });
        return event.type === "output" ? event.bytes.toString() : "";
      });
      expect(heard.join("")).toBe(said.replace("\u001b]7777;4711\u0007", ""));
    }
  }
  await environment.close();
  await world.close();
});

it("what never says its number is shown as it is, with no more held back than might be the beginning of it", async () => {
  const world = await TestWorld.open();
  const environment = new Environment(world.options);
  const hangUp = new HangUp(environment, new ManualClock());
  const hear = (text: string) => {
    const event = hangUp.withoutName({ type: "output", seq: 1, stream: "pty", bytes: Buffer.from(text) });
    return event.type === "output" ? event.bytes.toString() : "";
  };
  expect(hear("a\u001b]777")).toBe("a");
  expect(hear("8\u0007b")).toBe("\u001b]7778\u0007b");
  expect(hear("x".repeat(70_000))).toHaveLength(70_000);
  expect(hear("\u001b]7777;1\u0007")).toBe("\u001b]7777;1\u0007");
  // Nothing is known that could be hung up, and nothing is connected to.
  await hangUp.perform("file:///");
  expect(environment.state.phase).toBe("disconnected");
  await environment.close();
  await world.close();
});
