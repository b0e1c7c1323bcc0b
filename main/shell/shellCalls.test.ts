import { mkdir, mkdtemp, readFile, rm, stat, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { firstLayout, type Layout } from "../../preload/contract/layout";
import type { Backend } from "../bridge/backend";
import { Attachments } from "./attachments";
import { locateHome, prepareHome } from "./home";
import { checkedLink, type Desktop, type PickOptions, shellCalls } from "./shellCalls";
import { pngOf } from "./testImages";
import { Thumbnails } from "./thumbnails";

let folder = "";
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), "holdfast-calls-"));
});
afterEach(() => rm(folder, { recursive: true, force: true }));

function setUp(picked: string[] = []) {
  const happened: unknown[] = [];
  const pick = (what: string) => async (options: PickOptions) => {
    happened.push([what, options.startAt]);
    return picked;
  };
  const desktop: Desktop = {
    pickFolder: pick("folder"),
    pickFile: pick("file"),
    pickFiles: pick("files"),
    pickPlace: async (options) => (await pick("place")(options))[0] ?? null,
    openLink: async (url) => void happened.push(["link", url]),
    reveal: (path) => happened.push(["reveal", path]),
    copy: (text) => happened.push(["copy", text]),
  };
  const home = locateHome({ HOLDFAST_HOME: join(folder, "home") }, "", "");
  prepareHome(home);
  const images = { scale: () => null };
  let layout = firstLayout;
  const open = async ({ path }: { path: string }) => ({ workspaceId: `opened ${path}` });
  const calls = shellCalls({
    desktop,
    backend: {
      handlers: { "workspaces.open": open, "diagnostics.text": async () => ({ text: "# All is well\n" }) },
    } as unknown as Backend,
    facts: {
      workspacePath: (id) => (id === "w" ? "/was/here" : null),
      relocateWorkspace: async (id, path) => void happened.push(["relocate", id, path]),
      sessionLogPath: (id) => (id === "w" ? join(home.logs, "w.log") : null),
      cleanupLogPath: () => null,
      environmentLogPath: () => null,
      setupLogPath: () => null,
      exports: {
        nameFor: (threadKey) => `Name of ${threadKey}`,
        start: (threadKey, format, path) => `${format} of ${threadKey} into ${path}`,
        markdown: async (threadKey) => `# ${threadKey}`,
      },
    },
    home,
    attachments: new Attachments(home.attachments, images),
    thumbnails: new Thumbnails(images),
    nowMs: () => Date.UTC(2026, 2, 1),
    layout: () => layout,
    remember: (next: Layout) => {
      layout = next;
    },
    abilities: () => ({ notifications: true, tray: true, openAtLogin: true }),
    openWindow: () => happened.push("another window"),
    closeWindow: () => happened.push("window closed"),
    quit: () => happened.push("quit"),
    about: () => happened.push("about"),
    drawn: () => happened.push("drawn"),
  });
  return { calls, happened, home };
}

describe("diagnostics", () => {
  it("are saved where the person says, for nobody else to read; and nowhere when they change their mind", async () => {
    const path = join(folder, "report.md");
    const { calls, happened } = setUp([path]);
    expect(await calls["diagnostics.save"]({})).toEqual({ path });
    expect(happened).toEqual([["place", "holdfast-diagnostics-2026-03-01.md"]]);
    expect(await readFile(path, "utf8")).toBe("# All is well\n");
    expect((await stat(path)).mode & 0o077).toBe(0);
    expect(await setUp().calls["diagnostics.save"]({})).toEqual({ path: null });
  });

  it("that cannot be written there are refused with a way out", async () => {
    const { calls } = setUp([join(folder, "no", "such", "folder.md")]);
    await expect(calls["diagnostics.save"]({})).rejects.toMatchObject({ code: "file_not_written" });
  });
});

const fault = (code: string) => expect.objectContaining({ code });

