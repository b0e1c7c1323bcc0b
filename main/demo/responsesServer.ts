// A small server for the part of the Responses API that codex uses: POST /v1/responses, answered with server-sent events that
// a script decides. It serves the demo model in the app and the scripted model in the end-to-end tests. It listens on
// 127.0.0.1 only, on a port that the system chooses, and answers nobody who does not know its token.
//
// Races settled here:
// - Codex goes away (a turn is stopped) while the script waits, at a gate or in a pause: the answer's signal is aborted by the
//   connection's end, the wait ends at once, the script is told to return, and nothing more is written.
// - The server closes while answers are open: each is aborted first, then its connection is cut, so `close` never waits for a
//   script. A request that arrives while closing is refused by the listener, or cut with the rest.
// - A script that never yields, a gate that nobody opens, and a client that does not read are one case: no step may take
//   longer than `maxStepMs`, after which the answer is cut.
// - A body that comes too slowly or is too large ends with its connection, before anything is parsed.

import { createHash, randomBytes, timingSafeEqual } from "node:crypto";
import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import type { Clock } from "../clock";
import { Fault } from "../fault";
import type { Log } from "../log";
import { type ModelRequest, readModelRequest } from "./modelRequest";
import { EventWriter, type Script, type Step, type StreamStep } from "./responseSteps";

export interface ResponsesServerOptions {
  script: Script;
  clock: Clock;
  log: Log;
  /** Listed by GET /v1/models. */
  modelNames: readonly string[];
  /** Pictures come inside the body, so it may be large. */
  maxBodyBytes?: number;
  maxBodyMs?: number;
  maxStepMs?: number;
  /** How many answers may be open at once. */
  maxAnswers?: number;
}

export interface ResponsesServer {
  /** What codex calls `base_url`. */
  readonly baseUrl: string;
  /** Made for this server alone; without it every request is refused. */
  readonly token: string;
  /** Answers that have begun and not ended. */
  readonly openAnswers: number;
  /** Cuts what is open and frees the port. Closing twice is closing once. */
  close(): Promise<void>;
}

const defaults = {
  maxBodyBytes: 64 * 1024 * 1024,
  maxBodyMs: 30_000,
  maxStepMs: 10 * 60_000,
  maxAnswers: 64,
};

/** Fails with the code `demo_server_failed` when no port can be had. */
export async function startResponsesServer(options: ResponsesServerOptions): Promise<ResponsesServer> {
  const running = new RunningServer({ ...defaults, ...options });
  await running.listen();
  return running;
}

type Limits = Required<ResponsesServerOptions>;
type Waited<T> = { kind: "done"; value: T } | { kind: "gone" } | { kind: "tooLong" };

class RunningServer implements ResponsesServer {
  readonly token = randomBytes(32).toString("base64url");
  readonly #options: Limits;
  readonly #tokenDigest = digest(`Bearer ${this.token}`);
  readonly #server: Server;
  readonly #answers = new Set<AbortController>();
  #closed: Promise<void> | null = null;

