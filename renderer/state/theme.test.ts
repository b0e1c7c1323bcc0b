import { expect, it } from "vitest";
import { themeOf } from "./theme";

it("follows the system only when nothing else is set", () => {
  expect(themeOf("system", true)).toBe("dark");
  expect(themeOf("system", false)).toBe("light");
  expect(themeOf("light", true)).toBe("light");
  expect(themeOf("dark", false)).toBe("dark");
});
