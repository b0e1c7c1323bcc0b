import { expect, test } from "vitest";
import { indentedJson } from "./indentedJson";

test("JSON is indented, anything else stays as it came", () => {
  expect(indentedJson(' {"a":[1]} ')).toBe('{\n  "a": [\n    1\n  ]\n}');
  expect(indentedJson('{"a":')).toBe('{"a":');
  expect(indentedJson("plain text")).toBe("plain text");
  expect(indentedJson("42")).toBe("42");
});