  constructor(options: Limits) {
    this.#options = options;
    this.#server = createServer({ maxHeaderSize: 64 * 1024 }, (request, response) => {
      this.#handle(request, response).catch((error: unknown) => {
        this.#options.log.error("model server: a request failed", { error: String(error) });
        response.destroy();
      });
    });
    // Codex keeps its connections; a request must not meet one that is just being closed for idleness.
    this.#server.keepAliveTimeout = 60_000;
    this.#server.headersTimeout = 65_000;
    this.#server.requestTimeout = 0; // Bodies have their own deadline, with an answer that says so.
  }

  listen(): Promise<void> {
    return new Promise((resolve, reject) => {
      const failed = (cause: Error): void =>
        reject(
          new Fault("demo_server_failed", "The built-in model could not be started.", {
            hint: "Close other programs that use many network ports, and try again.",
            retryable: true,
            cause,
          }),
        );
      this.#server.once("error", failed);
      this.#server.listen(0, "127.0.0.1", () => {
        this.#server.off("error", failed);
        this.#server.on("error", (error) =>
          this.#options.log.error("model server: the listener failed", { error: String(error) }),
        );
        resolve();
      });
    });
  }

  get baseUrl(): string {
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}/v1`;
  }

  get openAnswers(): number {
    return this.#answers.size;
  }

  close(): Promise<void> {
    this.#closed ??= new Promise((resolve) => {
      this.#server.close(() => resolve());
      for (const answer of this.#answers) answer.abort();
      this.#server.closeAllConnections();
    });
    return this.#closed;
  }

  async #handle(request: IncomingMessage, response: ServerResponse): Promise<void> {
    // A connection that breaks is seen as the response's close; the error event says nothing more.
    request.on("error", () => {});
    response.on("error", () => {});
    const path = (request.url ?? "/").split("?", 1)[0];
    if (!this.#isAuthorized(request)) {
      refuse(response, 401, "unauthorized", "This server answers only the codex that Holdfast has started.");
    } else if (path === "/v1/models" && request.method === "GET") {
      const data = this.#options.modelNames.map((id) => ({ id, object: "model", owned_by: "holdfast" }));
      sendJson(response, 200, { object: "list", data });
    } else if (path === "/v1/responses" && request.method === "POST") {
      await this.#answer(request, response);
    } else if (path === "/v1/models" || path === "/v1/responses") {
      refuse(response, 405, "method_not_allowed", "This method is not offered here.");
    } else {
      refuse(response, 404, "not_found", "There is nothing here.");
    }
  }

  #isAuthorized(request: IncomingMessage): boolean {
    return timingSafeEqual(digest(request.headers.authorization ?? ""), this.#tokenDigest);
  }

  async #answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    if (this.#answers.size >= this.#options.maxAnswers) {
      refuse(response, 503, "too_many_requests", "Too many answers are open at once.");
      return;
    }
    const abort = new AbortController();
    this.#answers.add(abort);
    response.on("close", () => abort.abort());
    try {
      const body = await this.#readBody(request, response, abort.signal);
      if (body === null) return;
      const parsed = parseRequest(body);
      if (parsed === null) {
        refuse(response, 400, "invalid_request", "The body is not a JSON object.");
        return;
      }
      await this.#play(parsed, response, abort.signal);
    } finally {
      abort.abort();
      this.#answers.delete(abort);
    }
  }

  /** The whole body, or null when the request has been refused or is gone. */
  async #readBody(
    request: IncomingMessage,
    response: ServerResponse,
    signal: AbortSignal,
  ): Promise<string | null> {
    if ((request.headers["content-encoding"] ?? "identity") !== "identity") {
      refuse(response, 415, "unsupported_encoding", "The body must not be compressed.");
      return null;
    }
    const chunks: Buffer[] = [];
    let bytes = 0;
    const read = new Promise<"whole" | "tooLarge" | "broken">((resolve) => {
      request.on("data", (chunk: Buffer) => {
        bytes += chunk.length;
        if (bytes > this.#options.maxBodyBytes) resolve("tooLarge");
        else chunks.push(chunk);
      });
      request.on("end", () => resolve("whole"));
      request.on("close", () => resolve("broken"));
    });
    const waited = await this.#wait(read, signal, this.#options.maxBodyMs);
    if (waited.kind === "done" && waited.value === "whole") return Buffer.concat(chunks).toString("utf8");
    if (waited.kind === "tooLong") refuse(response, 408, "timeout", "The body came too slowly.");
    else if (waited.kind === "done" && waited.value === "tooLarge") {
      refuse(response, 413, "too_large", "The body is too large.");
    }
    request.removeAllListeners("data");
    return null;
  }

  async #play(request: ModelRequest, response: ServerResponse, signal: AbortSignal): Promise<void> {
    const writer = new EventWriter(request);
    const steps = iterate(this.#options.script(request, signal));
    try {
      for (;;) {
        const next = await this.#wait(steps.next(), signal, this.#options.maxStepMs);
        if (next.kind === "gone") return;
        if (next.kind === "tooLong") return this.#giveUp(response);
        if (next.value.done === true) break;
        const performed = await this.#perform(next.value.value, writer, response, signal);
        if (performed.kind === "gone") return;
        if (performed.kind === "tooLong") return this.#giveUp(response);
        if (performed.value === "end") break;
      }
      response.end();
    } catch (error) {
      this.#options.log.error("model server: the script failed", { error: String(error) });
      if (!response.headersSent) refuse(response, 500, "script_failed", "The model's script failed.");
      else response.destroy();
    } finally {
      // The script may be inside a wait of its own and is not waited for; what it throws now concerns nobody.
      Promise.resolve(steps.return?.()).catch(() => {});
    }
  }

  async #perform(
    step: Step,
    writer: EventWriter,
    response: ServerResponse,
    signal: AbortSignal,
  ): Promise<Waited<"go on" | "end">> {
    switch (step.step) {
      case "pause": {
        const paused = await this.#pause(step.ms, signal);
        return paused.kind === "done" ? { kind: "done", value: "go on" } : paused;
      }
      case "hold": {
        const held = await this.#wait(step.gate.opened, signal, this.#options.maxStepMs);
        return held.kind === "done" ? { kind: "done", value: "go on" } : held;
      }
      case "cut":
        response.destroy();
        return { kind: "done", value: "end" };
      case "httpError":
        if (response.headersSent) throw new Error("An HTTP error was asked for after the answer had begun.");
        refuse(response, step.status, step.code, step.message, step.headers);
        return { kind: "done", value: "end" };
      default: {
        const sent = await this.#send(step, writer, response, signal);
        if (sent.kind !== "done") return sent;
        const ends = step.step === "completed" || step.step === "failed";
        return { kind: "done", value: ends ? "end" : "go on" };
      }
    }
  }

  async #send(
    step: StreamStep,
    writer: EventWriter,
    response: ServerResponse,
    signal: AbortSignal,
  ): Promise<Waited<void>> {
    let text = "";
    if (!response.headersSent) {
      response.writeHead(200, { "content-type": "text/event-stream", "cache-control": "no-store" });
      text += writer.write({ step: "created" });
    }
    if (step.step !== "created") text += writer.write(step);
    if (text === "" || response.write(text)) return { kind: "done", value: undefined };
    const drained = new Promise<void>((resolve) => response.once("drain", resolve));
    return this.#wait(drained, signal, this.#options.maxStepMs);
  }

  #giveUp(response: ServerResponse): void {
    this.#options.log.warn("model server: an answer took too long and was cut");
    response.destroy();
  }

  async #pause(ms: number, signal: AbortSignal): Promise<Waited<void>> {
    if (ms <= 0) return signal.aborted ? { kind: "gone" } : { kind: "done", value: undefined };
    const waited = await this.#wait(new Promise<never>(() => {}), signal, ms);
    return waited.kind === "gone" ? waited : { kind: "done", value: undefined };
  }

  #wait<T>(promise: Promise<T>, signal: AbortSignal, maxMs: number): Promise<Waited<T>> {
    return new Promise((resolve, reject) => {
      const settle = (waited: Waited<T>): void => {
        timer.cancel();
        signal.removeEventListener("abort", gone);
        resolve(waited);
      };
      const gone = (): void => settle({ kind: "gone" });
      const timer = this.#options.clock.after(maxMs, () => settle({ kind: "tooLong" }));
      signal.addEventListener("abort", gone, { once: true });
      promise.then(
        (value) => settle({ kind: "done", value }),
        (error: unknown) => {
          timer.cancel();
          signal.removeEventListener("abort", gone);
          reject(error);
        },
      );
      if (signal.aborted) gone();
    });
  }
}

function iterate(steps: Iterable<Step> | AsyncIterable<Step>): AsyncIterator<Step> {
  if (Symbol.asyncIterator in steps) return steps[Symbol.asyncIterator]();
  const iterator = steps[Symbol.iterator]();
  return {
    next: async () => iterator.next(),
    return: async () => iterator.return?.() ?? { done: true, value: undefined },
  };
}

function parseRequest(body: string): ModelRequest | null {
  try {
    return readModelRequest(`resp_${randomBytes(9).toString("hex")}`, body);
  } catch {
    // JSON.parse is the only thing that throws; the caller answers with what is wrong.
    return null;
  }
}

function refuse(
  response: ServerResponse,
  status: number,
  code: string,
  message: string,
  headers: Record<string, string> = {},
): void {
  // What is left of the body is not read, so the connection cannot be used again.
  sendJson(response, status, { error: { type: code, code, message } }, { ...headers, connection: "close" });
}

function sendJson(
  response: ServerResponse,
  status: number,
  value: unknown,
  headers: Record<string, string> = {},
): void {
  response.writeHead(status, { ...headers, "content-type": "application/json" });
  response.end(JSON.stringify(value));
}

function digest(text: string): Buffer {
  return createHash("sha256").update(text).digest();
}
