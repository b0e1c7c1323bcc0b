// The calls that need the desktop: dialogs, files that the person picks, links, the clipboard, logs, this window itself.

import { stat, writeFile } from "node:fs/promises";
import { isAbsolute } from "node:path";
import type { CallParams, CallResult } from "../../preload/contract";
import type { Layout } from "../../preload/contract/layout";
import type { Backend, Handlers, ShellCall } from "../bridge/backend";
import { asFault, Fault } from "../fault";
import type { Exports } from "../threads/exporting/exports";
import type { Attachments } from "./attachments";
import type { Home } from "./home";
import { imageEndings } from "./imageInfo";
import { tailLog } from "./logTail";
import type { Thumbnails } from "./thumbnails";

export interface PickOptions {
  title: string;
  button: string;
  /** Where the dialog begins. */
  startAt?: string;
  filters?: { name: string; extensions: string[] }[];
}

/** The desktop as one window uses it. An empty list: the person changed their mind. */
export interface Desktop {
  pickFolder(options: PickOptions): Promise<string[]>;
  pickFile(options: PickOptions): Promise<string[]>;
  pickFiles(options: PickOptions): Promise<string[]>;
  /** Where to write a file; what is there already was asked about. null: the person changed their mind. */
  pickPlace(options: PickOptions): Promise<string | null>;
  openLink(url: string): Promise<void>;
  reveal(path: string): void;
  copy(text: string): void;
}

/** What the shell needs to know of the rest. */
export interface ShellFacts {
  /** null when there is no such workspace. */
  workspacePath(workspaceId: string): string | null;
  /** The folder of this workspace is now at `path`. Throws Fault. */
  relocateWorkspace(workspaceId: string, path: string): Promise<void>;
  /** The log of the codex of this workspace; null when there is none. */
  sessionLogPath(workspaceId: string): string | null;
  /** The log of the process that a cleanup is about; null when there is none. */
  cleanupLogPath(id: string): string | null;
  /** The log of the exec-server of a local environment; null when there is none. */
  environmentLogPath(environmentId: string): string | null;
  /** What the last set-up of a worktree has printed; null when there was none that is known. */
  setupLogPath(workspaceId: string): string | null;
  exports: Pick<Exports, "nameFor" | "start" | "markdown">;
}

export interface ShellCallOptions {
  desktop: Desktop;
  backend: Backend;
  facts: ShellFacts;
  home: Home;
  attachments: Attachments;
  thumbnails: Thumbnails;
  nowMs(): number;
  layout(): Layout;
  remember(layout: Layout): void;
  /** What this desktop can do besides showing windows. */
  abilities(): CallResult<"attention.desktop">;
  /** A window beside this one. */
  openWindow(): void;
  closeWindow(): void;
  quit(): void;
  about(): void;
  /** This window has drawn what it shows. */
  drawn(): void;
}

const done = { done: true } as const;
const exportFiles = {
  markdown: { title: "Export the thread as Markdown", filters: [{ name: "Markdown", extensions: ["md"] }] },
  json: { title: "Export the thread as JSON", filters: [{ name: "JSON", extensions: ["json"] }] },
};
const longestLink = 8192;

