// Models served on this machine by Ollama or LM Studio, and how codex is told to use one.
//
// codex knows both as built-in providers and expects them at their usual ports. It does not know OLLAMA_HOST; another port
// reaches it through CODEX_OSS_BASE_URL. Only addresses of this machine are ever asked.

import http from "node:http";
import { z } from "zod";
import type { Clock } from "../clock";

export type LocalProvider = "ollama" | "lmstudio";

export interface LocalServer {
  provider: LocalProvider;
  /** Models that can chat; may be empty when the server runs without any. */
  models: string[];
}

export type Environment = Readonly<Record<string, string | undefined>>;

export interface LocalModelsOptions {
  environment: Environment;
  clock: Clock;
}

const deadlineMs = 600;
const answerBytes = 1024 * 1024;
const modelsAtMost = 200;

const usualPlaces: Readonly<Record<LocalProvider, string>> = {
  ollama: "http://127.0.0.1:11434",
  lmstudio: "http://127.0.0.1:1234",
};

/** Asks both places at once and never fails: a server that does not answer in time is not there. */
export async function findLocalModels(options: LocalModelsOptions): Promise<LocalServer[]> {
  const found = await Promise.all(
    (["ollama", "lmstudio"] as const).map((provider) => askServer(provider, options)),
  );
  return found.filter((server) => server !== null);
}

async function askServer(provider: LocalProvider, options: LocalModelsOptions): Promise<LocalServer | null> {
  const place = serverAddress(provider, options.environment);
  if (place === null) return null;
  const path = provider === "ollama" ? "/api/tags" : "/v1/models";
  const body = await getJson(place + path, options.clock);
  const models = provider === "ollama" ? ollamaModels(body) : lmStudioModels(body);
  return models === null ? null : { provider, models };
}

/** Where a provider's server is looked for, without a path. Null when codex has been told to use another machine. */
export function serverAddress(provider: LocalProvider, environment: Environment): string | null {
  if (environment.CODEX_OSS_BASE_URL?.trim()) return loopbackAddress(environment.CODEX_OSS_BASE_URL, 80);
  const codexPort = portOf(environment.CODEX_OSS_PORT);
  if (codexPort !== null) return `http://127.0.0.1:${codexPort}`;
  const ollamaHost = provider === "ollama" ? loopbackAddress(environment.OLLAMA_HOST, 11434) : null;
  return ollamaHost ?? usualPlaces[provider];
}

/** What codex's environment needs so that it finds the server where it was found; empty for the usual place. */
export function localModelEnvironment(
  provider: LocalProvider,
  environment: Environment,
): Record<string, string> {
  // Set by the person: codex reads them itself.
  if (environment.CODEX_OSS_BASE_URL || environment.CODEX_OSS_PORT) return {};
  const address = serverAddress(provider, environment);
  return address === null || address === usualPlaces[provider] ? {} : { CODEX_OSS_BASE_URL: `${address}/v1` };
}

/** Arguments that make codex use this model: the same that its own `--oss --local-provider` amounts to. */
export function localModelOverrides({
  provider,
  model,
}: {
  provider: LocalProvider;
  model: string;
}): string[] {
  return ["-c", `model_provider=${tomlString(provider)}`, "-c", `model=${tomlString(model)}`];
}

/** A TOML basic string. JSON's escapes are TOML's too; only DEL must be escaped on top. */
function tomlString(text: string): string {
  return JSON.stringify(text).replaceAll("\u007f", "\\u007f");
}

/**
 * "127.0.0.1:11434", "localhost", ":11434", "http://[::1]:11434/": an address on this machine as `http://host:port`.
 * Null for anything else: another machine, https, or nonsense. 0.0.0.0 is how a server is told to listen everywhere.
 */
function loopbackAddress(value: string | undefined, usualPort: number): string | null {
  const text = value?.trim() ?? "";
  if (text === "") return null;
  const spelled = text.startsWith(":") ? `127.0.0.1${text}` : text;
  const full = /^[a-z][a-z0-9+.-]*:\/\//i.test(spelled) ? spelled : `http://${spelled}`;
  if (!URL.canParse(full)) return null;
  const url = new URL(full);
  if (url.protocol !== "http:" || url.username !== "" || url.password !== "") return null;
  const host = url.hostname === "0.0.0.0" ? "127.0.0.1" : url.hostname;
  if (host !== "localhost" && host !== "[::1]" && !/^127(?:\.\d{1,3}){3}$/.test(host)) return null;
  // With a scheme, leaving the port out means the scheme's own (80), as it does for Ollama.
  const port = url.port || (full === spelled ? "80" : String(usualPort));
  return `http://${host}:${port}`;
}

function portOf(value: string | undefined): number | null {
  const text = value?.trim() ?? "";
  if (!/^\d{1,5}$/.test(text)) return null;
  const port = Number(text);
  return port > 0 && port <= 65_535 ? port : null;
}

/** The parsed body of a 200 answer, or undefined. Follows no redirects and uses no proxy. */
function getJson(url: string, clock: Clock): Promise<unknown> {
  return new Promise((resolve) => {
    let timer: { cancel(): void } | null = null;
    let settled = false;
    const request = http.get(url, { agent: false, headers: { accept: "application/json" } });
    const settle = (value: unknown) => {
      if (settled) return;
      settled = true;
      timer?.cancel();
      request.destroy();
      resolve(value);
    };
    timer = clock.after(deadlineMs, () => settle(undefined));
    // No server there, or it broke off: both mean that there is nothing to offer.
    request.on("error", () => settle(undefined));
    request.on("response", (response) => {
      const chunks: Buffer[] = [];
      let bytes = 0;
      if (response.statusCode !== 200) return settle(undefined);
      response.on("data", (chunk: Buffer) => {
        bytes += chunk.length;
        if (bytes > answerBytes) return settle(undefined);
        chunks.push(chunk);
      });
      response.on("error", () => settle(undefined));
      response.on("aborted", () => settle(undefined));
      response.on("end", () => settle(parseJson(Buffer.concat(chunks).toString("utf8"))));
    });
  });
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    // Some other program listens at this port.
    return undefined;
  }
}

const ollamaSchema = z.looseObject({ models: z.array(z.unknown()) });
const ollamaModelSchema = z.looseObject({ name: z.string() });

function ollamaModels(body: unknown): string[] | null {
  const parsed = ollamaSchema.safeParse(body);
  if (!parsed.success) return null;
  return chatModels(
    parsed.data.models.map((model) => {
      const named = ollamaModelSchema.safeParse(model);
      return named.success ? named.data.name : "";
    }),
  );
}

const lmStudioSchema = z.looseObject({ data: z.array(z.unknown()) });
const lmStudioModelSchema = z.looseObject({ id: z.string() });

function lmStudioModels(body: unknown): string[] | null {
  const parsed = lmStudioSchema.safeParse(body);
  if (!parsed.success) return null;
  return chatModels(
    parsed.data.data.map((model) => {
      const named = lmStudioModelSchema.safeParse(model);
      return named.success ? named.data.id : "";
    }),
  );
}

/** Both servers list embedding models among the others, told apart only by their names. */
function chatModels(names: readonly string[]): string[] {
  const usable = names.filter((name) => /^[^\p{Cc}]{1,200}$/u.test(name) && !/embed/i.test(name));
  return [...new Set(usable)].slice(0, modelsAtMost);
}
