import { chmod, mkdir, mkdtemp, readdir, rm, stat, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { locateHome, prepareHome } from "./home";

describe("where the home is", () => {
  it("is HOLDFAST_HOME when that is set", () => {
    expect(locateHome({ HOLDFAST_HOME: "/data/hf/" }, "/appdata", "/cwd").path).toBe("/data/hf");
    expect(locateHome({ HOLDFAST_HOME: "rel" }, "/appdata", "/cwd").path).toBe("/cwd/rel");
  });

  it("is in the platform's folder otherwise, also when HOLDFAST_HOME is empty", () => {
    expect(locateHome({}, "/appdata", "/cwd").path).toBe("/appdata/Holdfast");
    expect(locateHome({ HOLDFAST_HOME: "" }, "/appdata", "/cwd").path).toBe("/appdata/Holdfast");
  });

  it("has everything inside it", () => {
    const { path, ...places } = locateHome({ HOLDFAST_HOME: "/h" }, "/appdata", "/cwd");
    for (const place of Object.values(places)) expect(place.startsWith(`${path}/`)).toBe(true);
    expect(places).toMatchObject({ ledger: "/h/holdfast.db", mainLog: "/h/logs/main.log" });
  });
});

describe("preparing the home", () => {
  let folder = "";
  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), "holdfast-home-"));
  });
  afterEach(() => rm(folder, { recursive: true, force: true }));
  const locate = (name: string) => locateHome({ HOLDFAST_HOME: join(folder, name) }, "", "");

  it("makes its folders, closed to others", async () => {
    const home = locate("deep/new");
    prepareHome(home);
    expect((await readdir(home.path)).sort()).toEqual(["attachments", "electron", "logs"]);
    for (const place of [home.path, home.logs, home.attachments, home.electron]) {
      expect((await stat(place)).mode & 0o777).toBe(0o700);
    }
  });

  it("closes a home that was open to others, and leaves what is in it", async () => {
    const home = locate("old");
    await mkdir(home.path);
    await chmod(home.path, 0o755);
    await writeFile(home.ledger, "kept");
    prepareHome(home);
    prepareHome(home);
    expect((await stat(home.path)).mode & 0o777).toBe(0o700);
    expect((await stat(home.ledger)).size).toBe(4);
  });

  it("says which folder cannot be used when a file is in its place", async () => {
    const home = locate("file");
    await writeFile(home.path, "a file");
    expect(() => prepareHome(home)).toThrow(
      expect.objectContaining({ code: "home_unusable", message: expect.stringContaining(home.path) }),
    );
  });
});
