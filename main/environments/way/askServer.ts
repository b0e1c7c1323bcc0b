// What answers at an address, as far as plain HTTP tells it. Measured with codex 0.171.0: an exec-server answers /readyz with 200
// and has no /healthz; an app-server answers both with 200; all of it without a body, and without being asked for a token.
//
// Races settled here: the first of an answer, a failure and the deadline counts, and the socket is gone after each of them.

import { get as getPlain } from "node:http";
import { get as getEncrypted } from "node:https";
import type { Clock } from "../../clock";

export type ServerOutcome =
  | { kind: "exec-server" }
  | { kind: "app-server" }
  /** `status`: of its answer to /readyz. */
  | { kind: "other"; status: number }
  /** It takes connections and says nothing, or nothing that is HTTP. */
  | { kind: "silent" }
  | { kind: "no HTTP" }
  /** The connection ends as soon as something is asked: as at a tunnel with nothing at its other end. */
  | { kind: "hangs up" }
  | { kind: "certificate"; problem: string };

type Answer =
  | { kind: "answer"; status: number; isEmpty: boolean }
  | Exclude<ServerOutcome, { status: number }>;

interface AskOptions {
  clock: Clock;
  deadlineMs: number;
}

/** `url` is that of the exec-server: ws:// or wss://. */
export async function askServer(url: URL, options: AskOptions): Promise<ServerOutcome> {
  const ready = await ask(url, "/readyz", options);
  if (ready.kind !== "answer") return ready;
  if (ready.status !== 200 || !ready.isEmpty) return { kind: "other", status: ready.status };
  const healthy = await ask(url, "/healthz", options);
  const isAppServer = healthy.kind === "answer" && healthy.status === 200 && healthy.isEmpty;
  return { kind: isAppServer ? "app-server" : "exec-server" };
}

function ask({ protocol, host }: URL, path: string, { clock, deadlineMs }: AskOptions): Promise<Answer> {
  return new Promise((resolve) => {
    const isEncrypted = protocol === "wss:";
    const address = `${isEncrypted ? "https" : "http"}://${host}${path}`;
    const request = (isEncrypted ? getEncrypted : getPlain)(address, { agent: false }, (response) => {
      const status = response.statusCode ?? 0;
      const settleAnswer = (isEmpty: boolean) => settle({ kind: "answer", status, isEmpty });
      // Of a body only whether there is one is of interest.
      response.on("data", () => settleAnswer(false));
      response.on("end", () => settleAnswer(true));
      response.on("error", () => settleAnswer(false));
    });
    const settle = (answer: Answer) => {
      timer.cancel();
      request.destroy();
      resolve(answer);
    };
    const timer = clock.after(deadlineMs, () => settle({ kind: "silent" }));
    request.on("error", (error: NodeJS.ErrnoException) => settle(failure(error)));
  });
}

function failure({ code = "", message }: NodeJS.ErrnoException): Exclude<ServerOutcome, { status: number }> {
  if (code === "ECONNRESET" || code === "EPIPE") return { kind: "hangs up" };
  if (/CERT|SELF_SIGNED|UNABLE_TO_|ALTNAME/.test(code)) return { kind: "certificate", problem: message };
  return { kind: "no HTTP" };
}
