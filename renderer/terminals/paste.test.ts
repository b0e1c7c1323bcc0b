import { expect, it } from "vitest";
import { pasteQuestion } from "./paste";

it("asks before what would be run at once", () => {
  expect(pasteQuestion("ls -l", false)).toBeNull();
  expect(pasteQuestion("a\nb", true)).toBeNull();
  expect(pasteQuestion("ls -l\n", false)).toBe("This line is run as soon as it is pasted:\n\nls -l");
  expect(pasteQuestion("a\r\nb\r\n", false)).toMatch(/^These 2 lines are run .*:\n\na\nb$/);
  expect(pasteQuestion("x\n".repeat(1000), false)).toMatch(/^These 1000 lines .* …$/s);
});
