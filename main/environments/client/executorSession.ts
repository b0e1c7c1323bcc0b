// One session at one executor: what is asked of it, and the processes that run in it. It outlives its connections and ends
// once, for good; environmentClient.ts says when it is suspended, used again, or ended.
//
// Races settled here:
// - A start was sent and the connection is lost before the answer: it is not sent again. After the resume the executor is asked
//   whether it knows the process: requests of the old connection were all handled before the session could be resumed, so its
//   word is final, and the process is either there or was never started.
// - What a process says comes over the new connection before what was missed has been read: processStream.ts puts it in order.
// - What a process says comes before whoever started it has the answer: the listener is there before the start is sent.
// - The session ends: first every call fails, and whoever made it hears of that; the processes are told in the next round, so
//   that no listener of theirs, however many and however slow, can hold that up.
// - A listener fails: that changes nothing for anybody else.

import { randomUUID } from "node:crypto";
import type { Clock } from "../../clock";
import type { RpcClient } from "../../codex/rpcClient";
import { RpcFault } from "../../codex/rpcFault";
import { asFault, Fault } from "../../fault";
import type { Log } from "../../log";
import { DisconnectedFault } from "./disconnected";
import { readNotification } from "./executorNotification";
import { ExecutorProcess, type ProcessSpec, startParams } from "./executorProcess";
import { answers, checkedAnswer, type EnvironmentInfo, type ReadAnswer, toInfo } from "./executorProtocol";
import { type ProcessEvent, ProcessStream } from "./processStream";
import type { EnvironmentRecords } from "./records";
import { mostUnderWay, SessionCalls } from "./sessionCalls";

export interface ExecutorSessionOptions {
  /** The executor's own name for it: with it the session is resumed. */
  sessionId: string;
  client: RpcClient;
  info: EnvironmentInfo | null;
  clock: Clock;
  log: Log;
  records: EnvironmentRecords;
}

type StartVerdict = "started" | "not started" | "not known";

type StartState =
  /** Not sent yet. */
  | { state: "waiting" }
  /** Sent, and not answered yet. */
  | { state: "asked"; judge(verdict: StartVerdict): void }
  | { state: "started" };

interface Started {
  stream: ProcessStream;
  start: StartState;
  isFilling: boolean;
}

/** So much that came out of order, and what is missing is asked for. */
const maxWaitingBytes = 1024 * 1024;
/** Of what an executor says of a process. */
const mostWords = 8_000;

export class ExecutorSession {
  readonly sessionId: string;
  readonly calls: SessionCalls;
  readonly #options: ExecutorSessionOptions;
  readonly #processes = new Map<string, Started>();
  #info: EnvironmentInfo | null;

  constructor(options: ExecutorSessionOptions) {
    this.#options = options;
    this.sessionId = options.sessionId;
    this.calls = new SessionCalls(options.client, options.clock);
    this.#info = options.info;
  }

  get hasEnded(): boolean {
    return this.calls.hasEnded;
  }

