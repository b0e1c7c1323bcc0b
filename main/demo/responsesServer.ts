// A small server of the Responses API whose model is a script. The demo and the end-to-end tests use the same one.
//
// It listens on 127.0.0.1 only. With a token, every request must carry it: other programs of this computer can reach the
// port but not the model. Bodies are bounded, and so is every wait.
//
// Races: a request may arrive, be read or be answered while the server closes. `close` refuses what comes after it, aborts
// what is open, and resolves when each of those has ended; it may be called again and gives the same promise.

import { createHash, timingSafeEqual } from "node:crypto";
import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import type { Clock } from "../clock";
import { asFault, Fault } from "../fault";
import type { Log } from "../log";
import { type ModelRequest, readModelRequest } from "./modelRequest";
import type { Steps } from "./responseSteps";
import { playResponse, type StreamLimits } from "./responseStream";

/** Decides what the model does with one request; its steps are asked for only as they can be sent. */
export type Script = (request: ModelRequest) => Steps;

export interface ResponsesServerOptions {
  script: Script;
  clock: Clock;
  log: Log;
  /** What every request must carry as its bearer token; null lets anyone on this computer in. */
  token: string | null;
  /** The port to take; 0, the default, takes any free one. */
  port?: number;
  /** Names for `GET /v1/models`. */
  models?: readonly string[];
  limits?: Partial<ServerLimits>;
}

export interface ServerLimits extends StreamLimits {
  bodyBytes: number;
  /** How long a client may take to send its request. */
  bodyMs: number;
}

export interface ResponsesServer {
  readonly port: number;
  /** What codex calls `base_url`. */
  readonly baseUrl: string;
  /** Ends every open response and the server. */
  close(): Promise<void>;
}

const defaultLimits: ServerLimits = {
  // A request carries the whole conversation, images as text included.
  bodyBytes: 64 * 1024 * 1024,
  bodyMs: 30_000,
  holdMs: 10 * 60_000,
  drainMs: 30_000,
};

/** Fails with the code `model_server_failed` when the port cannot be had. */
export async function startResponsesServer(options: ResponsesServerOptions): Promise<ResponsesServer> {
  const handler = new Handler(options, { ...defaultLimits, ...options.limits });
  const server = createServer((request, response) => handler.take(request, response));
  server.requestTimeout = handler.limits.bodyMs;
  server.headersTimeout = Math.min(10_000, handler.limits.bodyMs);
  const port = await listen(server, options.port ?? 0);
  let closed: Promise<void> | null = null;
  return {
    port,
    baseUrl: `http://127.0.0.1:${port}/v1`,
    close() {
      closed ??= closeServer(server, handler);
      return closed;
    },
  };
}

class Handler {
  readonly limits: ServerLimits;
  readonly #options: ResponsesServerOptions;
  readonly #closing = new AbortController();
  readonly #open = new Set<Promise<void>>();
  #count = 0;

  constructor(options: ResponsesServerOptions, limits: ServerLimits) {
    this.#options = options;
    this.limits = limits;
  }

