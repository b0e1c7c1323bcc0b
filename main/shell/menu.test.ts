import type { MenuItemConstructorOptions } from "electron";
import { describe, expect, it } from "vitest";
import { portMessageSchema } from "../../preload/contract";
import { menuTemplate } from "./menu";

const platforms = ["linux", "win32", "darwin"] as const;

function build(platform: NodeJS.Platform, development = false) {
  const happened: string[] = [];
  const template = menuTemplate({
    platform,
    development,
    command: (command) => happened.push(command),
    newWindow: () => happened.push("new window"),
    showLogs: () => happened.push("logs"),
    about: () => happened.push("about"),
    lookForUpdates: () => happened.push("updates"),
  });
  const items = template.flatMap((menu) => menu.submenu as MenuItemConstructorOptions[]);
  return { template, items, happened };
}

const commands = portMessageSchema.options
  .flatMap((option) => ("command" in option.shape ? [option.shape.command.options] : []))
  .flat();

describe.each(platforms)("the menu on %s", (platform) => {
  it("has each command of the contract once, and sends it", () => {
    const { items, happened } = build(platform);
    expect(commands.length).toBeGreaterThan(5);
    for (const command of commands) {
      const found = items.filter((item) => item.id === command);
      expect(found).toHaveLength(1);
      found[0]?.click?.({} as never, undefined, {} as never);
    }
    expect(happened).toEqual(commands);
  });

  it("gives no accelerator twice", () => {
    const accelerators = build(platform).items.flatMap((item) => item.accelerator ?? []);
    expect(new Set(accelerators).size).toBe(accelerators.length);
  });

  it("can quit, and copy and paste", () => {
    const roles = build(platform).items.map((item) => item.role);
    for (const role of ["quit", "copy", "paste", "selectAll", "undo", "reload"] as const) {
      expect(roles.filter((one) => one === role)).toHaveLength(1);
    }
  });

  it("has the developer tools in development only", () => {
    const has = (development: boolean) =>
      build(platform, development).items.some((item) => item.role === "toggleDevTools");
    expect([has(true), has(false)]).toEqual([true, false]);
  });
});

describe("the menu", () => {
  it("begins with the app's own menu on a Mac only", () => {
    expect(build("darwin").template[0]?.label).toBe("Holdfast");
    expect(build("linux").template[0]?.label).toBe("File");
  });
});
