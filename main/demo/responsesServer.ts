// A small server for the part of the Responses API that codex uses: POST /v1/responses, answered with server-sent events that
// a script decides. It serves the demo model in the app and the scripted model of the end-to-end tests. It listens on
// 127.0.0.1 only; with a token, it answers nobody who does not know it, since any program of this computer can reach the port.
//
// Races settled here:
// - codex goes away (a turn is stopped) while its body is read or its response is played: the connection's end aborts the
//   response's signal, every wait on it ends at once, and nothing more is written (responseStream.ts).
// - The server closes while responses are open: each is aborted first, and `close` waits for their ends, which wait for no
//   script. A request that arrives while closing is aborted with the rest. Closing twice is closing once.
// - A body that comes too slowly or is too large is refused before anything is parsed.

import { createHash, timingSafeEqual } from "node:crypto";
import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import type { Clock } from "../clock";
import { Fault } from "../fault";
import type { Log } from "../log";
import { readModelRequest } from "./modelRequest";
import type { Script } from "./responseSteps";
import { playResponse, type StreamLimits, within } from "./responseStream";

export interface ResponsesServerOptions {
  script: Script;
  clock: Clock;
  log: Log;
  /** What every request must carry as its bearer token; null lets any program of this computer in. */
  token: string | null;
  /** The port to take; 0, the default, takes any free one. */
  port?: number;
  /** Names for GET /v1/models. */
  models?: readonly string[];
  limits?: Partial<ServerLimits>;
}

export interface ServerLimits extends StreamLimits {
  /** A request carries the whole conversation, pictures included. */
  bodyBytes: number;
  /** How long a client may take to send its request. */
  bodyMs: number;
  /** How many responses may be open at once. */
  responses: number;
}

export interface ResponsesServer {
  readonly port: number;
  /** What codex calls `base_url`. */
  readonly baseUrl: string;
  /** Ends every open response and frees the port. */
  close(): Promise<void>;
}

const defaultLimits: ServerLimits = {
  bodyBytes: 64 * 1024 * 1024,
  bodyMs: 30_000,
  responses: 64,
  holdMs: 10 * 60_000,
  drainMs: 30_000,
};

/** Fails with the code `model_server_failed` when the port cannot be had. */
export async function startResponsesServer(options: ResponsesServerOptions): Promise<ResponsesServer> {
  const running = new RunningServer(options);
  await running.listen(options.port ?? 0);
  return running;
}

class RunningServer implements ResponsesServer {
  port = 0;
  readonly #options: ResponsesServerOptions;
  readonly #limits: ServerLimits;
  readonly #expected: Buffer | null;
  readonly #server: Server;
  readonly #closing = new AbortController();
  readonly #open = new Set<Promise<void>>();
  #closed: Promise<void> | null = null;
  #count = 0;

