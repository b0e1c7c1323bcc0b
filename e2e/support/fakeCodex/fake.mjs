// The fake app-server: connections, JSON-RPC without the `jsonrpc` field, and the way a scenario bends each answer.
//
// Order, like the real one's: the messages of one connection are handled one after another, but an answer that a scenario
// delays delays no other. A request of ours that nobody has answered stays, and is sent again, with the same id, to the next
// connection that resumes its thread.

/**
 * @import { ActionContext, Answer, Client, Connection, FakeServer, Journal, Scenario } from "./fakeTypes"
 * @import { FakeMessage, FakeReply } from "./scenario"
 */

import { actAll } from "./actions.mjs";
import { methods } from "./methods.mjs";
import { RpcError } from "./rpcError.mjs";
import { openStore } from "./store.mjs";
import { listen } from "./transports.mjs";

/** @param {{ address: string, args: string[], scenario: Scenario, journal: Journal }} options */
export async function startFake({ address, args, scenario, journal }) {
  const fake = new Fake(scenario, journal);
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
  await actAll(scenario.atStart ?? [], { fake, threadId: null, turn: null, signal: null });
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

/** @implements {FakeServer} */
class Fake {
  codexHome = process.env.CODEX_HOME ?? `${process.env.HOME}/.codex`;
  gateFolder = process.env.HOLDFAST_FAKE_GATES;
  turnsStarted = 0;
  /** @type {Set<Client>} */
  #clients = new Set();
  /** @type {Map<number | string, { message: object, threadId: string | null, resolve(answer: FakeMessage): void }>} */
  #pending = new Map();
  #nextRequestId = 0;
  /** @type {Map<string, FakeReply | FakeReply[]>} */
  #replies;

  /** @param {Scenario} scenario @param {Journal} journal */
  constructor(scenario, journal) {
    this.scenario = scenario;
    this.journal = journal;
    this.store = openStore(this.codexHome, scenario);
    this.#replies = new Map(Object.entries(scenario.replies ?? {}));
  }

  /** @param {Connection} connection */
  connect(connection) {
    /** @type {Client} */
    const client = { connection, initialized: false, name: null, threads: new Set() };
    this.#clients.add(client);
    this.journal.write({ event: "connected" });
    connection.onText = (text) => this.#take(client, text);
    connection.onClosed = () => {
      this.#clients.delete(client);
      this.journal.write({ event: "disconnected" });
    };
  }

  /** @type {FakeServer["notify"]} */
  notify(method, params, threadId = null) {
    if (this.scenario.mute?.includes(method)) return;
    this.sendRaw(JSON.stringify({ method, params, emittedAtMs: Date.now() }), threadId);
  }

  /** @type {FakeServer["sendRaw"]} */
  sendRaw(text, threadId = null) {
    for (const client of this.#clients) {
      if (client.initialized && (threadId === null || client.threads.has(threadId)))
        client.connection.send(text);
    }
  }

  /** @type {FakeServer["request"]} */
  request(method, params, { threadId, id = this.#nextRequestId++ }) {
    const message = { method, id, params };
    /** @type {Promise<FakeMessage>} */
    const answered = new Promise((resolve) => this.#pending.set(id, { message, threadId, resolve }));
    this.sendRaw(JSON.stringify(message), threadId);
    return { id, answered };
  }

  /** @type {FakeServer["withdraw"]} */
  withdraw(requestId, threadId) {
    this.#pending.delete(requestId);
    this.notify("serverRequest/resolved", { threadId, requestId }, threadId);
  }

  /** @type {FakeServer["resendPending"]} */
  resendPending(threadId, client) {
    for (const pending of this.#pending.values()) {
      if (pending.threadId === threadId) client.connection.send(JSON.stringify(pending.message));
    }
  }

  dropConnections() {
    for (const client of [...this.#clients]) client.connection.drop();
  }

  /** @param {number} code */
  exit(code) {
    this.journal.write({ event: "exit", code });
    process.exit(code);
  }

  /** @param {Client} client @param {string} text */
  #take(client, text) {
    /** @type {FakeMessage} */
    let message;
    try {
      message = JSON.parse(text);
    } catch {
      this.journal.write({ event: "malformed", text });
      return;
    }
    this.journal.write({ received: message });
    const { id, method, params } = message;
    if (method === undefined) this.#takeAnswer(message);
    else if (id !== undefined) void this.#answer(client, id, method, params ?? {});
  }

  /** @param {FakeMessage} message */
  #takeAnswer(message) {
    if (message.id === undefined) return;
    this.#pending.get(message.id)?.resolve(message);
    this.#pending.delete(message.id);
  }

  /** @param {Client} client @param {number | string} id @param {string} method @param {Record<string, unknown>} params */
  async #answer(client, id, method, params) {
    const reply = this.#nextReply(method);
    const threadId = typeof params.threadId === "string" ? params.threadId : null;
    /** @type {ActionContext} */
    const context = { fake: this, threadId, turn: null, signal: null };
    /** @param {object} body */
    const answer = (body) => client.connection.send(JSON.stringify({ id, ...body }));
    try {
      await actAll(reply.before ?? [], context);
      if (reply.answer === "none") return;
      if (reply.answer) {
        answer(reply.answer);
      } else {
        const { result, afterwards } = this.#perform(client, method, params);
        answer({ result });
        afterwards?.();
      }
      await actAll(reply.after ?? [], context);
    } catch (error) {
      if (error instanceof RpcError) {
        answer({ error: { code: error.code, message: error.message } });
        return;
      }
      this.journal.write({ event: "bug", error: error instanceof Error ? error.stack : String(error) });
      answer({ error: { code: -32603, message: String(error) } });
    }
  }

  /** @param {string} method @returns {FakeReply} */
  #nextReply(method) {
    const planned = this.#replies.get(method) ?? {};
    return Array.isArray(planned) ? (planned.shift() ?? {}) : planned;
  }

  /** @param {Client} client @param {string} method @param {Record<string, unknown>} params @returns {Answer<unknown>} */
  #perform(client, method, params) {
    if (method !== "initialize" && !client.initialized) throw new RpcError("Not initialized");
    const isMissing = this.scenario.without?.some((name) => method.startsWith(name));
    const perform = isMissing ? undefined : methods.get(method);
    if (!perform) {
      const known = [...methods.keys()].map((name) => `\`${name}\``);
      throw new RpcError(
        `Invalid request: unknown variant \`${method}\`, expected one of ${known.join(", ")}`,
      );
    }
    return perform(params, { fake: this, client });
  }
}
