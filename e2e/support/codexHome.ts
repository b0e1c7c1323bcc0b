// A CODEX_HOME of a test's own, in the system's temporary folder: nothing of the person's is read or touched.

import { createHash } from "node:crypto";
import { mkdir, mkdtemp, readFile, realpath, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { modelCatalog } from "../../main/demo/modelCatalog";

export interface CodexHomeOptions {
  /** `base_url` of the model server. */
  baseUrl: string;
  /** Lines before the tables of config.toml. */
  topLines?: readonly string[];
  /** Lines after everything else of config.toml. */
  extraLines?: readonly string[];
  /** Lines of the provider's own table. */
  providerLines?: readonly string[];
  /** How often codex tries again when a stream of the model server breaks; 0 when left out. */
  streamRetries?: number;
  /** The whole of config.toml in place of the usual one. */
  configToml?: string;
}

export interface CodexHome {
  /** The value for CODEX_HOME. */
  readonly path: string;
  readonly configPath: string;
  /** SHA-256 of config.toml, to see that nobody touched it. */
  configHash(): Promise<string>;
  remove(): Promise<void>;
}

export const modelName = "gpt-5";
export const providerName = "local";

export async function createCodexHome(options: CodexHomeOptions): Promise<CodexHome> {
  // The real path: codex resolves links, and macOS has one in its temporary folder.
  const root = await realpath(await mkdtemp(path.join(tmpdir(), "holdfast-codex-home-")));
  const home = path.join(root, "codex");
  const configPath = path.join(home, "config.toml");
  const catalogPath = path.join(home, "models.json");
  await mkdir(home, { mode: 0o700 });
  await writeFile(catalogPath, catalog());
  await writeFile(configPath, options.configToml ?? usualConfig(options, catalogPath), { mode: 0o600 });
  return {
    path: home,
    configPath,
    configHash: async () =>
      createHash("sha256")
        .update(await readFile(configPath))
        .digest("hex"),
    remove: () => rm(root, { recursive: true, force: true, maxRetries: 5, retryDelay: 50 }),
  };
}

function usualConfig(options: CodexHomeOptions, catalogPath: string): string {
  const lines = [
    `model = ${quoted(modelName)}`,
    `model_provider = ${quoted(providerName)}`,
    `model_catalog_json = ${quoted(catalogPath)}`,
    'approval_policy = "on-request"',
    'sandbox_mode = "workspace-write"',
    // Commands run without the person's shell files, whose output would be in what tests expect.
    "allow_login_shell = false",
    // Nothing but the scripted model is asked for anything: no update, no plugins, no analytics.
    "check_for_update_on_startup = false",
    ...(options.topLines ?? []),
    "",
    `[model_providers.${providerName}]`,
    `name = ${quoted(providerName)}`,
    `base_url = ${quoted(options.baseUrl)}`,
    'wire_api = "responses"',
    "request_max_retries = 0",
    `stream_max_retries = ${options.streamRetries ?? 0}`,
    "supports_websockets = false",
    ...(options.providerLines ?? []),
    "",
    "[tools.update_plan]",
    "enabled = true",
    "",
    "[analytics]",
    "enabled = false",
    "",
    "[features]",
    "apps = false",
    "plugins = false",
    ...(options.extraLines ?? []),
  ];
  return `${lines.join("\n")}\n`;
}

function catalog(): string {
  return modelCatalog([
    {
      slug: modelName,
      displayName: "Scripted model",
      description: "A model that a test scripts.",
      instructions: "You are a scripted model.",
    },
  ]);
}

/** A TOML basic string; JSON escapes the same characters in the same way. */
function quoted(text: string): string {
  return JSON.stringify(text);
}
