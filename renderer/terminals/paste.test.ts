import { expect, it } from "vitest";
import { pasteQuestion, plainPaste } from "./paste";

it("asks before what would be run at once", () => {
  expect(pasteQuestion("ls -l", false)).toBeNull();
  expect(pasteQuestion("a\nb", true)).toBeNull();
  expect(pasteQuestion("ls -l\n", false)).toBe("This line is run as soon as it is pasted:\n\nls -l");
  expect(pasteQuestion("a\r\nb\r\n", false)).toMatch(/^These 2 lines are run .*:\n\na\nb$/);
  expect(pasteQuestion("x\n".repeat(1000), false)).toMatch(/^These 1000 lines .* …$/s);
});

it("says in the question what nobody sees", () => {
  expect(pasteQuestion("echo \u202eab\u200b\n", false)).toBe(
    "This line is run as soon as it is pasted:\n\necho ␣ab␣",
  );
});

it("leaves nothing in it that a program would obey", () => {
  expect(plainPaste("a\u001b[201~\rrm x\u000f\u0003")).toBe("a␛[201~\rrm x␏␃");
  expect(plainPaste("\0 \u007f \u009b \u0085")).toBe("␀ ␡ ␡ ␡");
  expect(plainPaste("one\ttwo\r\nthree\n ümläut 👩‍💻")).toBe("one\ttwo\r\nthree\n ümläut 👩‍💻");
});
