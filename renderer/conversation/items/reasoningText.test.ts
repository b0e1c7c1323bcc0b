import { expect, test } from "vitest";
import { lastThought } from "./reasoningText";

test.each([
  ["", null],
  ["\n\n  \n", null],
  ["**Looking for the capacity**", "Looking for the capacity"],
  ["**Looking\n\nThe bucket is `small`.\n", "The bucket is small."],
  ["first\n- second item", "second item"],
  ["## Heading", "Heading"],
  ["**half open", "half open"],
  ["snake_case_name stays", "snake_case_name stays"],
])("the last thought of %j is %j", (text, thought) => {
  expect(lastThought(text)).toBe(thought);
});
