import { describe, expect, it } from "vitest";
import { listKey, typeAhead } from "./listKeys";

const press = (key: string, part: { altKey?: boolean; ctrlKey?: boolean; shiftKey?: boolean } = {}) => ({
  key,
  shiftKey: false,
  ctrlKey: false,
  metaKey: false,
  altKey: false,
  ...part,
});

describe("keys in a list", () => {
  it("move inside it, and stay in it", () => {
    expect(listKey(30, 3, press("ArrowDown"))).toEqual({ do: "move", to: 4 });
    expect(listKey(30, 0, press("ArrowUp"))).toEqual({ do: "move", to: 0 });
    expect(listKey(30, -1, press("ArrowUp"))).toEqual({ do: "move", to: 29 });
    expect(listKey(30, 25, press("PageDown"))).toEqual({ do: "move", to: 29 });
    expect(listKey(30, 3, press("End"))).toEqual({ do: "move", to: 29 });
  });

  it("open, remove and go up", () => {
    expect(listKey(3, 1, press("Enter"))).toEqual({ do: "open" });
    expect(listKey(3, 1, press("Delete"))).toEqual({ do: "remove" });
    expect(listKey(3, 1, press("Backspace"))).toEqual({ do: "up" });
    expect(listKey(3, 1, press("F10", { shiftKey: true }))).toEqual({ do: "menu" });
  });

  it("go up out of an empty one, and do nothing else in it", () => {
    expect(listKey(0, -1, press("Backspace"))).toEqual({ do: "up" });
    expect(listKey(0, -1, press("ArrowUp", { altKey: true }))).toEqual({ do: "up" });
    expect(listKey(0, -1, press("ArrowDown"))).toBeNull();
    expect(listKey(0, -1, press("Enter"))).toBeNull();
  });

  it("leave the window its shortcuts", () => {
    expect(listKey(3, 1, press("k", { ctrlKey: true }))).toBeNull();
    expect(listKey(3, 1, press("/"))).toBeNull();
    expect(listKey(3, 1, press("b"))).toEqual({ do: "type", letter: "b" });
  });
});

describe("typing in a list", () => {
  const names = ["alpha", "beta", "Brook", "gamma"];

  it("goes to the next name that begins so, around the end", () => {
    expect(typeAhead(names, 0, "b")).toBe(1);
    expect(typeAhead(names, 1, "b")).toBe(2);
    expect(typeAhead(names, 2, "b")).toBe(1);
    expect(typeAhead(names, 3, "a")).toBe(0);
  });

  it("stays where more letters fit as well", () => {
    expect(typeAhead(names, 2, "br")).toBe(2);
    expect(typeAhead(names, 0, "zz")).toBe(0);
  });
});
