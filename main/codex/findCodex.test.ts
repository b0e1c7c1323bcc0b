import { existsSync, readFileSync } from "node:fs";
import { chmod, mkdir, mkdtemp, realpath, rm, symlink, utimes, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { ManualClock, systemClock } from "../clock";
import { type CodexFinderOptions, type CodexSearchRequest, createCodexFinder } from "./findCodex";
import { wellKnownFolders } from "./wellKnownFolders";

let root: string;

beforeEach(async () => {
  root = await realpath(await mkdtemp(join(tmpdir(), "holdfast-find-")));
});

afterEach(async () => {
  await rm(root, { recursive: true });
  expect(existsSync(root)).toBe(false);
});

async function file(path: string, text: string, mode = 0o755): Promise<string> {
  const full = join(root, path);
  await mkdir(dirname(full), { recursive: true });
  await writeFile(full, text);
  await chmod(full, mode);
  return full;
}

const answering = (version: string) => `#!/bin/sh\necho "codex-cli ${version}"\n`;
const shim = '#!/usr/bin/env node\nconsole.log("codex-cli 0.0.1");\n';
const triple = "x86_64-unknown-linux-musl";

function finder(options: Partial<CodexFinderOptions> = {}) {
  return createCodexFinder({
    clock: systemClock,
    environmentPath: undefined,
    homeFolder: join(root, "home"),
    bundledRoot: null,
    platform: { platform: "linux", arch: "x64" },
    knownFolders: async () => [join(root, "known")],
    ...options,
  });
}

const request = (overrides: Partial<CodexSearchRequest> = {}): CodexSearchRequest => ({
  setting: null,
  env: { PATH: `${join(root, "path")}:/usr/bin:/bin` },
  ...overrides,
});

/** codex's npm package with its script; the caller puts the platform package where it wants it. */
async function npmPackage(modules: string): Promise<string> {
  await file(join(modules, "@openai/codex/package.json"), '{"name":"@openai/codex"}', 0o644);
  return file(join(modules, "@openai/codex/bin/codex.js"), shim);
}
const native = (modules: string, version = "0.9.9") =>
  file(join(modules, `@openai/codex-linux-x64/vendor/${triple}/bin/codex`), answering(version));

describe.skipIf(process.platform === "win32")("the order of the search", () => {
  it("is HOLDFAST_CODEX, the setting, the login shell's PATH, known folders, the bundled binary", async () => {
    const environmentPath = await file("env/codex", answering("1.0.0"));
    const setting = await file("setting/codex", answering("2.0.0"));
    const onPath = await file("path/codex", answering("3.0.0"));
    const known = await file("known/codex", answering("4.0.0"));
    const bundled = await native("app/node_modules", "5.0.0");
    const bundledRoot = join(root, "app");

    const found = async (
      options: Partial<CodexFinderOptions>,
      overrides: Partial<CodexSearchRequest> = {},
    ) => {
      const search = await finder({ bundledRoot, ...options }).find(request(overrides));
      return search.found ? [search.binary.origin, search.binary.path, search.binary.version] : search.fault;
    };
    expect(await found({ environmentPath }, { setting })).toEqual(["environment", environmentPath, "1.0.0"]);
    expect(await found({}, { setting })).toEqual(["setting", setting, "2.0.0"]);
    expect(await found({})).toEqual(["loginPath", onPath, "3.0.0"]);
    await rm(onPath);
    expect(await found({})).toEqual(["wellKnownFolder", known, "4.0.0"]);
    await rm(known);
    expect(await found({})).toEqual(["bundled", bundled, "5.0.0"]);
  });

  it("passes over what does not work and says what was wrong with it", async () => {
    const broken = await file("path/codex", "#!/bin/sh\necho 'no such option' >&2\nexit 2\n");
    const foreign = await file("known/codex", "#!/no/such/interpreter\n");
    await native("app/node_modules");
    const search = await finder({ bundledRoot: join(root, "app") }).find(request());
    expect(search.found && search.binary.origin).toBe("bundled");
    expect(search.tried).toMatchObject([
      { place: broken, outcome: "ended with code 2 when asked for its version: no such option" },
      { place: foreign, outcome: "cannot be started: the program that its first line names does not exist" },
      { origin: "bundled", outcome: "is codex 0.9.9" },
    ]);
  });

  it("lists every place when there is nothing, and finds it there afterwards without a restart", async () => {
    const source = finder({ bundledRoot: join(root, "app") });
    const search = await source.find(request());
    expect(search).toMatchObject({ found: false, fault: { code: "codex_not_found", retryable: true } });
    expect(search.tried).toEqual([
      { origin: "loginPath", place: `${root}/path:/usr/bin:/bin`, outcome: "have no codex" },
      { origin: "wellKnownFolder", place: `${root}/known`, outcome: "have no codex" },
      { origin: "bundled", place: `${root}/app`, outcome: "does not come with a codex for linux-x64" },
    ]);
    await file("known/codex", answering("1.0.0"));
    expect((await source.find(request())).found).toBe(true);
  });

  it("never takes a file that may not be executed, nor one in a relative PATH entry", async () => {
    const path = await file("path/codex", answering("1.0.0"), 0o644);
    const search = await finder().find(request({ env: { PATH: `.:relative::${join(root, "path")}` } }));
    expect(search.found).toBe(false);
    expect(search.tried[0]).toMatchObject({
      place: path,
      outcome: "may not be executed (its permissions forbid it)",
    });
  });

  it("says so when the PATH is empty", async () => {
    const search = await finder().find(request({ env: {} }));
    expect(search.tried[0]).toEqual({ origin: "loginPath", place: "PATH", outcome: "is empty" });
  });

  it("finds a codex that only nvm knows, when started with next to no environment", async () => {
    const homeFolder = join(root, "home");
    const path = await file("home/.nvm/versions/node/v22.1.0/bin/codex", answering("1.0.0"));
    const env = { HOME: homeFolder, PATH: "/usr/bin:/bin" };
    const knownFolders = async () =>
      (await wellKnownFolders({ platform: "linux", homeFolder, env })).filter((folder) =>
        folder.startsWith(root),
      );
    const search = await finder({ knownFolders }).find(request({ env }));
    expect(search).toMatchObject({
      found: true,
      binary: { path, origin: "wellKnownFolder", version: "1.0.0" },
    });
  });

  it("searches the bundle beside the app's archive", async () => {
    const path = await native("resources/app.asar.unpacked/node_modules");
    const search = await finder({ bundledRoot: join(root, "resources/app.asar") }).find(request());
    expect(search).toMatchObject({ found: true, binary: { path, origin: "bundled" } });
  });
});

describe.skipIf(process.platform === "win32")("a path that a person has given", () => {
  it("is never replaced by another binary when it does not work", async () => {
    await file("path/codex", answering("3.0.0"));
    for (const [path, why] of [
      [join(root, "missing"), "does not exist or is not a file"],
      [root, "does not exist or is not a file"],
      [await file("text", "hello", 0o644), "may not be executed"],
      [await file("broken", "#!/bin/sh\nexit 127\n"), "ended with code 127"],
      [await file("killed", "#!/bin/sh\nkill -9 $$\n"), "ended by SIGKILL"],
      ["codex", "is not a full path"],
    ] as const) {
      const search = await finder().find(request({ setting: path }));
      expect(search).toMatchObject({
        found: false,
        fault: { code: "codex_unusable" },
        tried: [{ origin: "setting" }],
      });
      expect(search.found ? "" : search.fault.message).toContain(why);
      expect(search.found ? "" : search.fault.hint).toContain("Settings");
    }
    const search = await finder({ environmentPath: "missing", workingFolder: root }).find(request());
    expect(search).toMatchObject({
      found: false,
      tried: [{ origin: "environment", place: join(root, "missing") }],
    });
    expect(search.found ? "" : search.fault.hint).toContain("HOLDFAST_CODEX");
  });

  it("may be quoted, start at home, or be blank for none", async () => {
    const path = await file("home/bin/my codex", answering("1.0.0"));
    for (const setting of ["~/bin/my codex", `"${path}"`, ` ${path} `]) {
      expect(await finder().find(request({ setting }))).toMatchObject({ found: true, binary: { path } });
    }
    await file("path/codex", answering("3.0.0"));
    expect(await finder({ environmentPath: "" }).find(request({ setting: "  " }))).toMatchObject({
      binary: { origin: "loginPath" },
    });
  });

  it("may be slow; another one may not", async () => {
    const path = await file("slow/codex", `#!/bin/sh\n: > ${root}/asked\nexec sleep 60\n`);
    const clock = new ManualClock();
    const asked = async () => {
      while (!existsSync(join(root, "asked"))) await new Promise((resolve) => setImmediate(resolve));
      await rm(join(root, "asked"));
      clock.advance(5_000);
    };
    const chosen = finder({ clock, environmentPath: path }).find(request());
    await asked();
    expect(await chosen).toMatchObject({
      found: true,
      binary: { path, version: null },
      tried: [{ outcome: "is used, but did not answer --version within 5 s" }],
    });
    const onPath = finder({ clock }).find(request({ env: { PATH: `${dirname(path)}:/bin` } }));
    await asked();
    expect(await onPath).toMatchObject({ found: false });
  });

  it("may be a wrapper that prints a banner, or no version at all", async () => {
    const banner = await file(
      "a",
      '#!/bin/sh\nprintf "\\033[1mmise 2025.1.1\\033[0m activated\\n\\ncodex-cli 0.171.0\\n"\n',
    );
    expect(await finder().find(request({ setting: banner }))).toMatchObject({
      binary: { version: "0.171.0" },
    });
    const silent = await file("b", "#!/bin/sh\n");
    expect(await finder().find(request({ setting: silent }))).toMatchObject({
      binary: { version: null, path: silent },
    });
  });
});

describe.skipIf(process.platform === "win32")("codex's npm package", () => {
  it("is started by its native binary, wherever the package manager has put that", async () => {
    for (const [modules, nativeIn] of [
      ["beside/lib/node_modules", "beside/lib/node_modules"],
      ["nested/lib/node_modules", "nested/lib/node_modules/@openai/codex/node_modules"],
      ["above/node_modules/tool/node_modules", "above/node_modules"],
    ] as const) {
      const script = await npmPackage(modules);
      const path = await native(nativeIn);
      await mkdir(join(root, modules, "bin"), { recursive: true });
      await symlink(script, join(root, modules, "bin/codex"));
      const search = await finder().find(request({ env: { PATH: join(root, modules, "bin") } }));
      expect(search).toMatchObject({ found: true, binary: { path, argsPrefix: [], version: "0.9.9" } });
      expect(search.tried[0]?.outcome).toBe(`is codex 0.9.9, started as ${path}`);
    }
  });

  it("is found in its own vendor folder, as older versions had it", async () => {
    const script = await npmPackage("old/node_modules");
    const path = await file(
      `old/node_modules/@openai/codex/vendor/${triple}/codex/codex`,
      answering("0.40.0"),
    );
    expect(await finder().find(request({ setting: script }))).toMatchObject({
      binary: { path, version: "0.40.0" },
    });
  });

  it("is found behind pnpm's shell script and npm's .cmd file", async () => {
    await npmPackage("global/5/node_modules");
    const path = await native("global/5/node_modules");
    const pnpm = await file(
      "pnpm",
      '#!/bin/sh\nexec node  "$basedir/global/5/node_modules/@openai/codex/bin/codex.js" "$@"\n',
    );
    const cmd = await file(
      "codex.cmd",
      '@ECHO off\r\n"%_prog%"  "%dp0%\\global\\5\\node_modules\\@openai\\codex\\bin\\codex.js" %*\r\n',
      0o644,
    );
    for (const setting of [pnpm, cmd]) {
      expect(await finder().find(request({ setting }))).toMatchObject({ found: true, binary: { path } });
    }
  });

  it("is started with node when its native binary is not there", async () => {
    const script = await npmPackage("bare/node_modules");
    const node = await file("path/node", `#!/bin/sh\nexec ${process.execPath} "$@"\n`);
    const search = await finder().find(request({ setting: script }));
    expect(search).toMatchObject({
      found: true,
      binary: { path: node, argsPrefix: [script], version: "0.0.1" },
    });
    const without = await finder().find(request({ setting: script, env: { PATH: "/no/such/folder" } }));
    expect(without).toMatchObject({ found: false });
    expect(without.found ? "" : without.fault.message).toContain("no node beside it or on the PATH");
  });

  it("is not what another script near it is: that one is started itself", async () => {
    await npmPackage("project/node_modules");
    await native("project/node_modules");
    const script = await file("project/bin/codex.mjs", 'console.log("codex-cli 7.0.0")\n', 0o644);
    const node = await file("path/node", `#!/bin/sh\nexec ${process.execPath} "$@"\n`);
    expect(await finder().find(request({ setting: script }))).toMatchObject({
      binary: { path: node, argsPrefix: [script], version: "7.0.0" },
    });
    const wrapper = await file("project/bin/wrapper", answering("8.0.0"));
    expect(await finder().find(request({ setting: wrapper }))).toMatchObject({
      binary: { path: wrapper, argsPrefix: [] },
    });
  });

  it("of this very project is found and answers", async () => {
    const search = await finder({ bundledRoot: process.cwd(), platform: process }).find(request());
    expect(search).toMatchObject({ found: true, binary: { origin: "bundled", argsPrefix: [] } });
    expect(search.found && search.binary.version).toMatch(/^\d+\.\d+\.\d+/);
  });
});

describe.skipIf(process.platform === "win32")("the version", () => {
  it("is asked for once while the file stays the same, and again when it changes", async () => {
    const counting = (version: string) => `#!/bin/sh\necho x >> ${root}/count\necho codex-cli ${version}\n`;
    const path = await file("codex", counting("1.0.0"));
    const source = finder();
    const ask = async () => {
      const search = await source.find(request({ setting: path }));
      return search.found && search.binary.version;
    };
    expect([await ask(), await ask()]).toEqual(["1.0.0", "1.0.0"]);
    await file("codex", counting("2.0.0"));
    await utimes(path, 1, 1);
    expect([await ask(), await ask()]).toEqual(["2.0.0", "2.0.0"]);
    await utimes(path, 2, 2);
    await ask();
    expect(readFileSync(join(root, "count"), "utf8")).toBe("x\nx\nx\n");
  });

  it("is asked for again after it could not be given", async () => {
    const path = await file("codex", `#!/bin/sh\ntest -e ${root}/ready && echo codex 1.0.0\n`);
    const source = finder();
    expect((await source.find(request({ setting: path }))).found).toBe(false);
    await file("ready", "");
    expect((await source.find(request({ setting: path }))).found).toBe(true);
  });
});

describe("the folders of known installers", () => {
  it("start with the person's own, and have nvm's newest Node first", async () => {
    for (const version of ["v9.11.2", "v22.1.0", "v20.19.0"])
      await mkdir(join(root, ".nvm/versions/node", version), { recursive: true });
    const folders = await wellKnownFolders({ platform: "linux", homeFolder: root, env: {} });
    expect(folders[0]).toBe(join(root, ".local/bin"));
    expect(folders).toContain("/opt/homebrew/bin");
    expect(folders.filter((folder) => folder.includes(".nvm"))).toEqual(
      ["v22.1.0", "v20.19.0", "v9.11.2"].map((version) => join(root, ".nvm/versions/node", version, "bin")),
    );
  });

  it("follow the variables that move them", async () => {
    const env = { VOLTA_HOME: "/v", BUN_INSTALL: "/b", CARGO_HOME: "/c", PNPM_HOME: "/p" };
    const folders = await wellKnownFolders({ platform: "darwin", homeFolder: root, env });
    expect(folders).toEqual(expect.arrayContaining(["/v/bin", "/b/bin", "/c/bin", "/p"]));
  });

  it("are Windows' own on Windows", async () => {
    const env = { APPDATA: "C:\\Users\\me\\AppData\\Roaming" };
    const folders = await wellKnownFolders({ platform: "win32", homeFolder: "C:\\Users\\me", env });
    expect(folders).toContain("C:\\Users\\me\\AppData\\Roaming\\npm");
    expect(folders).toContain("C:\\Users\\me\\AppData\\Local\\Volta\\bin");
  });
});
