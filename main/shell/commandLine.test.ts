import { describe, expect, it } from "vitest";
import { helpText, parseCommandLine, relaunchArguments, userArguments } from "./commandLine";

const parse = (...args: string[]) => parseCommandLine(args, "/base/here");

describe("the command line", () => {
  it("without anything opens no folder", () => {
    expect(parse()).toEqual({ kind: "open", folder: null, hidden: false });
  });

  it.each([
    ["project", "/base/here/project"],
    ["..", "/base"],
    ["/a/b c/ü", "/a/b c/ü"],
    [".", "/base/here"],
  ])("opens %s", (given, folder) => {
    expect(parse(given)).toEqual({ kind: "open", folder, hidden: false });
  });

  it("takes a folder that looks like an option after --", () => {
    expect(parse("--", "--odd")).toEqual({ kind: "open", folder: "/base/here/--odd", hidden: false });
  });

  it("knows --version and --help, whatever else is there", () => {
    expect(parse("--version")).toEqual({ kind: "version" });
    expect(parse("folder", "--help")).toEqual({ kind: "help" });
    expect(parse("--no-sandbox", "-v")).toEqual({ kind: "version" });
  });

  it.each(["--frobnicate", "--versions", "-x", "--version=1"])("refuses %s, naming it", (option) => {
    const result = parse(option);
    expect(result.kind).toBe("error");
    expect(result).toMatchObject({ message: expect.stringContaining(option) });
  });

  it("refuses a second folder and an empty one", () => {
    expect(parse("a", "b").kind).toBe("error");
    expect(parse("").kind).toBe("error");
  });

  it.each([
    "--no-sandbox",
    "--inspect=0",
    "--inspect-brk",
    "--remote-debugging-port=0",
    "--disable-gpu",
    "--disable-dev-shm-usage",
    "--enable-logging=stderr",
    "--enable-features=A,B",
    "--force-device-scale-factor=2",
    "--ozone-platform=x11",
    "--ozone-platform-hint=auto",
    "--user-data-dir=/tmp/x",
    "--allow-file-access-from-files",
    "--original-process-start-time=133",
    "--js-flags=--expose-gc",
    "--lang=de",
    "--password-store=basic",
    "-psn_0_12345",
  ])("leaves %s to Electron and Chromium", (option) => {
    expect(parse(option, "folder")).toEqual({ kind: "open", folder: "/base/here/folder", hidden: false });
  });

  it("is what comes after the app's folder when Electron runs it from one", () => {
    const argv = ["electron", "-r", "/loader.js", "--no-sandbox", "--inspect=0", "/app", "--x", "/folder"];
    expect(userArguments(argv, true)).toEqual(["--x", "/folder"]);
    expect(userArguments(["electron", "."], true)).toEqual([]);
    expect(userArguments(["electron"], true)).toEqual([]);
  });

  it("is everything but the program when the app is installed", () => {
    expect(userArguments(["/opt/holdfast", "--no-sandbox", "/folder"], false)).toEqual([
      "--no-sandbox",
      "/folder",
    ]);
  });

  it("of a new start has the same switches and the other folder", () => {
    const argv = ["electron", "--no-sandbox", "/app", "--lang=de", "/old"];
    expect(relaunchArguments(argv, true, "/new")).toEqual([
      "--no-sandbox",
      "/app",
      "--lang=de",
      "--",
      "/new",
    ]);
    expect(relaunchArguments(argv, true, null)).toEqual(["--no-sandbox", "/app", "--lang=de"]);
    expect(relaunchArguments(["/opt/holdfast", "--", "--odd"], false, "/new")).toEqual(["--", "/new"]);
  });

  it("has a help text that names what it takes", () => {
    for (const word of ["FOLDER", "--version", "--help", "HOLDFAST_HOME", "HOLDFAST_CODEX", "CODEX_HOME"]) {
      expect(helpText).toContain(word);
    }
  });
});
