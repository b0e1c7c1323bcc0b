// MCP servers as the page of codex shows them, out of codex's configuration and of what it says of each. Pure. Values of
// variables and headers are secrets and are not even looked at.

import type { ConfiguredServer, ServerAnswer, ServerState } from "../../../preload/contract/codexPage";
import type { McpServerStatus } from "../../codex/protocol/v2/McpServerStatus";
import { type LooseRecord, recordOf, stringOrNull, stringsOf, wordsOrNull } from "../../threads/loose";

const mostServers = 200;
const mostTools = 400;
const mostResources = 400;
const longestSchema = 20_000;
const longestText = 4_000;

type Redact = (text: string) => string;

/** Out of the answer of `config/read`, by name. */
export function configuredServers(answer: unknown, redact: Redact): ConfiguredServer[] {
  const { config, origins } = recordOf(answer);
  const sources = recordOf(origins);
  return Object.entries(recordOf(recordOf(config).mcp_servers))
    .slice(0, mostServers)
    .map(([name, fields]) => configuredServer(name, recordOf(fields), sourceOf(name, sources), redact))
    .sort((a, b) => a.name.localeCompare(b.name, "en"));
}

function configuredServer(
  name: string,
  fields: LooseRecord,
  source: ConfiguredServer["source"],
  redact: Redact,
): ConfiguredServer {
  const command = wordsOrNull(fields.command);
  const url = wordsOrNull(fields.url);
  const line = command === null ? null : [command, ...stringsOf(fields.args)].map(argument).join(" ");
  return {
    name,
    enabled: fields.enabled !== false,
    target:
      line !== null
        ? { kind: "command", text: redact(line).slice(0, longestText) }
        : url === null
          ? null
          : { kind: "address", text: redact(url).slice(0, longestText) },
    folder: wordsOrNull(fields.cwd),
    variables: [
      ...new Set([
        ...Object.keys(recordOf(fields.env)),
        ...stringsOf(fields.env_vars),
        ...Object.keys(recordOf(fields.http_headers)),
        ...Object.keys(recordOf(fields.env_http_headers)),
        ...[wordsOrNull(fields.bearer_token_env_var)].filter((each) => each !== null),
      ]),
    ].sort(),
    source,
  };
}

function argument(text: string): string {
  return /[\s"'\\]/.test(text) || text === "" ? JSON.stringify(text) : text;
}

const sourceWords: Readonly<Record<string, string>> = {
  user: "Your configuration",
  project: "This project's configuration",
  system: "The system's configuration",
  mdm: "Managed by your organisation",
  enterpriseManaged: "Managed by your organisation",
  legacyManagedConfigTomlFromFile: "Managed by your organisation",
  legacyManagedConfigTomlFromMdm: "Managed by your organisation",
  packagedDefaults: "Comes with codex",
  sessionFlags: "Given by Holdfast when it started codex",
};

/** codex says it for each value of a server: the layer of the first one is the server's. */
function sourceOf(name: string, origins: LooseRecord): ConfiguredServer["source"] {
  const of = `mcp_servers.${name}`;
  const quoted = `mcp_servers."${name}"`;
  const key = Object.keys(origins).find((each) =>
    [of, quoted].some((own) => each === own || each.startsWith(`${own}.`)),
  );
  const layer = recordOf(recordOf(key === undefined ? null : origins[key]).name);
  const words = sourceWords[stringOrNull(layer.type) ?? ""] ?? "codex does not say where";
  const folder = wordsOrNull(layer.dotCodexFolder);
  return { words, file: wordsOrNull(layer.file) ?? (folder === null ? null : `${folder}/config.toml`) };
}

/** Out of one entry of `mcpServerStatus/list`. */
export function serverAnswer(status: McpServerStatus, redact: Redact): ServerAnswer {
  const tools = Object.values(status.tools).filter((tool) => tool !== undefined);
  const { resources } = status;
  const error = wordsOrNull(status.toolsError);
  return {
    state: stateOf(status),
    error: error === null ? null : redact(error).slice(0, longestText),
    auth: authOf(status),
    title: status.serverInfo?.title ?? status.serverInfo?.name ?? null,
    version: status.serverInfo?.version ?? null,
    tools: tools.slice(0, mostTools).map(({ name, description, inputSchema }) => ({
      name,
      description: (description ?? "").slice(0, longestText),
      schema: schemaText(inputSchema),
    })),
    resources: resources.slice(0, mostResources).map(({ name, uri, description }) => ({
      name,
      uri: redact(uri).slice(0, longestText),
      description: (description ?? "").slice(0, longestText),
    })),
    more: Math.max(0, tools.length - mostTools) + Math.max(0, resources.length - mostResources),
  };
}

function schemaText(schema: unknown): string {
  const text = JSON.stringify(schema, null, 2) ?? "";
  return text.length <= longestSchema ? text : `${text.slice(0, longestSchema)}\n…`;
}

function stateOf({ runtimeStatus, toolsError, authStatus, serverInfo }: McpServerStatus): ServerState {
  switch (runtimeStatus) {
    case "starting":
      return "starting";
    case "connected":
      return "ready";
    case "authenticationRequired":
      return "needs login";
    case "failed":
      return saysSignedOut(toolsError) || authStatus === "notLoggedIn" ? "needs login" : "failed";
    case "cancelled":
      return "cancelled";
    case "disabled":
      return "disabled";
    default:
      // No thread has it: codex has started it to answer.
      if (authStatus === "notLoggedIn" || saysSignedOut(toolsError)) return "needs login";
      if (toolsError !== null) return "failed";
      return serverInfo === null ? "not started" : "ready";
  }
}

function saysSignedOut(error: string | null): boolean {
  return /\bnot logged in\b|\bauth(?:entication|orization) required\b/i.test(error ?? "");
}

function authOf({ authStatus }: McpServerStatus): ServerAnswer["auth"] {
  switch (authStatus) {
    case "oAuth":
      return "signed in";
    case "bearerToken":
      return "token";
    case "notLoggedIn":
      return "signed out";
    case "unsupported":
      return "none";
    default:
      return "unknown";
  }
}
