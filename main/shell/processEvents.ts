// What the operating system and Node tell the process: signals, failures that nobody caught, an output that has gone.

import type { Log } from "../log";

const exitCodes = { SIGINT: 130, SIGTERM: 143, SIGHUP: 129 } as const;

/**
 * Takes the signals that ask the process to end. To be called again once Electron is ready: it sets handlers of its own
 * while it starts, and Node sets its handlers anew only for a signal that had no listener left.
 */
export function takeSignals(end: (exitCode: number) => void): void {
  for (const [signal, exitCode] of Object.entries(exitCodes)) {
    process.removeAllListeners(signal);
    process.on(signal, () => end(exitCode));
  }
}

/** Hands over what was thrown and caught by nobody. */
export function catchFailures(log: Log, failed: (error: unknown) => void): void {
  const take = (message: string) => (error: unknown) => {
    log.error(message, { error });
    failed(error);
  };
  process.on("uncaughtException", take("An error was caught by nobody"));
  process.on("unhandledRejection", take("A rejection was handled by nobody"));
  // Whoever started the app may have closed its output; that is no reason to fail.
  for (const stream of [process.stdout, process.stderr]) stream.on("error", () => {});
}
