import { expect, it } from "vitest";
import { textOutput } from "../../state/testRuns";
import { copiedOutput } from "./copyOutput";

it("copies the output as one reads it, and of too much the end", () => {
  const output = [
    ...textOutput("one\n", "two"),
    { type: "image", dataUrl: "data:," } as const,
    { type: "notice", text: "Done" } as const,
  ];
  expect(copiedOutput(output, 100)).toEqual({ text: "one\ntwo\n[image]\nDone", isWhole: true });
  expect(copiedOutput(output, 16)).toEqual({ text: "[image]\nDone", isWhole: false });
});
