// What is worth saying when one state of the app follows another. Pure.

import type { CleanupView, SessionView, ThreadRow } from "../../preload/contract/app";
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

export function announcementsOf(before: AppCopy, now: AppCopy): string[] {
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
  return said.filter((each) => each !== null);
}

/** The title of the window: what is shown, and how much waits, where a task bar shows it. */
export function windowTitle(threadTitle: string | null, waiting: number): string {
  const name = threadTitle ? `${threadTitle} · Holdfast` : "Holdfast";
  return waiting > 0 ? `(${waiting}) ${name}` : name;
}
