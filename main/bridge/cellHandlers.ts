// Answers what a window asks of scripts and their runs.

import type { Cells } from "../cells/cells";
import type { BackendCall, Handlers } from "./backend";

type CellCall = Extract<BackendCall, `cells.${string}` | `scripts.${string}`>;

const done = { done: true } as const;

export function cellHandlers(cells: Cells): Handlers<CellCall> {
  const { scripts } = cells;
  return {
    async "scripts.names"() {
      return scripts.names();
    },
    async "scripts.create"({ name, fromScriptId, source }) {
      return { scriptId: scripts.create(name ?? null, fromScriptId, source ?? null) };
    },
    async "scripts.read"({ scriptId }) {
      return scripts.read(scriptId);
    },
    async "scripts.save"({ scriptId, orCopy, ...change }) {
      return orCopy ? scripts.saveOrCopy(scriptId, change) : scripts.save(scriptId, change);
    },
    async "scripts.delete"({ scriptId }) {
      scripts.delete(scriptId);
      return done;
    },
    async "scripts.restore"({ scriptId }) {
      scripts.restore(scriptId);
      return done;
    },

    async "cells.run"(request) {
      return { runId: await cells.run(request) };
    },
    async "cells.stop"({ runId, stopThreads }) {
      await cells.stop(runId, stopThreads);
      return done;
    },
    async "cells.earlierOutput"({ runId, before }) {
      return cells.earlierOutput(runId, before);
    },
    async "cells.answer"({ questionId, answer }) {
      return { outcome: cells.questions.answer(questionId, answer) };
    },
    async "cells.forget"({ runId }) {
      cells.forget(runId);
      return done;
    },
  };
}
