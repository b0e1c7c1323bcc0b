// The fake app-server: connections, JSON-RPC without the `jsonrpc` field, and the way a scenario bends each answer.
//
// Order, like the real one's: the messages of one connection are handled one after another, but an answer that a scenario
// delays delays no other. A request from us that nobody has answered stays, and is sent again, with the same id, to the next
// connection that resumes its thread.

import { randomUUID } from "node:crypto";
import { actAll } from "./actions.mjs";
import { methods } from "./methods.mjs";
import { RpcError } from "./rpcError.mjs";
import { openStore } from "./store.mjs";
import { listen } from "./transports.mjs";

export async function startFake({ address, args, scenario, journal, environment = process.env }) {
  const fake = new Fake(scenario, journal, environment);
  journal.write({ event: "started", args, codexHome: fake.codexHome, cwd: process.cwd() });
  if (scenario.banner?.stderr) process.stderr.write(scenario.banner.stderr);
  if (scenario.banner?.stdout) process.stdout.write(scenario.banner.stdout);
  if (scenario.refuseToStart) {
    process.stderr.write(scenario.refuseToStart.stderr ?? "");
    process.exit(scenario.refuseToStart.code ?? 1);
  }
  for (const signal of ["SIGTERM", "SIGINT"]) {
    process.on(signal, () => {
      journal.write({ event: "signal", signal });
      if (!scenario.stubborn) fake.exit(0);
    });
  }
  await actAll(scenario.atStart ?? [], { fake });
  await listen(
    address,
    (connection) => fake.connect(connection),
    () => {
      journal.write({ event: "endOfInput" });
      // A stubborn one stays alive for no reason at all.
      if (scenario.stubborn) setInterval(() => {}, 60_000);
      else fake.exit(0);
    },
  );
}

class Fake {
  connections = new Set();
  /** Requests of ours without an answer: id -> {message, threadId, resolve}. */
  pending = new Map();
  turnsStarted = 0;
  #nextRequestId = 0;
  #replies;

  constructor(scenario, journal, environment) {
    this.scenario = scenario;
    this.journal = journal;
    this.codexHome = environment.CODEX_HOME ?? `${environment.HOME ?? "/"}/.codex`;
    this.gateFolder = environment.HOLDFAST_FAKE_GATES;
    this.store = openStore(this.codexHome, scenario);
    this.#replies = new Map(
      Object.entries(scenario.replies ?? {}).map(([method, reply]) => [
        method,
        Array.isArray(reply) ? { queue: [...reply] } : { always: reply },
      ]),
    );
  }

  connect(connection) {
    const state = { id: randomUUID(), connection, initialized: false, threads: new Set() };
    this.connections.add(state);
    this.journal.write({ event: "connected" });
    connection.onText = (text) => this.#take(state, text);
    connection.onClosed = () => {
      this.connections.delete(state);
      this.journal.write({ event: "disconnected" });
    };
  }

  /** Sends a notification to whoever has this thread open, or to everybody. */
  notify(method, params, threadId = null) {
    if (this.scenario.mute?.includes(method)) return;
    const text = JSON.stringify({ method, params, emittedAtMs: Date.now() });
    for (const state of this.#listeners(threadId)) state.connection.send(text);
  }

  /** Sends text as it is: noise, or what is no JSON. */
  sendRaw(text, threadId = null) {
    for (const state of this.#listeners(threadId)) state.connection.send(text);
  }

  /** Sends a request; `answered` resolves with the answer's {result} or {error}. */
  request(method, params, { threadId = null, id } = {}) {
    const message = { method, id: id ?? this.#nextRequestId++, params };
    const answered = new Promise((resolve) => this.pending.set(message.id, { message, threadId, resolve }));
    for (const state of this.#listeners(threadId)) state.connection.send(JSON.stringify(message));
    return { id: message.id, answered };
  }

  /** Nobody need answer this any more, or somebody has. */
  withdraw(requestId, threadId) {
    this.pending.delete(requestId);
    this.notify("serverRequest/resolved", { threadId, requestId }, threadId);
  }

  resendPending(threadId, state) {
    for (const { message, threadId: owner } of this.pending.values()) {
      if (owner === threadId) state.connection.send(JSON.stringify(message));
    }
  }

  dropConnections() {
    for (const state of [...this.connections]) state.connection.drop();
  }

  exit(code) {
    this.journal.write({ event: "exit", code });
    process.exit(code);
  }

  #listeners(threadId) {
    return [...this.connections].filter(
      (state) => state.initialized && (threadId === null || state.threads.has(threadId)),
    );
  }

  #take(state, text) {
    let message;
    try {
      message = JSON.parse(text);
    } catch {
      this.journal.write({ event: "malformed", text });
      return;
    }
    this.journal.write({ received: message });
    if (message.method === undefined) this.#takeAnswer(message);
    else if (message.id !== undefined) void this.#answer(state, message);
  }

  #takeAnswer({ id, result, error }) {
    const pending = this.pending.get(id);
    this.pending.delete(id);
    pending?.resolve(error === undefined ? { result } : { error });
  }

  async #answer(state, { id, method, params }) {
    const reply = this.#nextReply(method);
    const context = { fake: this, state, threadId: params?.threadId };
    const answer = (body) => state.connection.send(JSON.stringify({ id, ...body }));
    await actAll(reply.before ?? [], context);
    if (reply.answer === "none") return;
    if (typeof reply.answer === "object") {
      answer(reply.answer);
    } else {
      try {
        const { result, afterwards } = this.#perform(state, method, params ?? {});
        answer({ result });
        // What the real one says after its answer, it says in the same breath.
        afterwards?.();
      } catch (error) {
        if (!(error instanceof RpcError)) this.journal.write({ event: "bug", error: String(error.stack) });
        answer({ error: { code: error.code ?? -32603, message: error.message } });
      }
    }
    await actAll(reply.after ?? [], context);
  }

  #nextReply(method) {
    const planned = this.#replies.get(method);
    return planned?.always ?? planned?.queue.shift() ?? {};
  }

  #perform(state, method, params) {
    if (method !== "initialize" && !state.initialized) throw new RpcError("Not initialized");
    const perform = Object.hasOwn(methods, method) ? methods[method] : null;
    if (!perform) {
      const known = Object.keys(methods).map((name) => `\`${name}\``);
      throw new RpcError(
        `Invalid request: unknown variant \`${method}\`, expected one of ${known.join(", ")}`,
      );
    }
    return perform(params, { fake: this, state });
  }
}