  take(request: IncomingMessage, response: ServerResponse): void {
    const work = this.#answer(request, response)
      .catch((error: unknown) => {
        const fault = asFault(error);
        this.#options.log.error("model server: a request failed", {
          code: fault.code,
          message: fault.message,
        });
        if (!response.headersSent) refuse(response, 500, "The scripted model stopped with an error.");
        else response.destroy();
      })
      .finally(() => this.#open.delete(work));
    this.#open.add(work);
  }

  async end(): Promise<void> {
    this.#closing.abort();
    // A connection that was kept open may still bring a request while the others end.
    while (this.#open.size > 0) await Promise.all(this.#open);
  }

  async #answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    // A client that resets its connection is seen as its response closing.
    request.on("error", () => undefined);
    response.on("error", () => undefined);
    const path = (request.url ?? "/").split("?")[0] ?? "/";
    if (!this.#allowed(request)) return refuse(response, 401, "This model server needs its token.");
    if (path === "/v1/models") {
      if (request.method !== "GET") return refuse(response, 405, "Only GET is answered here.");
      return sendJson(response, 200, this.#modelList());
    }
    if (path !== "/v1/responses") return refuse(response, 404, "There is nothing at this address.");
    if (request.method !== "POST") return refuse(response, 405, "Only POST is answered here.");
    const body = await this.#read(request);
    if (body.type === "refused") return refuse(response, body.status, body.message);
    if (body.type === "gone") return;
    await this.#play(readModelRequest(this.#count++, path, body.value), body.units, response);
  }

  async #play(request: ModelRequest, requestUnits: number, response: ServerResponse): Promise<void> {
    const gone = new AbortController();
    response.once("close", () => gone.abort());
    const signal = AbortSignal.any([gone.signal, this.#closing.signal]);
    const { clock, script, log } = this.#options;
    const steps = script(request);
    const outcome = await playResponse(response, steps, { clock, signal, limits: this.limits, requestUnits });
    if (outcome.type === "cut" && outcome.why === "timeout") {
      log.warn("model server: a response waited too long and was cut", { index: request.index });
    }
  }

  #allowed(request: IncomingMessage): boolean {
    if (this.#options.token === null) return true;
    const given = request.headers.authorization ?? "";
    // Compared as digests, so that neither length nor content can be found out by timing.
    return timingSafeEqual(digest(given), digest(`Bearer ${this.#options.token}`));
  }

  #modelList(): object {
    const data = (this.#options.models ?? []).map((id) => ({ id, object: "model", owned_by: "holdfast" }));
    return { object: "list", data };
  }

  #read(request: IncomingMessage): Promise<Body> {
    const { bodyBytes } = this.limits;
    return new Promise((resolve) => {
      const chunks: Buffer[] = [];
      let bytes = 0;
      const finish = (body: Body) => {
        this.#closing.signal.removeEventListener("abort", gone);
        resolve(body);
      };
      const gone = () => finish({ type: "gone" });
      this.#closing.signal.addEventListener("abort", gone, { once: true });
      request.once("close", gone);
      request.on("data", (chunk: Buffer) => {
        bytes += chunk.length;
        if (bytes <= bodyBytes) chunks.push(chunk);
        else finish({ type: "refused", status: 413, message: "The request is too large." });
      });
      request.once("end", () => finish(bodyOf(Buffer.concat(chunks).toString("utf8"))));
    });
  }
}

type Body =
  | { type: "read"; value: Record<string, unknown>; units: number }
  | { type: "refused"; status: number; message: string }
  | { type: "gone" };

function bodyOf(text: string): Body {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    return { type: "refused", status: 400, message: "The request is not JSON." };
  }
  if (typeof value !== "object" || value === null || Array.isArray(value)) {
    return { type: "refused", status: 400, message: "The request is not an object." };
  }
  return { type: "read", value: value as Record<string, unknown>, units: text.length };
}

function refuse(response: ServerResponse, status: number, message: string): void {
  if (response.destroyed) return;
  // What is left of the request is not read, so the connection cannot be used again.
  response.setHeader("connection", "close");
  sendJson(response, status, { error: { message, type: "error", code: null, param: null } });
}

function sendJson(response: ServerResponse, status: number, body: object): void {
  response.writeHead(status, { "content-type": "application/json" }).end(JSON.stringify(body));
}

function digest(text: string): Buffer {
  return createHash("sha256").update(text).digest();
}

function listen(server: Server, port: number): Promise<number> {
  return new Promise((resolve, reject) => {
    server.once("error", (error) =>
      reject(
        new Fault(
          "model_server_failed",
          "The built-in model server could not open a port on this computer.",
          {
            cause: error,
            detail: error.message,
            retryable: true,
          },
        ),
      ),
    );
    server.listen({ port, host: "127.0.0.1" }, () => resolve((server.address() as AddressInfo).port));
  });
}

async function closeServer(server: Server, handler: Handler): Promise<void> {
  const closed = new Promise<void>((resolve) => server.close(() => resolve()));
  await handler.end();
  server.closeAllConnections();
  await closed;
}
