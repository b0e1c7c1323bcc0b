import { expect, test } from "vitest";
import { revealHidden } from "./reveal";

test("ordinary text, tabs and line ends are left as they are", () => {
  expect(revealHidden("git push\n\t# größer 許可 🙂")).toEqual([
    { text: "git push\n\t# größer 許可 🙂", hidden: false },
  ]);
});

test("what turns text around or hides in it is shown", () => {
  expect(revealHidden("rm \u202Etxt.hs\u200B")).toEqual([
    { text: "rm ", hidden: false },
    { text: "U+202E", hidden: true },
    { text: "txt.hs", hidden: false },
    { text: "U+200B", hidden: true },
  ]);
  expect(
    revealHidden("a\u001b[8mb\rc")
      .filter((part) => part.hidden)
      .map((part) => part.text),
  ).toEqual(["U+001B", "U+000D"]);
});
