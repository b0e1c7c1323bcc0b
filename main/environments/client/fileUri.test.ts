import { describe, expect, it } from "vitest";
import { childUri, fromFileUri, parentUri, toFileUri } from "./fileUri";

describe("paths of an environment", () => {
  it.each([
    ["/", "file:///"],
    ["/home/ada/my code", "file:///home/ada/my%20code"],
    ["/tmp/ü#%?.txt", "file:///tmp/%C3%BC%23%25%3F.txt"],
    ["/a\nb", "file:///a%0Ab"],
    ["C:\\Users\\Ada", "file:///C:/Users/Ada"],
    ["D:\\", "file:///D:/"],
    ["\\\\box\\share\\my code", "file://box/share/my%20code"],
  ])("%s is %s, and back", (path, uri) => {
    expect(toFileUri(path)).toBe(uri);
    expect(fromFileUri(uri)).toBe(path);
  });

  it("takes either slash on Windows", () => {
    expect(toFileUri("C:/Users/Ada")).toBe("file:///C:/Users/Ada");
  });

  it("refuses what is not a full path", () => {
    expect(() => toFileUri("code")).toThrow('"code" is not a full path');
    expect(() => toFileUri("")).toThrow("not a full path");
  });

  it("does not understand what is not a file URI", () => {
    for (const uri of ["/home", "https://example.com/", "file:///a%zz", "file:///a?b"]) {
      expect(fromFileUri(uri)).toBeNull();
    }
  });

  it("goes down and up", () => {
    expect(childUri("file:///", "my code")).toBe("file:///my%20code");
    expect(childUri("file:///home/", "a#b")).toBe("file:///home/a%23b");
    expect(parentUri("file:///home/ada")).toBe("file:///home");
    expect(parentUri("file:///home")).toBe("file:///");
    expect(parentUri("file:///")).toBeNull();
    expect(parentUri("file:///C:/Users")).toBe("file:///C:/");
    expect(parentUri("file:///C:/")).toBeNull();
  });
});
