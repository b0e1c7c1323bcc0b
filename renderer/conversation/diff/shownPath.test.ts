import { expect, test } from "vitest";
import { shownPath } from "./shownPath";

test.each([
  ["/home/a/project/src/b.ts", "/home/a/project", "src/b.ts"],
  ["/home/a/project/src/b.ts", "/home/a/project/", "src/b.ts"],
  ["/home/a/project-two/b.ts", "/home/a/project", "/home/a/project-two/b.ts"],
  ["/etc/hosts", "/home/a/project", "/etc/hosts"],
  ["/home/a/project", "/home/a/project", "/home/a/project"],
  ["/etc/hosts", "/", "etc/hosts"],
  ["C:\\work\\app\\b.ts", "C:\\work\\app", "b.ts"],
  ["src/b.ts", undefined, "src/b.ts"],
])("%s in %s is shown as %s", (path, folder, shown) => {
  expect(shownPath(path, folder)).toBe(shown);
});
