import type { RpcClient } from "../codex/rpcClient";
import type { LiveFacts } from "./sessionState";

/** A live way to one codex process. Replaced, never reused: what came over an older one is dropped. */
export interface Connection {
  readonly handleId: string;
  readonly client: RpcClient;
  readonly facts: LiveFacts;
}
