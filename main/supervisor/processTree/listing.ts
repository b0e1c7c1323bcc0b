import { execa, execaSync } from "execa";
import { Fault } from "../../fault";

const limitMs = 10_000;
const mostBytes = 64 * 1024 * 1024;

const options = {
  stdin: "ignore",
  // The words and times of a listing depend on these.
  env: { LC_ALL: "C", TZ: "UTC" },
  timeout: limitMs,
  killSignal: "SIGKILL",
  maxBuffer: mostBytes,
  windowsHide: true,
  reject: false,
} as const;

/** What a program that lists processes prints. Throws Fault `process_list_failed`. */
export async function readListing(file: string, args: readonly string[]): Promise<string> {
  const result = await execa(file, args, options);
  if (result.failed || typeof result.stdout !== "string") {
    throw new Fault("process_list_failed", "The list of running processes cannot be read.", {
      detail: result.shortMessage,
      retryable: true,
      cause: result,
    });
  }
  return result.stdout;
}

/** The same, blocking: for what must be known in this very tick. Empty when it fails. */
export function readListingNow(file: string, args: readonly string[]): string {
  const { failed, stdout } = execaSync(file, args, options);
  return failed ? "" : stdout;
}