export function shellCalls(options: ShellCallOptions): Handlers<ShellCall> {
  const { desktop, backend, facts, home, attachments, thumbnails } = options;
  const logPath = (asked: CallParams<"logs.tail">): string | null => {
    switch (asked.log) {
      case "main":
        return home.mainLog;
      case "session":
        return facts.sessionLogPath(asked.workspaceId);
      case "cleanup":
        return facts.cleanupLogPath(asked.id);
      case "environment":
        return facts.environmentLogPath(asked.environmentId);
      case "setup":
        return facts.setupLogPath(asked.workspaceId);
      default:
        return asked satisfies never;
    }
  };
  return {
    async "attention.desktop"() {
      return options.abilities();
    },

    async "workspaces.pick"() {
      const [path] = await desktop.pickFolder({ title: "Open a folder as a workspace", button: "Open" });
      if (path === undefined) return { workspaceId: null };
      return backend.handlers["workspaces.open"]({ path });
    },

    async "workspaces.locate"({ workspaceId }) {
      const startAt = facts.workspacePath(workspaceId);
      if (startAt === null) throw new Fault("workspace_unknown", "There is no such workspace any more.");
      const [path] = await desktop.pickFolder({
        title: "Where is this folder now?",
        button: "Choose",
        startAt,
      });
      if (path === undefined) return { located: false };
      await facts.relocateWorkspace(workspaceId, path);
      return { located: true };
    },

    async "attachments.pick"() {
      const paths = await desktop.pickFiles({
        title: "Attach images",
        button: "Attach",
        filters: [{ name: "Images", extensions: imageEndings }],
      });
      return { attachments: await attachments.saveFiles(paths) };
    },

    async "attachments.save"({ name, bytes }) {
      return { attachment: await attachments.save(name, bytes) };
    },

    async "attachments.thumbnail"({ path }) {
      return { dataUrl: await thumbnails.of(path) };
    },

    async "codex.pick"() {
      const [path] = await desktop.pickFile({ title: "Choose the codex program", button: "Choose" });
      return { path: path ?? null };
    },

    async "environments.pickFile"() {
      const [path] = await desktop.pickFile({
        title: "Choose the file that says where the environment is",
        button: "Choose",
      });
      return { path: path ?? null };
    },

    async "exports.start"({ threadKey, format }) {
      const { title, filters } = exportFiles[format];
      const ending = filters[0]?.extensions[0] ?? "";
      const path = await desktop.pickPlace({
        title,
        button: "Export",
        startAt: `${facts.exports.nameFor(threadKey)}.${ending}`,
        filters,
      });
      return { exportId: path === null ? null : facts.exports.start(threadKey, format, path) };
    },

    async "exports.copy"({ threadKey }) {
      const text = await facts.exports.markdown(threadKey);
      desktop.copy(text);
      return { units: text.length };
    },

    async "diagnostics.save"() {
      const day = new Date(options.nowMs()).toISOString().slice(0, 10);
      const path = await desktop.pickPlace({
        title: "Save the diagnostics",
        button: "Save",
        startAt: `holdfast-diagnostics-${day}.md`,
        filters: [{ name: "Markdown", extensions: ["md"] }],
      });
      if (path === null) return { path };
      const { text } = await backend.handlers["diagnostics.text"]({});
      try {
        await writeFile(path, text, { mode: 0o600 });
      } catch (error) {
        throw new Fault("file_not_written", "The diagnostics could not be saved there.", {
          hint: "Choose another folder, or copy them.",
          detail: asFault(error).message,
          retryable: true,
          cause: error,
        });
      }
      return { path };
    },

    async "shell.openLink"({ url }) {
      await desktop.openLink(checkedLink(url));
      return done;
    },

    async "shell.reveal"({ path }) {
      if (!isAbsolute(path)) throw new Fault("path_gone", `${path} is no full path.`);
      try {
        await stat(path);
      } catch (error) {
        throw new Fault("path_gone", `${path} is not there any more.`, { cause: error });
      }
      desktop.reveal(path);
      return done;
    },

    async "shell.copy"({ text }) {
      desktop.copy(text);
      return done;
    },

    async "logs.tail"(params) {
      const path = logPath(params);
      if (path === null) throw new Fault("no_log", "There is no log of this yet.");
      return { path, text: await tailLog(path, home.logs) };
    },

    async "window.remember"({ layout }) {
      options.remember(layout);
      return done;
    },

    async "window.openNew"() {
      options.openWindow();
      return done;
    },

    async "window.close"() {
      options.closeWindow();
      return done;
    },

    async "app.quit"() {
      options.quit();
      return done;
    },

    async "app.about"() {
      options.about();
      return done;
    },

    async "window.layout"() {
      return { layout: options.layout() };
    },

    async "window.drawn"() {
      options.drawn();
      return done;
    },
  };
}

/** Links go to the person's browser, and to nothing else that may be registered on the machine. */
export function checkedLink(link: string): string {
  let url: URL | null = null;
  try {
    url = new URL(link);
  } catch {
    // Said below, in the same words as for a link of another kind.
  }
  if (!url || (url.protocol !== "https:" && url.protocol !== "http:") || url.href.length > longestLink) {
    throw new Fault("link_refused", "Only links to web pages can be opened.", { detail: link.slice(0, 300) });
  }
  return url.href;
}