  /** Those whose end was not told yet. */
  get processIds(): string[] {
    return [...this.#processes.keys()];
  }

  /** What the executor said of itself; it does not change while it lives. */
  async info(): Promise<EnvironmentInfo> {
    const answer = this.#info ?? (await this.calls.call("environment/info", {}));
    this.#info ??= toInfo(checkedAnswer("environment/info", answers.info, answer));
    return this.#info;
  }

  /**
   * Starts a process. `tell` hears every event of it once, in order, perhaps before this resolves; nothing more once this has
   * rejected. Rejects as a call does, with `mayHaveHappened` only when nobody can know any more whether it was started.
   */
  async start(spec: ProcessSpec, tell: (event: ProcessEvent) => void): Promise<ExecutorProcess> {
    const id = randomUUID();
    const stream = new ProcessStream((event) => this.#tell(id, tell, event));
    const started: Started = { stream, start: { state: "waiting" }, isFilling: false };
    let verdict: Promise<StartVerdict> = Promise.resolve("not known");
    const onSent = () => {
      verdict = new Promise((judge) => {
        started.start = { state: "asked", judge };
      });
    };
    const { argv, cwd } = spec;
    this.#options.records.processStarting({ sessionId: this.sessionId, processId: id, argv, cwd });
    this.#processes.set(id, started);
    try {
      await this.calls.call("process/start", startParams(id, spec), { onSent });
    } catch (error) {
      const isKnown = isInDoubt(error) ? await verdict : "not started";
      if (isKnown !== "started") {
        stream.forget();
        this.#gone(id, isKnown === "not started" && error instanceof RpcFault ? "not started" : "lost");
        this.#endLeftOver(id, error);
        throw isKnown === "not started" && isInDoubt(error)
          ? new DisconnectedFault("lost", { cause: error.cause })
          : error;
      }
    }
    started.start = { state: "started" };
    return new ExecutorProcess(id, this.calls);
  }

  /** A message of the executor, over the connection in use or the one that is being resumed. */
  receive(method: string, params: unknown): void {
    if (this.hasEnded) return;
    const notification = readNotification(method, params);
    if (notification === null) return;
    const started = this.#processes.get(notification.processId);
    if (!started) return;
    started.stream.receive(notification.event);
    if (started.stream.waitingBytes > maxWaitingBytes) void this.#refill(notification.processId, started);
  }

  suspend(): void {
    this.calls.suspend();
  }

  /** Reads what was missed. Rejects with the RequestFault of `client` when it is lost meanwhile. */
  async catchUp(client: RpcClient): Promise<void> {
    const all = [...this.#processes];
    for (let at = 0; at < all.length; at += mostUnderWay) {
      const some = all.slice(at, at + mostUnderWay);
      await Promise.all(some.map(([id, started]) => this.#catchUp(client, id, started)));
    }
  }

  use(client: RpcClient): void {
    this.calls.use(client);
  }

  /** Everything that was asked of it has failed when this returns. */
  end(fault: DisconnectedFault): void {
    if (this.hasEnded) return;
    this.calls.end(fault);
    for (const { start } of this.#processes.values()) {
      if (start.state === "asked") start.judge("not known");
    }
    setImmediate(() => this.#lose(fault));
  }

  /** Ends whatever still runs in it. Never rejects: what could not be ended is left to the executor's own care. */
  async terminateAll(): Promise<void> {
    const endings = this.processIds.map((id) => new ExecutorProcess(id, this.calls).terminate());
    for (const outcome of await Promise.allSettled(endings)) {
      if (outcome.status === "fulfilled") continue;
      this.#options.log.warn("a process in an environment could not be ended", {
        error: asFault(outcome.reason).code,
      });
    }
  }

  #lose(fault: DisconnectedFault): void {
    for (const { stream } of [...this.#processes.values()]) stream.lose(fault);
    this.#settle(() => this.#options.records.sessionEnded(this.sessionId));
  }

  async #catchUp(client: RpcClient, id: string, started: Started): Promise<void> {
    const { stream, start } = started;
    if (start.state === "waiting") return;
    const params = { processId: id, afterSeq: stream.lastSeq, waitMs: 0 };
    let answer: ReadAnswer;
    try {
      answer = checkedAnswer(
        "process/read",
        answers.read,
        await client.requestUntyped("process/read", params),
      );
    } catch (error) {
      if (error instanceof RpcFault && start.state === "asked") {
        start.judge(error.message.startsWith("unknown process") ? "not started" : "not known");
      } else if (error instanceof RpcFault) {
        stream.lose(forgottenFault(error));
      } else {
        throw error;
      }
      return;
    }
    if (start.state === "asked") start.judge("started");
    if (answer.failure) stream.lose(failedFault(answer.failure));
    else stream.fill(answer);
  }

  async #refill(id: string, started: Started): Promise<void> {
    if (started.isFilling) return;
    started.isFilling = true;
    try {
      const params = { processId: id, afterSeq: started.stream.lastSeq, waitMs: 0 };
      const answer = await this.calls.call("process/read", params);
      started.stream.fill(checkedAnswer("process/read", answers.read, answer));
      // By its word they have not been yet, and yet it has told what comes after them.
      if (started.stream.waitingBytes > maxWaitingBytes) started.stream.lose(contradictionFault());
    } catch (error) {
      // With the session everything of it ends; otherwise what is missing is gone, and must not be passed over.
      if (!(error instanceof DisconnectedFault)) started.stream.lose(forgottenFault(error));
    } finally {
      started.isFilling = false;
    }
  }

  /** Nobody knows whether it was started, and nobody has it: if it runs, it is not to. Ending is safe to ask for. */
  #endLeftOver(id: string, error: unknown): void {
    const isRefused = error instanceof RpcFault;
    if (isRefused || this.hasEnded) return;
    new ExecutorProcess(id, this.calls).terminate().catch((problem: unknown) => {
      this.#options.log.warn("a process that may have been started could not be ended", {
        error: asFault(problem).code,
      });
    });
  }

  #tell(id: string, tell: (event: ProcessEvent) => void, event: ProcessEvent): void {
    if (event.type === "closed" || event.type === "lost") this.#gone(id, event.type);
    try {
      tell(event);
    } catch (error) {
      this.#options.log.error("who listens to a process failed", { error: asFault(error).message });
    }
  }

  #gone(id: string, how: "closed" | "lost" | "not started"): void {
    if (this.#processes.delete(id)) this.#settle(() => this.#options.records.processEnded(id, how));
  }

  /** A record that cannot be settled is found unsettled at the next start; what goes on here does not depend on it. */
  #settle(record: () => void): void {
    try {
      record();
    } catch (error) {
      this.#options.log.error("what ended in an environment could not be written down", {
        error: asFault(error).message,
      });
    }
  }
}

function isInDoubt(error: unknown): error is DisconnectedFault {
  return error instanceof DisconnectedFault && error.mayHaveHappened;
}

function forgottenFault(cause: unknown): Fault {
  return new Fault("process_forgotten", "The executor does not know this process any more.", {
    detail: asFault(cause).message,
    cause,
  });
}

function contradictionFault(): Fault {
  return new Fault("process_output_lost", "The executor does not tell the output of this process in order.");
}

function failedFault(message: string): Fault {
  return new Fault("process_failed", "The executor could not go on with this process.", {
    detail: message.slice(0, mostWords),
  });
}
