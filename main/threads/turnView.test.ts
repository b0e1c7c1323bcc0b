import { expect, it } from "vitest";
import { turnFault } from "./turnView";

it("says a failure in codex's words", () => {
  expect(
    turnFault({ message: "Selected model is at capacity", codexErrorInfo: "serverOverloaded" }),
  ).toMatchObject({
    code: "turn_serverOverloaded",
    message: "Selected model is at capacity",
    detail: undefined,
    retryable: true,
  });
  expect(turnFault(null).message).toMatch(/did not say why/);
});

it("takes the sentence out of what the model server sent, and keeps the rest as detail", () => {
  const raw = '{"error":{"type":"invalid","message":"The model is out."}}';
  expect(turnFault({ message: raw })).toMatchObject({ message: "The model is out.", detail: raw });
  expect(turnFault({ message: '{"message":"No."}' }).message).toBe("No.");
  expect(turnFault({ message: '{"error":"Gone."}' }).message).toBe("Gone.");
});

it("leaves what only looks like it as it is", () => {
  for (const message of ["{not json}", '{"code":4}', "{}"]) {
    expect(turnFault({ message })).toMatchObject({ message, detail: undefined });
  }
});
