// What takes its time in a repository and was begun in this window: a commit with its hooks, a push, a pull request, a
// suggestion. What one prints is shown while it goes on; why one failed stays until the next one or until it is dismissed.
//
// Races, and what settles each:
// - The same is asked for twice: one of a kind runs in a repository at a time here; main says the same of other windows.
// - One is cancelled at the very moment at which it ends: what main says of it counts.
// - Its output is still being read when it ends: the reading ends with it, and the failure has all of it.

import { create } from "zustand";
import type { CallParams, CallResult } from "../../../preload/contract";
import type { ChangesJob } from "../../../preload/contract/changes";
import type { FaultView } from "../../../preload/contract/fault";
import { faultOf } from "../../state/callFault";
import { call } from "../../state/connection";
import { attempt } from "../../state/toasts";
import { lookAgain } from "../state/changesStore";

export type JobKind = ChangesJob["kind"];

export interface OwnJob {
  jobId: string;
  kind: JobKind;
  output: string;
  /** Null: it goes on. */
  fault: FaultView | null;
}

/** How much of its output is kept in the window. */
const mostOutput = 100_000;

export const jobsStore = create<{ jobs: ReadonlyMap<string, OwnJob> }>(() => ({ jobs: new Map() }));

function keyOf(workspaceId: string, kind: JobKind): string {
  return `${kind} ${workspaceId}`;
}

function put(key: string, job: OwnJob | null): void {
  const jobs = new Map(jobsStore.getState().jobs);
  if (job === null) jobs.delete(key);
  else jobs.set(key, job);
  jobsStore.setState({ jobs });
}

export function useOwnJob(workspaceId: string, kind: JobKind): OwnJob | null {
  return jobsStore(({ jobs }) => jobs.get(keyOf(workspaceId, kind)) ?? null);
}

/** Why it failed, as long as that is so: that another one went on is nothing to be said any more once that has ended. */
export function faultToShow(job: OwnJob | null, listed: readonly ChangesJob[]): FaultView | null {
  if (job?.fault?.code !== "repository_busy") return job?.fault ?? null;
  return listed.some(({ kind, jobId }) => kind === job.kind && jobId !== job.jobId) ? job.fault : null;
}

export function dismissJob(workspaceId: string, kind: JobKind): void {
  const key = keyOf(workspaceId, kind);
  if (jobsStore.getState().jobs.get(key)?.fault) put(key, null);
}

export async function cancelJob(jobId: string): Promise<void> {
  await attempt(call("changes.cancel", { jobId }));
}

/** Undefined: it failed, was cancelled, or one of its kind is under way. */
export async function runJob<
  Name extends "changes.commit" | "changes.push" | "changes.openPullRequest" | "changes.suggestMessage",
>(
  name: Name,
  kind: JobKind,
  params: Omit<CallParams<Name>, "jobId"> & { workspaceId: string },
): Promise<CallResult<Name> | undefined> {
  const { workspaceId } = params;
  const key = keyOf(workspaceId, kind);
  const known = jobsStore.getState().jobs.get(key);
  if (known && known.fault === null) return undefined;
  const jobId = crypto.randomUUID();
  put(key, { jobId, kind, output: "", fault: null });
  const isCurrent = () => jobsStore.getState().jobs.get(key)?.jobId === jobId;
  try {
    const answer = call(name, { ...params, jobId } as unknown as CallParams<Name>);
    // After it on the same port: main knows the job by then.
    void readOutput(jobId, (output) => {
      const job = jobsStore.getState().jobs.get(key);
      if (job && job.jobId === jobId && job.fault === null) put(key, { ...job, output });
    });
    const result = await answer;
    if (isCurrent()) put(key, null);
    return result;
  } catch (error) {
    const fault = faultOf(error);
    const job = jobsStore.getState().jobs.get(key);
    // Whoever has cancelled it knows.
    if (job?.jobId === jobId) put(key, fault.code === "cancelled" ? null : { ...job, fault });
    return undefined;
  } finally {
    lookAgain(workspaceId);
  }
}

async function readOutput(jobId: string, show: (output: string) => void): Promise<void> {
  let from = 0;
  let output = "";
  try {
    for (;;) {
      const { text, next, over } = await call("changes.output", { jobId, from });
      if (text !== "") {
        output = (output + text).slice(-mostOutput);
        show(output);
      }
      if (over) return;
      from = next;
    }
  } catch (error) {
    // What it ends with says the same.
    console.warn("The output of a job cannot be read", faultOf(error).message);
  }
}
