import { describe, expect, it } from "vitest";
import { crumbsOf, typedPath } from "./paths";

describe("the folders of a path", () => {
  const paths = (path: string) => crumbsOf(path).map((crumb) => crumb.path);

  it("begin at the root and end at the folder itself", () => {
    expect(crumbsOf("/home/ada")).toEqual([
      { name: "/", path: "/" },
      { name: "home", path: "/home" },
      { name: "ada", path: "/home/ada" },
    ]);
    expect(paths("/")).toEqual(["/"]);
  });

  it("are written as that system writes them", () => {
    expect(paths("C:\\Users\\ada")).toEqual(["C:\\", "C:\\Users", "C:\\Users\\ada"]);
    expect(paths("\\\\host\\share\\a")).toEqual(["\\\\host\\share\\", "\\\\host\\share\\a"]);
    // A backslash is a letter like any other where a slash divides.
    expect(paths("/a\\b")).toEqual(["/", "/a\\b"]);
  });
});

describe("a path that was typed", () => {
  it("is taken as it is when it begins at the root", () => {
    expect(typedPath(" /tmp ", "/home", null)).toBe("/tmp");
    expect(typedPath("D:\\x", "C:\\", null)).toBe("D:\\x");
  });

  it("else begins at the folder that is shown", () => {
    expect(typedPath("src/lib", "/work", null)).toBe("/work/src/lib");
    expect(typedPath("../other", "/work/a", null)).toBe("/work/other");
    expect(typedPath("../../..", "/work", null)).toBe("/");
    expect(typedPath("..\\x", "C:\\a\\b", null)).toBe("C:\\a\\x");
  });

  it("may begin at home", () => {
    expect(typedPath("~", "/work", "/home/ada")).toBe("/home/ada");
    expect(typedPath("~/src", "/work", "/home/ada")).toBe("/home/ada/src");
    // Where no home is known, it is a name.
    expect(typedPath("~", "/work", null)).toBe("/work/~");
    expect(typedPath("~ada", "/work", "/home/ada")).toBe("/work/~ada");
  });

  it("is nothing when nothing was typed", () => {
    expect(typedPath("  ", "/work", null)).toBeNull();
  });
});
