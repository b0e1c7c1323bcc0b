import { describe, expect, test } from "vitest";
import { linkTarget, resolvePath } from "./links";

describe("where a link leads", () => {
  test.each([
    ["https://example.org/a?b#c", { kind: "web", url: "https://example.org/a?b#c" }],
    ["HTTP://example.org", { kind: "web", url: "HTTP://example.org" }],
    ["/home/x/a.ts#L10", { kind: "file", path: "/home/x/a.ts", line: 10 }],
    ["src/a.ts:12:3", { kind: "file", path: "src/a.ts", line: 12 }],
    ["notes.md:12", { kind: "file", path: "notes.md", line: 12 }],
    ["src/my%20file.ts#L1-L4", { kind: "file", path: "src/my file.ts", line: 1 }],
    ["file:///home/x/a%20b.ts", { kind: "file", path: "/home/x/a b.ts", line: null }],
    ["file:///C:/work/a.ts", { kind: "file", path: "C:/work/a.ts", line: null }],
    ["C:\\work\\a.ts:7", { kind: "file", path: "C:\\work\\a.ts", line: 7 }],
    ["100%.md", { kind: "file", path: "100%.md", line: null }],
  ])("%s", (href, target) => {
    expect(linkTarget(href)).toEqual(target);
  });

  test.each([
    "javascript:alert(1)",
    "data:text/html,x",
    "vbscript:x",
    "mailto:a@b.c",
    "#top",
    "//evil.example",
    "",
    "https://",
    undefined,
  ])("%s leads nowhere", (href) => {
    expect(linkTarget(href)).toEqual({ kind: "none" });
  });
});

test("paths are taken from the workspace", () => {
  expect(resolvePath("src/a.ts", "/work/atlas")).toBe("/work/atlas/src/a.ts");
  expect(resolvePath("./a.ts", "/work/atlas/")).toBe("/work/atlas/a.ts");
  expect(resolvePath("/etc/hosts", "/work")).toBe("/etc/hosts");
  expect(resolvePath("src\\a.ts", "C:\\work")).toBe("C:\\work\\src\\a.ts");
});
