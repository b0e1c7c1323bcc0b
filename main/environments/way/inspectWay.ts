// The way to an exec-server on another machine, step by step: what is in order, what is not, and what to do about it. Every step
// is bounded; those after one that has failed are not tried. A token goes only to what has answered as an exec-server does. The
// session that the handshake begins is one of its own, in which nothing runs; the executor forgets it by itself.

import type { WayStep } from "../../../preload/contract/environments";
import type { Clock } from "../../clock";
import { RpcFault } from "../../codex/rpcFault";
import type { Transport } from "../../codex/transport";
import { asFault, type Fault } from "../../fault";
import type { Log } from "../../log";
import { connectExecutor, openExecutor } from "../client/executorConnection";
import { answers, checkedAnswer } from "../client/executorProtocol";
import { describeIssues, isOnThisMachine, isSafeForSecrets, urlSchema } from "../client/executorTarget";
import type { Secret } from "../client/secret";
import { askServer } from "./askServer";
import { tryPort } from "./tryPort";
import { addressHint, portStep, serverStep } from "./wayWords";

export interface InspectWayOptions {
  clock: Clock;
  log: Log;
  /** Of the codex that is used here; null: not known. */
  codexVersion(): Promise<string | null>;
}

export interface Way {
  url: string;
  token: Secret | null;
}

type Outcome = Omit<WayStep, "step">;

const stepMs = 5_000;
const stepNames: readonly WayStep["step"][] = ["address", "port", "server", "token", "handshake", "version"];

/** Never rejects. */
export async function inspectWay(way: Way, options: InspectWayOptions): Promise<WayStep[]> {
  const steps: WayStep[] = [];
  for await (const outcome of outcomes(way, options)) {
    const step = stepNames[steps.length];
    if (step !== undefined) steps.push({ step, ...outcome });
    if (outcome.outcome === "failed") break;
  }
  const left = stepNames.slice(steps.length);
  return [
    ...steps,
    ...left.map((step): WayStep => ({ step, outcome: "not tried", text: "Not tried.", hint: null })),
  ];
}

/** One for each step, in their order. Whoever reads them stops after a failure. */
async function* outcomes(way: Way, options: InspectWayOptions): AsyncGenerator<Outcome> {
  const { clock } = options;
  yield addressOutcome(way);
  const url = new URL(way.url);
  const isHere = isOnThisMachine(way.url);
  const place = { host: url.hostname.replace(/^\[|\]$/g, ""), port: portOf(url) };
  const limits = { clock, deadlineMs: stepMs };
  yield portStep(await tryPort(place, limits), { ...place, isHere });
  // With a path, or encrypted, there may be another server in front, which answers in its own way.
  const mayBeBehind = url.protocol === "wss:" || url.pathname !== "/";
  yield serverStep(await askServer(url, limits), { isHere, mayBeBehind });
  yield await tokenOutcome(way, isHere, options);
  let version: string | null = null;
  yield await handshakeOutcome(way, options, (told) => {
    version = told;
  });
  yield versionOutcome(version, await options.codexVersion());
}

function addressOutcome({ url, token }: Way): Outcome {
  const { success, error } = urlSchema.safeParse(url);
  if (!success) return failed(`The address ${describeIssues(error)}.`, addressHint);
  if (token !== null && !isSafeForSecrets(url)) {
    return failed(
      "A token is not sent to another machine over a line that others can read.",
      "Make a tunnel with ssh and use its address on this machine, or one that begins with wss://.",
    );
  }
  if (isSafeForSecrets(url)) return ok("The address can be used.");
  return {
    outcome: "warning",
    text: "The address leads to another machine, over a line that others can read and change.",
    hint: "Make a tunnel with ssh and use its address on this machine, or one that begins with wss://.",
  };
}

