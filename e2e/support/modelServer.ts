// The model that end-to-end tests script: the demo's server with a queue of replies, gates, and a record of what codex sent.
//
// Races: a test may release a gate before or after the response arrives at it; a released gate stays open, so both are the
// same. A request may come before or after the test waits for it; `request(index)` answers either way.

import { systemClock } from "../../main/clock";
import type { ModelRequest } from "../../main/demo/modelRequest";
import {
  functionCallItem,
  messageItem,
  type Phase,
  type PlanStatus,
  patchItem,
  planItem,
  type ShellOptions,
  type Step,
  type Steps,
  shellItem,
} from "../../main/demo/responseSteps";
import { startResponsesServer } from "../../main/demo/responsesServer";
import type { Log } from "../../main/log";

/** The steps of one response, or what decides them when the request is there. */
export type Reply = Steps | ((request: ModelRequest) => Steps);

export interface Gate {
  /** Resolves when a response waits here, or has passed. */
  readonly reached: Promise<void>;
  release(): void;
}

export interface ModelServer {
  readonly port: number;
  /** For `base_url` in config.toml. */
  readonly baseUrl: string;
  /** Every request for a response, in order, with its full body. */
  readonly requests: readonly ModelRequest[];
  /** Requests for which no reply was there; a test should end with none. */
  readonly unexpected: readonly ModelRequest[];
  /** What scripts and the server complained about; a test should end with none. */
  readonly complaints: readonly string[];
  /** Replies to the next requests, one each, in order. */
  queue(...replies: Reply[]): void;
  /** What answers when the queue is empty. */
  handle(reply: (request: ModelRequest) => Steps): void;
  /** The gate of this name; made when it is first asked for. */
  gate(name: string): Gate;
  /** The step that waits at the gate of this name. */
  hold(name: string): Step;
  /** The request with this index, when it has come; fails after `timeoutMs`. */
  request(index: number, timeoutMs?: number): Promise<ModelRequest>;
  close(): Promise<void>;
}

export interface ModelServerOptions {
  /** When set, codex must send it as its bearer token. */
  token?: string;
  /** Taken instead of any free port: for a server that comes back. */
  port?: number;
}

export async function startModelServer(options: ModelServerOptions = {}): Promise<ModelServer> {
  const requests: ModelRequest[] = [];
  const unexpected: ModelRequest[] = [];
  const complaints: string[] = [];
  const replies: Reply[] = [];
  const gates = new Map<string, OwnGate>();
  const waiting = new Set<() => void>();
  let handler: ((request: ModelRequest) => Steps) | null = null;

  const complain = (message: string, facts?: Record<string, unknown>) => {
    complaints.push(facts ? `${message} ${JSON.stringify(facts)}` : message);
  };
  const log: Log = { info() {}, warn: complain, error: complain };

  function script(request: ModelRequest): Steps {
    requests.push(request);
    for (const look of waiting) look();
    const reply = replies.shift() ?? handler;
    if (reply === null) {
      unexpected.push(request);
      return failure(400, "The test queued no reply for this request.");
    }
    return typeof reply === "function" ? reply(request) : reply;
  }

  function gate(name: string): OwnGate {
    const known = gates.get(name) ?? newGate();
    gates.set(name, known);
    return known;
  }

  const server = await startResponsesServer({
    script,
    clock: systemClock,
    log,
    token: options.token ?? null,
    port: options.port,
  });

  return {
    port: server.port,
    baseUrl: server.baseUrl,
    requests,
    unexpected,
    complaints,
    queue: (...more) => {
      replies.push(...more);
    },
    handle: (reply) => {
      handler = reply;
    },
    gate,
    hold: (name) => ({
      type: "hold",
      released: () => {
        const { arrive, released } = gate(name);
        arrive();
        return released;
      },
    }),
    request(index, timeoutMs = 20_000) {
      return new Promise((resolve, reject) => {
        const look = () => {
          const request = requests[index];
          if (!request) return;
          waiting.delete(look);
          timer.cancel();
          resolve(request);
        };
        const timer = systemClock.after(timeoutMs, () => {
          waiting.delete(look);
          reject(new Error(`Request ${index} did not come in ${timeoutMs} ms; ${requests.length} came.`));
        });
        waiting.add(look);
        look();
      });
    },
    close: () => server.close(),
  };
}

interface OwnGate extends Gate {
  readonly released: Promise<void>;
  arrive(): void;
}

function newGate(): OwnGate {
  let arrive = () => {};
  let release = () => {};
  const reached = new Promise<void>((resolve) => {
    arrive = resolve;
  });
  const released = new Promise<void>((resolve) => {
    release = resolve;
  });
  return { reached, released, arrive: () => arrive(), release: () => release() };
}

/** One reply of several parts: `reply(reasoning("..."), message("..."))`. */
export function reply(...parts: Step[][]): Step[] {
  return parts.flat();
}

/** A message that comes whole. */
export function message(text: string, phase?: Phase): Step[] {
  return [messageItem(text, phase)];
}

/** A message that comes in these pieces, or in `pieces` about equal ones. Put `hold` between two of them to stop there. */
export function streamed(text: string, pieces: number | readonly string[] = 8): Step[] {
  const chunks = typeof pieces === "number" ? cutInto(text, pieces) : pieces;
  return [...chunks.map((chunk): Step => ({ type: "textDelta", text: chunk })), { type: "itemEnd" }];
}

/** Pieces of a message that is not ended: what follows may hold, cut, or go on. */
export function partOf(text: string): Step[] {
  return [{ type: "created" }, { type: "textDelta", text }];
}

export function reasoning(...parts: string[]): Step[] {
  const steps = parts.flatMap((part, index): Step[] => [
    ...(index > 0 ? [{ type: "reasoningPart" } as const] : []),
    { type: "reasoningDelta", text: part },
  ]);
  return [...steps, { type: "itemEnd" }];
}

export function functionCall(name: string, args: unknown, namespace?: string): Step[] {
  return [functionCallItem(name, args, namespace ? { namespace } : {})];
}

/** A command; with `escalate`, codex asks for approval first. */
export function shell(command: string, options: ShellOptions = {}): Step[] {
  return [shellItem(command, options)];
}

/** `patch` from `*** Begin Patch` to `*** End Patch`. */
export function patch(text: string): Step[] {
  return [patchItem(text)];
}

export function plan(steps: { step: string; status: PlanStatus }[], explanation?: string): Step[] {
  return [planItem(steps, explanation ? { explanation } : {})];
}

/** An HTTP error in place of a stream. */
export function failure(status: number, text = "The scripted model refuses.", code = "scripted"): Step[] {
  return [{ type: "refuse", status, code, message: text }];
}

/** The connection breaks. */
export function cut(): Step[] {
  return [{ type: "cut" }];
}

function cutInto(text: string, pieces: number): string[] {
  const characters = [...text];
  const size = Math.max(1, Math.ceil(characters.length / Math.max(1, pieces)));
  const chunks: string[] = [];
  for (let at = 0; at < characters.length; at += size) chunks.push(characters.slice(at, at + size).join(""));
  return chunks;
}
