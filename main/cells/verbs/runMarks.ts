// What a run has done to threads, kept so that it is shown there as done by that run.

import type { RunRef } from "../../../preload/contract/cells";
import type { ThreadRunMarks } from "../../threads/runMarks";

export interface RunMarks extends ThreadRunMarks {
  /** Null: it is kept no more. */
  refOf(runId: string): RunRef | null;
  /** The run starts this thread, which codex has not made yet: to be called before anything is sent. */
  thread(runId: string, threadKey: string): void;
}
