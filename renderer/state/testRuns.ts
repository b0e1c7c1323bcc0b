// Small scripts, runs and questions for tests.

import type {
  CellQuestion,
  RunCall,
  RunHead,
  RunOutputItem,
  RunRow,
  RunSnapshot,
  ScriptRow,
} from "../../preload/contract/cells";

export function textOutput(...texts: string[]): RunOutputItem[] {
  return texts.map((text) => ({ type: "text", text }));
}

export function runRow(runId: string, part: Partial<RunRow> = {}): RunRow {
  return {
    runId,
    scriptId: "script",
    scriptName: "Review a branch",
    workspaceId: "workspace",
    workspaceName: "atlas",
    state: "running",
    startedAtMs: 0,
    endedAtMs: null,
    ...part,
  };
}

export function runHead(part: Partial<RunHead> = {}): RunHead {
  return { ...runRow("run"), source: "", error: null, threads: [], cleanup: null, ...part };
}

export function runCall(callId: number, part: Partial<RunCall> = {}): RunCall {
  return {
    callId,
    tool: "waitForTurn",
    summary: "Fix login",
    threadId: null,
    state: "pending",
    error: null,
    startedAtMs: 0,
    endedAtMs: null,
    ...part,
  };
}

export function runSnapshot(part: Partial<RunSnapshot> = {}): RunSnapshot {
  return { head: runHead(), output: [], earlierOutput: 0, calls: [], earlierCalls: 0, ...part };
}

export function cellQuestion(questionId: string, part: Partial<CellQuestion> = {}): CellQuestion {
  return {
    questionId,
    runId: "run",
    scriptName: "Review a branch",
    workspaceId: "workspace",
    question: "Which one?",
    options: [],
    askedAtMs: 0,
    ...part,
  };
}

export function scriptRow(scriptId: string, part: Partial<ScriptRow> = {}): ScriptRow {
  return { scriptId, name: scriptId, origin: "own", summary: null, updatedAtMs: 0, ...part };
}
