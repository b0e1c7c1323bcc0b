import { expect, test } from "vitest";
import { AnswerPace } from "./answerPace";

function makePace() {
  const turns: (() => void)[] = [];
  const sent: number[] = [];
  const pace = new AnswerPace((task) => turns.push(task));
  return {
    turns,
    sent,
    send: (...answers: number[]) => {
      for (const answer of answers) pace.send(() => sent.push(answer));
    },
    turn: () => turns.shift()?.(),
  };
}

const upTo = (end: number) => Array.from({ length: end }, (_, nth) => nth);

test("answers go out in their order, a few in a turn, and each once", () => {
  const { send, sent, turn, turns } = makePace();
  send(...upTo(40));
  expect(sent).toEqual([]);
  turn();
  expect(sent).toEqual(upTo(16));
  send(40);
  turn();
  expect(sent).toEqual(upTo(32));
  turn();
  expect(sent).toEqual(upTo(41));
  expect(turns).toEqual([]);
});

test("an answer that comes of an answer waits for the next turn", () => {
  const turns: (() => void)[] = [];
  const sent: string[] = [];
  const pace = new AnswerPace((task) => turns.push(task));
  pace.send(() => {
    sent.push("one");
    pace.send(() => sent.push("two"));
  });
  turns.shift()?.();
  expect(sent).toEqual(["one"]);
  turns.shift()?.();
  expect(sent).toEqual(["one", "two"]);
});