async function tokenOutcome(
  { url, token }: Way,
  isHere: boolean,
  { clock }: InspectWayOptions,
): Promise<Outcome> {
  const withToken = token === null ? null : await upgrade(url, token.reveal(), clock);
  if (withToken !== null && withToken !== "accepted") return refused(withToken, true);
  const without = await upgrade(url, null, clock);
  if (withToken === null && without !== "accepted") return refused(without, false);
  if (without !== "accepted") return ok("The token is accepted.");
  const open = "Whoever can reach this address can run commands there.";
  const hint = `${open} To change that, start the exec-server with --ws-auth capability-token --ws-token-file FILE.`;
  if (withToken !== null) return { outcome: "warning", text: "It asks for no token: any is accepted.", hint };
  return { outcome: isHere ? "ok" : "warning", text: "It asks for no token.", hint };
}

async function upgrade(url: string, token: string | null, clock: Clock): Promise<"accepted" | Fault> {
  let transport: Transport;
  try {
    const handlers = { onMessage() {}, onClosed() {} };
    const signal = new AbortController().signal;
    transport = await connectExecutor({ url, token }, handlers, { clock, signal, deadlineMs: stepMs });
  } catch (error) {
    return asFault(error);
  }
  transport.close();
  return "accepted";
}

function refused({ code, detail, message }: Fault, hadToken: boolean): Outcome {
  if (code === "connect_rejected" && (detail === "HTTP 401" || detail === "HTTP 403")) {
    const hint = "It is in the file that the exec-server was started with (--ws-token-file).";
    return hadToken
      ? failed("The token is not accepted.", `${hint} All of it is needed, and nothing else.`)
      : failed("It asks for a token, and none is given.", hint);
  }
  if (code === "connect_rejected") {
    return failed(
      `What answers does not take WebSocket connections (${detail}).`,
      "Look whether the address has the right port and the right path; an exec-server has none.",
    );
  }
  return failed("The connection could not be made.", detail ?? message);
}

async function handshakeOutcome(
  { url, token }: Way,
  { clock, log }: InspectWayOptions,
  tell: (version: string | null) => void,
): Promise<Outcome> {
  const credential = token === null ? ({ kind: "none" } as const) : ({ kind: "token", token } as const);
  try {
    const { client, info } = await openExecutor(
      { url, identity: url, registration: url, credential },
      {
        clock,
        log,
        random: () => 0,
        credentials: { get: async () => null },
        connect: connectExecutor,
        signal: new AbortController().signal,
        resumeSessionId: null,
        onNotification() {},
        onClosed() {},
      },
    );
    try {
      const answer = await client.requestUntyped("environment/status", {}, { deadlineMs: stepMs });
      const { status } = checkedAnswer("environment/status", answers.status, answer);
      tell(info?.version ?? null);
      if (status === "ready") return ok("The exec-server is ready to run commands.");
      return {
        outcome: "warning",
        text: `The exec-server says that it is "${status}".`,
        hint: "Try again soon.",
      };
    } finally {
      client.close();
    }
  } catch (error) {
    const { message, detail } = asFault(error);
    const hint = "It may be of a version that Holdfast does not know, or something else than an exec-server.";
    if (error instanceof RpcFault)
      return failed("What answers refuses the handshake of an exec-server.", hint);
    return failed(message, detail === undefined ? hint : `${hint} (${detail})`);
  }
}

function versionOutcome(there: string | null, here: string | null): Outcome {
  if (there === null) {
    return { outcome: "warning", text: "The exec-server does not say its version.", hint: null };
  }
  if (here === null) return ok(`codex ${there}. Which codex is used here is not known.`);
  if (there === here) return ok(`codex ${there}, the same as here.`);
  return {
    outcome: "warning",
    text: `codex ${there} there, codex ${here} here.`,
    hint: "That may go well. If it does not, install the same version on both.",
  };
}

function portOf({ port, protocol }: URL): number {
  if (port !== "") return Number(port);
  return protocol === "wss:" ? 443 : 80;
}

function ok(text: string): Outcome {
  return { outcome: "ok", text, hint: null };
}

function failed(text: string, hint: string): Outcome {
  return { outcome: "failed", text, hint };
}
