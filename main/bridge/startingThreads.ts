// What a thread that begins in a worktree of its own needs of the other threads.

import { Fault } from "../fault";
import type { Ledger } from "../ledger/ledger";
import type { Threads } from "../threads/threads";
import type { StartingThreads } from "../workspaces/worktrees/starting/worktreeStarts";

export function startingThreads(threads: Threads, ledger: Ledger): StartingThreads {
  return {
    newThread(threadKey) {
      const { threadId, workspaceId, state } = threads.runtime(threadKey);
      const { submissions, environment, settings } = state.head;
      if (threadId !== null || submissions.length > 0) {
        throw new Fault("thread_begun", "This thread has begun already, so it stays where it is.", {
          hint: "Start a new thread for a worktree of its own.",
        });
      }
      if (environment !== null) {
        throw new Fault("worktree_elsewhere", "Commands of this thread are to run somewhere else.", {
          hint: "Choose this machine below the message, or start the thread in this folder.",
        });
      }
      return { workspaceId, settings };
    },
    handedOn: (threadKey, seen) => threads.drafts.handedOn(threadKey, seen),
    await: (threadKey) => threads.drafts.setApart(threadKey),
    start(threadKey, message, settings) {
      // Before it is met: nothing else decides what its first turn runs with.
      ledger.threads.setSettings(threadKey, settings);
      threads.send(threadKey, { ...message, mode: "turn" }, "nothing");
    },
    giveBack(threadKey, workspaceId, { text, attachments }) {
      threads.drafts.addToWorkspace(workspaceId, text, attachments);
      threads.drafts.giveToWorkspace(threadKey, workspaceId);
    },
  };
}
