// What carries messages to one codex process and back, whole texts one by one. A transport lives once: it is open when it is
// handed out, and after its end a new one is needed.

export interface Transport {
  /**
   * False when it is certain that nothing of `text` has left, because the transport has ended. True means that it was handed
   * on, and whether it arrived only an answer can tell.
   */
  send(text: string): boolean;
  /** Ends the transport. `onClosed` is called before this returns, and no message after it. Closing twice is closing once. */
  close(): void;
  /** Bytes that were sent and that codex has not taken yet. */
  readonly bufferedBytes: number;
}

/** Given when a transport is made, not afterwards, so that no message can come before there is somebody to take it. */
export interface TransportHandlers {
  onMessage(text: string): void;
  /** Called exactly once. */
  onClosed(reason: TransportClosed): void;
}

export type TransportClosed =
  | { by: "holdfast" }
  /** codex ended it, or has ended itself. */
  | { by: "codex"; detail: string }
  | { by: "failure"; detail: string; cause: unknown };
