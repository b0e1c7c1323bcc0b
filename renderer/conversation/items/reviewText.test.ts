import { expect, it } from "vitest";
import { reviewText } from "./reviewText";

it("writes places from the workspace on, and leaves all others as they are", () => {
  const text = (place: string) => reviewText(`See ${place}`, "/home/ada/atlas", "completed");
  expect(text("/home/ada/atlas/src/a.ts")).toBe("See src/a.ts");
  expect(text("/home/ada/atlas-two/a.ts")).toBe("See /home/ada/atlas-two/a.ts");
  expect(text("/mnt/home/ada/atlas/a.ts")).toBe("See /mnt/home/ada/atlas/a.ts");
  expect(reviewText("/home/ada/atlas/a /home/ada/atlas/b", "/home/ada/atlas", "completed")).toBe("a b");
});

it("keeps the title and the place of a finding apart from what is said of it", () => {
  const text =
    "Bad.\n\n- [P1] Wrong word — /w/a.ts:3-3\n  It is wrong.\n\n- Other — /w/b.ts:1-9\n  So is this.";
  expect(reviewText(text, "/w", "completed")).toBe(
    "Bad.\n\n- **[P1] Wrong word** — `a.ts:3`\n\n  It is wrong.\n\n- **Other** — `b.ts:1-9`\n\n  So is this.",
  );
});

it("says of a review that was cut off that it has no result", () => {
  expect(reviewText("Reviewer failed to output a response.", null, "interrupted")).toBeNull();
  expect(reviewText(" ", null, "completed")).toBeNull();
  expect(reviewText("Reviewer failed to output a response.", null, "completed")).not.toBeNull();
});
