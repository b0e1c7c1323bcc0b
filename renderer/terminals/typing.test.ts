import { expect, it } from "vitest";
import { Typing } from "./typing";

/** What was sent, each until it is taken or refused. */
class Main {
  readonly sent: { text: string; taken: () => void; refused: (error: Error) => void }[] = [];
  readonly failures: unknown[] = [];
  idle = 0;
  readonly typing = new Typing({
    send: (bytes) =>
      new Promise<void>((taken, refused) => {
        this.sent.push({ text: new TextDecoder().decode(bytes), taken, refused });
      }),
    idle: () => {
      this.idle += 1;
    },
  });

  type(text: string): void {
    this.typing.type(new TextEncoder().encode(text), (error) => this.failures.push(error));
  }

  get texts(): string[] {
    return this.sent.map(({ text }) => text);
  }

  async takeAll(): Promise<string> {
    for (let at = 0; at < this.sent.length; at += 1) {
      this.sent[at]?.taken();
      await settled();
    }
    return this.texts.join("");
  }
}

const settled = () => new Promise(setImmediate);

it("sends one piece after the other, and puts together what was typed meanwhile", async () => {
  const main = new Main();
  for (const key of "abc") main.type(key);
  expect(main.texts).toEqual(["a"]);
  main.sent[0]?.taken();
  await settled();
  expect(main.texts).toEqual(["a", "bc"]);
  expect(main.idle).toBe(0);
  expect(await main.takeAll()).toBe("abc");
  expect(main.idle).toBe(1);
  main.type("d");
  expect(main.texts).toEqual(["a", "bc", "d"]);
});

it("cuts a long paste into pieces of which none is missing", async () => {
  const main = new Main();
  const paste = Array.from({ length: 200_000 }, (_, at) => `${at}\r`).join("");
  main.type("x");
  main.type(paste);
  main.type("y");
  expect(await main.takeAll()).toBe(`x${paste}y`);
  expect(Math.max(...main.texts.map(({ length }) => length))).toBe(256 * 1024);
});

it("sends nothing of what stands behind a piece that did not arrive", async () => {
  const main = new Main();
  main.type("rm -rf old");
  main.type("er\r");
  const lost = new Error("lost");
  main.sent[0]?.refused(lost);
  await settled();
  expect(main.texts).toEqual(["rm -rf old"]);
  expect(main.failures).toEqual([lost]);
  main.type("ls");
  expect(main.texts).toEqual(["rm -rf old", "ls"]);
});

it("refuses whole what is more than it holds, and keeps what came before", async () => {
  const main = new Main();
  main.type("a");
  main.type("b");
  main.type("x".repeat(33 * 1024 * 1024));
  expect(main.failures).toEqual([expect.objectContaining({ code: "terminal_input_too_long" })]);
  expect(await main.takeAll()).toBe("ab");
});

it("sends what waits when the page goes away, in its order, and nothing of it twice", async () => {
  const main = new Main();
  for (const key of "abc") main.type(key);
  expect(main.texts).toEqual(["a"]);
  main.typing.leave();
  expect(main.texts).toEqual(["a", "bc"]);
  main.typing.leave();
  main.sent[0]?.taken();
  await settled();
  expect(main.texts).toEqual(["a", "bc"]);
  expect([main.failures, main.idle]).toEqual([[], 1]);
});