  constructor(options: ResponsesServerOptions) {
    this.#options = options;
    this.#limits = { ...defaultLimits, ...options.limits };
    this.#expected = options.token === null ? null : digest(`Bearer ${options.token}`);
    this.#server = createServer({ maxHeaderSize: 64 * 1024 }, (request, response) => {
      const work = this.#handle(request, response).finally(() => this.#open.delete(work));
      this.#open.add(work);
    });
    // codex keeps its connections; a request should not meet one that is just being closed for idleness.
    this.#server.keepAliveTimeout = 60_000;
    this.#server.headersTimeout = 65_000;
    // Bodies have a deadline of their own, with an answer that says so.
    this.#server.requestTimeout = 0;
  }

  get baseUrl(): string {
    return `http://127.0.0.1:${this.port}/v1`;
  }

  listen(port: number): Promise<void> {
    return new Promise((resolve, reject) => {
      const failed = (cause: Error) =>
        reject(
          new Fault("model_server_failed", "The built-in model could not open a port on this computer.", {
            hint: "Close other programs that use many network ports, and try again.",
            detail: cause.message,
            retryable: true,
            cause,
          }),
        );
      this.#server.once("error", failed);
      this.#server.listen({ port, host: "127.0.0.1", exclusive: true }, () => {
        this.port = (this.#server.address() as AddressInfo).port;
        this.#server.off("error", failed);
        this.#server.on("error", (error) =>
          this.#options.log.error("model server: the listener failed", { error: String(error) }),
        );
        resolve();
      });
    });
  }

  close(): Promise<void> {
    this.#closed ??= this.#close();
    return this.#closed;
  }

  async #close(): Promise<void> {
    const closed = new Promise<void>((resolve) => this.#server.close(() => resolve()));
    this.#closing.abort();
    // A connection that was kept open may still bring a request while the others end.
    while (this.#open.size > 0) await Promise.all(this.#open);
    this.#server.closeAllConnections();
    await closed;
  }

  /** Never rejects. */
  async #handle(request: IncomingMessage, response: ServerResponse): Promise<void> {
    // A connection that breaks is seen as the response's close; the error event says nothing more.
    request.on("error", () => {});
    response.on("error", () => {});
    try {
      await this.#answer(request, response);
    } catch (error) {
      this.#options.log.error("model server: the script failed", { error: String(error) });
      if (response.headersSent) response.destroy();
      else refuse(response, 500, "script_failed", "The model's script failed.");
    }
  }

  async #answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const path = (request.url ?? "/").split("?", 1)[0];
    if (!this.#isAuthorized(request)) {
      return refuse(
        response,
        401,
        "unauthorized",
        "This server answers only the codex that Holdfast started.",
      );
    }
    if (path === "/v1/models" && request.method === "GET") {
      const models = this.#options.models ?? [];
      const data = models.map((id) => ({ id, object: "model", owned_by: "holdfast" }));
      return sendJson(response, 200, { object: "list", data });
    }
    if (path !== "/v1/responses") return refuse(response, 404, "not_found", "There is nothing here.");
    if (request.method !== "POST") {
      return refuse(response, 405, "method_not_allowed", "This method is not offered here.");
    }
    if (this.#open.size > this.#limits.responses) {
      return refuse(response, 503, "too_many_requests", "Too many responses are open at once.");
    }
    const gone = new AbortController();
    response.once("close", () => gone.abort());
    const signal = AbortSignal.any([gone.signal, this.#closing.signal]);
    const body = await this.#readBody(request, response, signal);
    if (body !== null) await this.#play(body, response, signal);
  }

  async #play(body: Body, response: ServerResponse, signal: AbortSignal): Promise<void> {
    const request = readModelRequest(this.#count++, body.value);
    const outcome = await playResponse(response, this.#options.script(request), {
      clock: this.#options.clock,
      signal,
      limits: this.#limits,
      requestUnits: body.units,
    });
    if (outcome.type === "cut" && outcome.why === "timeout") {
      this.#options.log.warn("model server: a response took too long and was cut", { index: request.index });
    }
  }

  #isAuthorized(request: IncomingMessage): boolean {
    // Compared as digests, so that the time it takes tells nothing about the token.
    return (
      this.#expected === null || timingSafeEqual(digest(request.headers.authorization ?? ""), this.#expected)
    );
  }

  /** The whole body, or null when the request has been refused or is gone. */
  async #readBody(
    request: IncomingMessage,
    response: ServerResponse,
    signal: AbortSignal,
  ): Promise<Body | null> {
    if ((request.headers["content-encoding"] ?? "identity") !== "identity") {
      refuse(response, 415, "unsupported_encoding", "The body must not be compressed.");
      return null;
    }
    const { bodyBytes, bodyMs } = this.#limits;
    const chunks: Buffer[] = [];
    let bytes = 0;
    const read = new Promise<"whole" | "tooLarge" | "broken">((resolve) => {
      request.on("data", (chunk: Buffer) => {
        bytes += chunk.length;
        if (bytes > bodyBytes) resolve("tooLarge");
        else chunks.push(chunk);
      });
      request.once("end", () => resolve("whole"));
      request.once("close", () => resolve("broken"));
    });
    const waited = await within(read, { clock: this.#options.clock, signal }, bodyMs);
    if (waited.type === "timeout") refuse(response, 408, "timeout", "The body came too slowly.");
    if (waited.type !== "done") return null;
    if (waited.value === "tooLarge") refuse(response, 413, "too_large", "The body is too large.");
    if (waited.value !== "whole") return null;
    const body = bodyOf(Buffer.concat(chunks).toString("utf8"));
    if (body === null) refuse(response, 400, "invalid_request", "The body is not a JSON object.");
    return body;
  }
}

interface Body {
  value: Record<string, unknown>;
  units: number;
}

function bodyOf(text: string): Body | null {
  try {
    const value: unknown = JSON.parse(text);
    if (typeof value !== "object" || value === null || Array.isArray(value)) return null;
    return { value: value as Record<string, unknown>, units: text.length };
  } catch {
    // Only JSON.parse throws here; the caller answers with what is wrong.
    return null;
  }
}

function refuse(response: ServerResponse, status: number, code: string, message: string): void {
  if (response.destroyed) return;
  // What is left of the body is not read, so the connection cannot be used again.
  response.setHeader("connection", "close");
  sendJson(response, status, { error: { type: code, code, message } });
}

function sendJson(response: ServerResponse, status: number, value: object): void {
  response.writeHead(status, { "content-type": "application/json" });
  response.end(JSON.stringify(value));
}

function digest(text: string): Buffer {
  return createHash("sha256").update(text).digest();
}
