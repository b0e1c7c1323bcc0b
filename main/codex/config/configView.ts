// codex's configuration as it counts, flat: one entry a key, each with the layer that says it. Pure.
//
// What may be a password stays here: a window only hears that it is set.

import type { ConfigLayer } from "../protocol/v2/ConfigLayer";
import type { ConfigLayerMetadata } from "../protocol/v2/ConfigLayerMetadata";
import type { ConfigLayerSource } from "../protocol/v2/ConfigLayerSource";
import type { ConfigReadResponse } from "../protocol/v2/ConfigReadResponse";

/** What JSON can say. */
export type Json = null | boolean | number | string | Json[] | { [name: string]: Json };

export interface Source {
  kind: "managed" | "flags" | "project" | "user" | "system" | "default";
  words: string;
  place: string | null;
}

export interface Entry {
  path: string[];
  key: string;
  value: Json;
  secret: boolean;
  source: Source;
}

export interface ConfigView {
  file: string | null;
  version: string | null;
  entries: Entry[];
  disabled: { source: Source; reason: string }[];
}

/** Of a configuration that is out of all proportion the rest is left out. */
const mostEntries = 4_000;

const byDefault: Source = { kind: "default", words: "codex's default", place: null };

export function viewConfig({ config, origins, layers }: ConfigReadResponse): ConfigView {
  const own = (layers ?? []).find(isOwnFile);
  const sources = sourcesOf(origins);
  const entries: Entry[] = [];
  const walk = (path: string[], value: unknown) => {
    if (entries.length >= mostEntries) return;
    if (isTable(value) && Object.keys(value).length > 0) {
      for (const name of Object.keys(value).sort()) walk([...path, name], value[name]);
      return;
    }
    const secret = isSecret(path) && value !== null;
    entries.push({
      path,
      key: keyOf(path),
      value: secret ? null : ((value ?? null) as Json),
      secret,
      source: sources.get(path.join("\0")) ?? byDefault,
    });
  };
  const known: Record<string, unknown> = isTable(config) ? config : {};
  for (const name of Object.keys(known).sort()) walk([name], known[name]);
  // What codex does not know, it leaves out of what counts, and yet it is written somewhere.
  for (const [name, value] of Object.entries(isTable(own?.config) ? own.config : {})) {
    if (!(name in known)) walk([name], value);
  }
  return {
    file: own?.name.type === "user" ? own.name.file : null,
    version: own?.version ?? null,
    entries,
    disabled: (layers ?? []).flatMap((layer) =>
      layer.disabledReason ? [{ source: sourceOf(layer.name), reason: layer.disabledReason }] : [],
    ),
  };
}

function isOwnFile({ name }: ConfigLayer): boolean {
  return name.type === "user" && name.profile === null;
}

/**
 * codex names origins by path, joined with dots, and those of a list by its elements. Names with dots in them cannot be told
 * apart from paths, so the map is asked by what a path would be called.
 */
function sourcesOf(origins: ConfigReadResponse["origins"]): { get(path: string): Source | undefined } {
  const byName = new Map<string, ConfigLayerMetadata>();
  for (const [name, origin] of Object.entries(origins)) if (origin) byName.set(name, origin);
  return {
    get(path) {
      const name = path.replaceAll("\0", ".");
      const exact = byName.get(name) ?? byName.get(`${name}.0`);
      return exact && sourceOf(exact.name);
    },
  };
}

export function sourceOf(source: ConfigLayerSource): Source {
  switch (source.type) {
    case "user":
      return source.profile === null
        ? { kind: "user", words: "your config.toml", place: source.file }
        : { kind: "user", words: `your profile “${source.profile}”`, place: source.file };
    case "project":
      return { kind: "project", words: "the project's .codex folder", place: source.dotCodexFolder };
    case "sessionFlags":
      return { kind: "flags", words: "how Holdfast starts codex (-c)", place: null };
    case "system":
      return { kind: "system", words: "this machine's config.toml", place: source.file };
    case "packagedDefaults":
      return { kind: "default", words: "codex's default", place: source.file };
    case "mdm":
      return { kind: "managed", words: `managed by your organisation (${source.domain})`, place: null };
    case "enterpriseManaged":
      return { kind: "managed", words: `managed by your organisation (${source.name})`, place: null };
    case "legacyManagedConfigTomlFromFile":
      return { kind: "managed", words: "managed by your organisation", place: source.file };
    case "legacyManagedConfigTomlFromMdm":
      return { kind: "managed", words: "managed by your organisation", place: null };
    default:
      source satisfies never;
      // A newer codex has layers that nobody here knows.
      return { kind: "managed", words: "a layer that Holdfast does not know", place: null };
  }
}

/** As TOML writes it. */
function keyOf(path: readonly string[]): string {
  return joined(path, (name) => JSON.stringify(name));
}

/** As `config/value/write` reads it: a backslash there stands before what is meant as it is, also before an n. */
export function keyPathOf(path: readonly string[]): string {
  return joined(path, (name) => `"${name.replace(/["\\]/g, "\\$&")}"`);
}

function joined(path: readonly string[], quoted: (name: string) => string): string {
  return path.map((name) => (/^[A-Za-z0-9_-]+$/.test(name) ? name : quoted(name))).join(".");
}

const secretNames = /(^|_)(token|secret|password|api_key|authorization|credentials?)$/i;
/** Tables whose values are anything: a header or a variable may well be a token. */
const secretTables = new Set(["http_headers", "env", "set", "query_params", "headers"]);

function isSecret(path: readonly string[]): boolean {
  const name = path.at(-1) ?? "";
  return secretNames.test(name) || path.slice(0, -1).some((table) => secretTables.has(table));
}

function isTable(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
