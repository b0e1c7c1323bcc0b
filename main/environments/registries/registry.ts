// Who answers "where is this environment now". Asked anew at every connection, every recovery and every refresh; nothing of an
// answer is kept for the next one.
//
// Races settled here:
// - The registry does not answer: after the deadline whoever asked is told. What it says then is dropped.
// - Whoever asked does not want to know any more: the same, at once.

import { z } from "zod";
import type { Clock } from "../../clock";
import { Fault } from "../../fault";
import { unlessAborted } from "../../supervisor/unlessAborted";
import {
  type ExecutorTarget,
  keepsSecrets,
  storedCredentialSchema,
  urlSchema,
} from "../client/executorTarget";

export interface Registry {
  /** How long an answer may take. */
  readonly deadlineMs: number;
  /**
   * Rejects with a Fault. `signal` is aborted when nobody waits for the answer any more: what was begun is to end then.
   * `resuming`: the identity of the executor whose session is to be gone on with; null: whichever is there now is wanted.
   */
  lookUp(signal: AbortSignal, resuming: string | null): Promise<ExecutorTarget>;
}

const goneCode = "executor_gone";

/** For a registry that knows that an executor has ended: its sessions have ended with it, and are not looked for any longer. */
export function executorGone(why: Fault | null): Fault {
  return new Fault(goneCode, why?.message ?? "The exec-server of this environment has ended.", {
    hint: why?.hint,
    detail: why?.detail,
    retryable: true,
    cause: why ?? undefined,
  });
}

export function isGone(fault: Fault): boolean {
  return fault.code === goneCode;
}

/** What the person has set. A token is not part of it: it is stored under a name, in the platform's key store. */
export const registryConfigSchema = z.discriminatedUnion("kind", [
  z
    .object({
      kind: z.literal("fixed"),
      url: urlSchema,
      /** Left out, it is the address: whatever listens there counts as the same executor. */
      identity: z.string().min(1).max(256).optional(),
      credential: storedCredentialSchema.nullish(),
    })
    .superRefine(keepsSecrets),
  z.object({ kind: z.literal("file"), path: z.string().min(1) }),
  z.object({
    kind: z.literal("command"),
    command: z.string().min(1),
    args: z.array(z.string()),
    deadlineMs: z.number().int().min(100).max(120_000).optional(),
  }),
]);

export type RegistryConfig = z.infer<typeof registryConfigSchema>;

export const defaultLookupMs = 10_000;

/** Rejects with the registry's Fault, with `registry_timeout`, or with the reason of `signal`. */
export async function lookUpWithin(
  registry: Registry,
  clock: Clock,
  signal: AbortSignal,
  resuming: string | null = null,
): Promise<ExecutorTarget> {
  const { deadlineMs } = registry;
  const timeout = new AbortController();
  const timer = clock.after(deadlineMs, () =>
    timeout.abort(
      new Fault(
        "registry_timeout",
        `Where the environment is could not be learnt within ${deadlineMs / 1000} s.`,
        { retryable: true },
      ),
    ),
  );
  const either = AbortSignal.any([signal, timeout.signal]);
  try {
    return await unlessAborted(registry.lookUp(either, resuming), either);
  } finally {
    timer.cancel();
  }
}
