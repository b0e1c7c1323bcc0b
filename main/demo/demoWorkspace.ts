// What the demo keeps on disk, all of it under HOLDFAST_HOME/demo: the sample project and a CODEX_HOME of its own, so that the
// person's codex is neither read nor changed.
//
// The sample project belongs to the person as soon as it is there: it is made under another name and moved into place whole,
// and a folder that exists is never written to. Only one Holdfast runs on a home at a time, so nobody else makes it meanwhile.

import { createHash } from "node:crypto";
import { chmod, mkdir, readFile, rename, rm, stat, writeFile } from "node:fs/promises";
import path from "node:path";
import { execa } from "execa";
import { Fault } from "../fault";
import type { Log } from "../log";
import { projectFiles } from "./demoProject";
import { modelCatalog } from "./modelCatalog";

export const demoModel = "holdfast-demo";
export const demoProvider = "holdfast-demo";
/** The variable in which codex finds the token of the demo's model server. */
export const tokenVariable = "HOLDFAST_DEMO_TOKEN";

export interface DemoFolders {
  root: string;
  workspacePath: string;
  codexHome: string;
}

export function demoFolders(home: string): DemoFolders {
  const root = path.join(home, "demo");
  return { root, workspacePath: path.join(root, "workspace"), codexHome: path.join(root, "codex-home") };
}

/** Makes what is missing. Fails with the code `demo_unusable`. */
export async function prepareDemo(folders: DemoFolders, log: Log): Promise<void> {
  try {
    await privateFolder(folders.root);
    await makeWorkspace(folders, log);
    await makeCodexHome(folders);
  } catch (error) {
    throw new Fault("demo_unusable", `The demo cannot use its folder ${folders.root}.`, {
      hint: "Check that it can be written to and that the disk is not full.",
      detail: error instanceof Error ? error.message : String(error),
      retryable: true,
      cause: error,
    });
  }
}

async function makeWorkspace({ root, workspacePath }: DemoFolders, log: Log): Promise<void> {
  if (await exists(workspacePath)) return;
  const unfinished = path.join(root, "workspace.unfinished");
  await rm(unfinished, { recursive: true, force: true });
  for (const [name, content] of Object.entries(projectFiles)) {
    const file = path.join(unfinished, name);
    await mkdir(path.dirname(file), { recursive: true });
    await writeFile(file, content);
  }
  await makeRepository(unfinished, log);
  await rename(unfinished, workspacePath);
}

/** One commit to start from. Without git the demo does without. */
async function makeRepository(folder: string, log: Log): Promise<void> {
  const commands = [
    ["init", "--quiet"],
    // The person's own settings must not make the demo's commits fail, or appear in them.
    ["config", "user.name", "Holdfast demo"],
    ["config", "user.email", "demo@holdfast.invalid"],
    ["config", "commit.gpgSign", "false"],
    ["config", "core.hooksPath", ".git/hooks"],
    ["config", "core.autocrlf", "false"],
    ["add", "."],
    ["commit", "--quiet", "--message", "Postcards, as they came"],
  ];
  try {
    for (const args of commands) {
      await execa("git", args, { cwd: folder, stdin: "ignore", timeout: 10_000, env: gitEnvironment });
    }
  } catch (error) {
    const detail = error instanceof Error ? error.message.slice(0, 500) : String(error);
    log.warn("demo: the sample project has no git repository", { detail });
    await rm(path.join(folder, ".git"), { recursive: true, force: true });
  }
}

/** The repository is this folder's, whatever a surrounding git has set, and nothing ever asks. */
const gitEnvironment = {
  GIT_DIR: undefined,
  GIT_WORK_TREE: undefined,
  GIT_INDEX_FILE: undefined,
  GIT_TEMPLATE_DIR: "",
  GIT_TERMINAL_PROMPT: "0",
};

async function makeCodexHome(folders: DemoFolders): Promise<void> {
  const { codexHome } = folders;
  await privateFolder(codexHome);
  const catalogPath = path.join(codexHome, "demo-models.json");
  const configPath = path.join(codexHome, "config.toml");
  await privateFile(catalogPath, catalog());
  // codex and the settings of threads may add to the file, so it is written again only when its own part is another.
  const body = config(folders, catalogPath);
  const mark = `# Holdfast's demo, ${createHash("sha256").update(body).digest("hex").slice(0, 16)}`;
  const current = await readFile(configPath, "utf8").catch(() => "");
  if (!current.includes(mark)) await privateFile(configPath, `${mark}\n${body}`);
}

function config({ workspacePath }: DemoFolders, catalogPath: string): string {
  const lines = [
    "# Written by Holdfast. The address of the model server is given at each start of codex.",
    `model = ${quoted(demoModel)}`,
    `model_provider = ${quoted(demoProvider)}`,
    `model_catalog_json = ${quoted(catalogPath)}`,
    'approval_policy = "on-request"',
    'sandbox_mode = "workspace-write"',
    // Commands run without the person's shell files: what these print or change is not the demo's.
    "allow_login_shell = false",
    'web_search = "disabled"',
    "check_for_update_on_startup = false",
    "",
    `[model_providers.${demoProvider}]`,
    'name = "Demo (scripted)"',
    // The discard port: nothing answers there, so codex started without an address says so at once.
    'base_url = "http://127.0.0.1:9/v1"',
    `env_key = ${quoted(tokenVariable)}`,
    'wire_api = "responses"',
    "request_max_retries = 0",
    "stream_max_retries = 0",
    "supports_websockets = false",
    "",
    "[tools.update_plan]",
    "enabled = true",
    "",
    "[analytics]",
    "enabled = false",
    "",
    // These fetch things from the internet, and the demo says that nothing leaves this computer.
    "[features]",
    "apps = false",
    "plugins = false",
    "remote_plugin = false",
    "tool_suggest = false",
    // It reads the person's shell files in a process that can outlive codex.
    "shell_snapshot = false",
    "",
    "[shell_environment_policy]",
    `exclude = [${quoted(tokenVariable)}]`,
    "",
    `[projects.${quoted(workspacePath)}]`,
    'trust_level = "trusted"',
  ];
  return `${lines.join("\n")}\n`;
}

function catalog(): string {
  return modelCatalog([
    {
      slug: demoModel,
      displayName: "Demo (scripted)",
      description: "A scripted tour. No model thinks here.",
      instructions: "You are the scripted demo model that is built into Holdfast.",
    },
  ]);
}

async function privateFolder(folder: string): Promise<void> {
  await mkdir(folder, { recursive: true, mode: 0o700 });
  await chmod(folder, 0o700);
}

/** Written whole or not at all, and never readable by others. */
export async function privateFile(file: string, content: string): Promise<void> {
  const unfinished = `${file}.unfinished`;
  await rm(unfinished, { force: true });
  await writeFile(unfinished, content, { mode: 0o600, flag: "wx" });
  await rename(unfinished, file);
}

export async function exists(file: string): Promise<boolean> {
  return stat(file).then(
    () => true,
    (error: unknown) => {
      if ((error as NodeJS.ErrnoException).code === "ENOENT") return false;
      throw error;
    },
  );
}

/** A TOML basic string; JSON escapes the same characters in the same way. */
function quoted(text: string): string {
  return JSON.stringify(text);
}
