// What is worth saying when one state of the app follows another. Pure.

import type { AppState, CleanupView, SessionView, ThreadRow } from "../../preload/contract/app";
import type { CellQuestion, RunRow } from "../../preload/contract/cells";
import { type EnvironmentView, isReplaced } from "../../preload/contract/environments";
import { latencyWords } from "../environments/environmentLook";
import type { AppCopy } from "../state/appCopy";

function ofThread(before: ThreadRow | undefined, now: ThreadRow): string | null {
  if (!before || before.state === now.state) return null;
  switch (now.state) {
    case "waiting for approval":
      return `${now.title} waits for your approval.`;
    case "waiting for answer":
      return `${now.title} has a question for you.`;
    case "failed":
      return `${now.title} failed.`;
    case "interrupted":
      return `${now.title} was stopped.`;
    case "idle":
      return before.state === "not loaded" ? null : `${now.title} has finished.`;
    case "running":
    case "not loaded":
      return null;
    default: {
      const unknown: never = now.state;
      return unknown;
    }
  }
}

function ofSession(name: string, before: SessionView, now: SessionView): string | null {
  if (before.state === now.state) return null;
  if (now.state === "disconnected") return `codex in ${name} is disconnected.`;
  if (now.state === "reconnecting") return `codex in ${name} is reconnecting.`;
  if (now.state === "connected" && before.state === "reconnecting")
    return `codex in ${name} is connected again.`;
  return null;
}

function ofCleanups(before: readonly CleanupView[], now: readonly CleanupView[]): string[] {
  const was = new Set(before.map(({ id }) => id));
  const is = new Set(now.map(({ id }) => id));
  return [
    ...now.filter(({ id }) => !was.has(id)).map(({ title }) => `Cleanup pending: ${title}.`),
    ...before.filter(({ id }) => !is.has(id)).map(({ title }) => `Cleaned up: ${title}.`),
  ];
}

/** Of the script whose question waits the question itself is said. */
function ofRun(before: RunRow | undefined, { scriptName, state }: RunRow): string | null {
  if (!before || before.state === state) return null;
  switch (state) {
    case "completed":
      return `Script ${scriptName} has completed.`;
    case "failed":
      return `Script ${scriptName} failed.`;
    case "stopped":
      return `Script ${scriptName} was stopped.`;
    case "cut off":
      return `Script ${scriptName} was cut off.`;
    case "running":
    case "waiting for answer":
    case "ending":
      return null;
    default:
      return state satisfies never;
  }
}

function ofQuestions(before: readonly CellQuestion[], now: readonly CellQuestion[]): string[] {
  const was = new Set(before.map(({ questionId }) => questionId));
  return now
    .filter(({ questionId }) => !was.has(questionId))
    .map(({ scriptName, question }) => `Script ${scriptName} asks: ${question}`);
}

/** Of the environment that is in front of the person: how it stands, and what was found when it was asked. */
function ofEnvironment(before: EnvironmentView | undefined, now: EnvironmentView): string[] {
  if (!before || before === now) return [];
  const said: string[] = [];
  const was = connectionWords(before);
  const is = connectionWords(now);
  if (is !== null && was !== is) said.push(`${now.name} ${is}.`);
  const { check } = now;
  if (check !== null && check.atMs !== before.check?.atMs) {
    if (check.fault !== null) said.push(`${now.name} does not answer: ${check.fault.message}`);
    else if (check.latencyMs !== null) {
      said.push(`${now.name} answered in ${latencyWords(check.latencyMs)}.`);
    }
  }
  return said;
}

/** Null: on the way from one to another, which is not worth a sentence. */
function connectionWords({ connection, server }: EnvironmentView): string | null {
  if (server?.state === "starting" || server?.state === "ending") return null;
  if (server?.state === "stopped") return server.fault === null ? "is stopped" : "has failed";
  switch (connection.state) {
    case "connecting":
      return null;
    case "connected":
      return "is connected";
    case "reconnecting":
      return "is reconnecting";
    case "not connected":
      if (isReplaced(connection)) return "was restarted or replaced; the next use connects";
      if (connection.fault !== null) return "is disconnected";
      return server?.state === "running" ? "is running" : "is not connected";
    default:
      return connection satisfies never;
  }
}

/** `shownEnvironmentId`: the environment that is in front of the person, if one is. */
export function announcementsOf(
  before: AppCopy,
  now: AppCopy,
  shownEnvironmentId: string | null = null,
): string[] {
  const said: (string | null)[] = [];
  if (before.rows !== now.rows) {
    for (const [id, row] of now.rows) {
      const last = before.rows.get(id);
      if (last !== row && row.parentThreadId === null) said.push(ofThread(last, row));
    }
  }
  if (before.app.workspaces !== now.app.workspaces) {
    const sessions = new Map(before.app.workspaces.map((each) => [each.id, each.session]));
    for (const workspace of now.app.workspaces) {
      const last = sessions.get(workspace.id);
      if (last) said.push(ofSession(workspace.name, last, workspace.session));
    }
  }
  if (before.app.cleanups !== now.app.cleanups) {
    said.push(...ofCleanups(before.app.cleanups, now.app.cleanups));
  }
  if (before.app.runs !== now.app.runs) {
    const runs = new Map(before.app.runs.map((run) => [run.runId, run]));
    said.push(...now.app.runs.map((run) => ofRun(runs.get(run.runId), run)));
  }
  if (before.app.cellQuestions !== now.app.cellQuestions) {
    said.push(...ofQuestions(before.app.cellQuestions, now.app.cellQuestions));
  }
  if (shownEnvironmentId !== null && before.app.environments !== now.app.environments) {
    const find = ({ app }: AppCopy) =>
      app.environments.find((each) => each.environmentId === shownEnvironmentId);
    const shown = find(now);
    if (shown) said.push(...ofEnvironment(find(before), shown));
  }
  return said.filter((each) => each !== null);
}

/** How much waits for an answer of the person. What is being answered right now does not wait any more. */
export function waitingCount({
  waiting,
  cellQuestions,
}: Pick<AppState, "waiting" | "cellQuestions">): number {
  return waiting.filter((request) => !request.answering).length + cellQuestions.length;
}

/** The title of the window: what is shown, and how much waits, where a task bar shows it. */
export function windowTitle(threadTitle: string | null, waiting: number): string {
  const name = threadTitle ? `${threadTitle} - Holdfast` : "Holdfast";
  return waiting > 0 ? `(${waiting}) ${name}` : name;
}
