import { expect, it } from "vitest";
import { heavyUnits, mostTurns, PieceSize } from "./pieceSize";

const megabyte = 1_000_000;

it("asks for as many as ever while they are light, and for one at a time where each is heavy", () => {
  const size = new PieceSize();
  size.heard(mostTurns, 20_000);
  expect(size.turns).toBe(mostTurns);
  size.heard(mostTurns, 25 * megabyte);
  expect(size.turns).toBe(1);
  size.heard(1, 5 * megabyte);
  expect(size.turns).toBe(1);
});

it("asks for as many as fit when they are neither", () => {
  const size = new PieceSize();
  size.heard(mostTurns, 8 * megabyte);
  expect(size.turns).toBe(Math.floor((heavyUnits * mostTurns) / (8 * megabyte)));
});

it("asks for twice as many each time behind the heavy ones", () => {
  const size = new PieceSize();
  size.heard(mostTurns, 50 * megabyte);
  const asked: number[] = [];
  for (let piece = 0; piece < 4; piece += 1) {
    asked.push(size.turns);
    size.heard(size.turns, size.turns * 1_000);
  }
  expect(asked).toEqual([1, 2, 4, mostTurns]);
});

it("is not misled by a page without a turn", () => {
  const size = new PieceSize();
  size.heard(0, 90);
  expect(size.turns).toBe(mostTurns);
});