describe("picking", () => {
  it("a workspace opens the folder, and nothing when the person changes their mind", async () => {
    expect(await setUp(["/picked"]).calls["workspaces.pick"]({})).toEqual({ workspaceId: "opened /picked" });
    expect(await setUp().calls["workspaces.pick"]({})).toEqual({ workspaceId: null });
  });

  it("where a folder is now begins where it was and says so to the workspace", async () => {
    const { calls, happened } = setUp(["/now/here"]);
    expect(await calls["workspaces.locate"]({ workspaceId: "w" })).toEqual({ located: true });
    expect(happened).toEqual([
      ["folder", "/was/here"],
      ["relocate", "w", "/now/here"],
    ]);
    expect(await setUp().calls["workspaces.locate"]({ workspaceId: "w" })).toEqual({ located: false });
    await expect(setUp().calls["workspaces.locate"]({ workspaceId: "x" })).rejects.toThrow(
      fault("workspace_unknown"),
    );
  });

  it("images copies them into Holdfast's own folder", async () => {
    const path = join(folder, "shot.png");
    await writeFile(path, pngOf(3, 3));
    const { calls, home } = setUp([path]);
    const { attachments } = await calls["attachments.pick"]({});
    expect(attachments).toMatchObject([{ kind: "image", name: "shot.png" }]);
    expect(attachments[0]?.path.startsWith(home.attachments)).toBe(true);
    expect(await setUp().calls["attachments.pick"]({})).toEqual({ attachments: [] });
  });

  it("the codex program gives its path", async () => {
    expect(await setUp(["/bin/codex"]).calls["codex.pick"]({})).toEqual({ path: "/bin/codex" });
    expect(await setUp().calls["codex.pick"]({})).toEqual({ path: null });
  });
});

describe("a link", () => {
  it.each(["https://example.org/a?b#c", "http://127.0.0.1:1455/"])("%s is opened", async (url) => {
    const { calls, happened } = setUp();
    await calls["shell.openLink"]({ url });
    expect(happened).toEqual([["link", url]]);
  });

  it.each([
    "file:///etc/passwd",
    "javascript:alert(1)",
    "smb://host/share",
    "ms-settings:x",
    "vscode://x",
    "holdfast://app/",
    "/bin/sh",
    "",
    `https://example.org/${"x".repeat(9000)}`,
  ])("%.40s is refused", (url) => {
    expect(() => checkedLink(url)).toThrow(fault("link_refused"));
  });
});

describe("showing a file", () => {
  it("shows what is there, and says when it is not", async () => {
    const { calls, happened } = setUp();
    await calls["shell.reveal"]({ path: folder });
    expect(happened).toEqual([["reveal", folder]]);
    for (const path of [join(folder, "gone"), "relative"]) {
      await expect(calls["shell.reveal"]({ path })).rejects.toThrow(fault("path_gone"));
    }
    expect(happened).toHaveLength(1);
  });
});

describe("an export", () => {
  it("asks where to, by the thread's name, and begins; or does not when the person changed their mind", async () => {
    const { calls, happened } = setUp(["/there/Name.md"]);
    const asked = { threadKey: "t", format: "markdown" } as const;
    expect(await calls["exports.start"](asked)).toEqual({ exportId: "markdown of t into /there/Name.md" });
    expect(happened).toEqual([["place", "Name of t.md"]]);
    expect(await setUp().calls["exports.start"](asked)).toEqual({ exportId: null });
    expect(await calls["exports.copy"]({ threadKey: "t" })).toEqual({ units: 3 });
    expect(happened).toContainEqual(["copy", "# t"]);
  });
});

describe("a log", () => {
  it("is the main one, or that of a workspace's codex", async () => {
    const { calls, home } = setUp();
    await writeFile(home.mainLog, "main\n");
    await writeFile(join(home.logs, "w.log"), "session\n");
    expect(await calls["logs.tail"]({ log: "main" })).toEqual({ path: home.mainLog, text: "main\n" });
    expect(await calls["logs.tail"]({ log: "session", workspaceId: "w" })).toMatchObject({
      text: "session\n",
    });
    await expect(calls["logs.tail"]({ log: "session", workspaceId: "x" })).rejects.toThrow(fault("no_log"));
  });
});

describe("the rest", () => {
  it("copies, keeps the layout, draws thumbnails", async () => {
    const { calls, happened } = setUp();
    await calls["shell.copy"]({ text: "words" });
    expect(happened).toEqual([["copy", "words"]]);
    const layout = { ...firstLayout, sidebarPx: 300, workspaceId: "w" };
    await calls["window.remember"]({ layout });
    expect(await calls["window.drawn"]({})).toEqual({ done: true });
    expect(await calls["window.layout"]({})).toEqual({ layout });
    await calls["window.openNew"]({});
    await calls["window.close"]({});
    await calls["app.about"]({});
    await calls["app.quit"]({});
    expect(happened).toEqual([
      ["copy", "words"],
      "drawn",
      "another window",
      "window closed",
      "about",
      "quit",
    ]);
    await mkdir(join(folder, "f"));
    await writeFile(join(folder, "f", "a.png"), pngOf(2, 2));
    const { dataUrl } = await calls["attachments.thumbnail"]({ path: join(folder, "f", "a.png") });
    expect(dataUrl).toMatch(/^data:image\/png;base64,/);
  });
});
