// What one notification of codex does to one thread. Routing (which thread is meant) and effects are the caller's.
//
// Race: a notification of a connection that has been replaced never gets here; main/supervisor drops it.

import type { Item } from "../../preload/contract/items";
import type { ThreadChange } from "../../preload/contract/thread";
import type { Turn } from "../codex/protocol/v2/Turn";
import { deltaTarget, patchTarget, progressTarget } from "./itemView/delta";
import { numberOrNull, recordOf, recordsOf, stringOrNull, wordsOrNull } from "./loose";
import type { RunEvent } from "./runMachine";
import { effortOf, reportedSandbox, settingsOf } from "./settingsView";
import type { ThreadState } from "./threadState";
import { turnFault } from "./turnView";

/** Returns what it says about the run, which is the caller's to tell. Unknown notifications change nothing. */
export function applyNotification(
  thread: ThreadState,
  method: string,
  params: unknown,
  atMs: number,
): RunEvent | null {
  const delta = deltaTarget(method, params);
  if (delta) {
    thread.publish(thread.transcript.delta(delta, atMs), false);
    return { type: "progress", turnId: delta.turnId };
  }
  const fields = recordOf(params);
  switch (method) {
    case "turn/started": {
      const turn = turnOf(fields.turn);
      if (!turn) return null;
      const changes = thread.transcript.turnStarted(turn);
      shown(thread, changes);
      // A late start of an earlier turn takes no plan away.
      if (changes.length > 0) thread.update({ plan: null });
      return { type: "turnStarted", turnId: turn.id, atMs };
    }
    case "turn/completed": {
      const turn = turnOf(fields.turn);
      if (!turn) return null;
      shown(thread, thread.transcript.turnCompleted(thread.asShown(turn), atMs));
      return { type: "turnCompleted", turnId: turn.id };
    }
    case "item/started":
      return withItem(fields, (turnId, item) => {
        if (recordOf(item).type === "exitedReviewMode") shown(thread, reviewMessages(thread, turnId));
        shown(
          thread,
          thread.transcript.itemStarted(
            turnId,
            thread.itemAsShown(item),
            numberOrNull(fields.startedAtMs) ?? atMs,
          ),
        );
        return { type: "progress", turnId };
      });
    case "item/completed":
      return withItem(fields, (turnId, item) => {
        shown(
          thread,
          thread.transcript.itemCompleted(
            turnId,
            thread.itemAsShown(item),
            numberOrNull(fields.completedAtMs) ?? atMs,
          ),
        );
        return { type: "progress", turnId };
      });
    case "item/mcpToolCall/progress": {
      const target = progressTarget(method, params);
      if (target)
        thread.publish(thread.transcript.update(target.itemId, withProgress(target.progress)), false);
      return null;
    }
    case "item/fileChange/patchUpdated": {
      const target = patchTarget(method, params);
      if (target) {
        const changed = (item: Item): Item =>
          item.kind === "fileChange" ? { ...item, changes: target.changes } : item;
        shown(thread, thread.transcript.update(target.itemId, changed));
      }
      return null;
    }
    case "turn/plan/updated":
      thread.update({ plan: planOf(fields) });
      return null;
    case "thread/tokenUsage/updated":
      thread.update({ usage: usageOf(fields.tokenUsage) ?? thread.facts.usage });
      return null;
    case "error":
      return errorSaid(fields);
    case "thread/name/updated":
      thread.update({ title: wordsOrNull(fields.threadName) ?? thread.facts.title });
      return null;
    case "thread/settings/updated": {
      const settings = recordOf(fields.threadSettings);
      thread.reportedSandbox = reportedSandbox(settings.sandboxPolicy, settings.activePermissionProfile);
      thread.update({
        settings: settingsOf({
          model: settings.model,
          effort: effortOf(settings),
          sandbox: settings.sandboxPolicy,
          approvalPolicy: settings.approvalPolicy,
          mode: settings.collaborationMode,
        }),
      });
      return null;
    }
    case "model/rerouted":
      note(
        thread,
        atMs,
        "info",
        `codex answered with ${wordsOrNull(fields.toModel) ?? "another model"} instead of the one chosen.`,
      );
      return null;
    default:
      return null;
  }
}

/** What a review says on the way has no end of its own, and is not recorded: its outcome takes its place. */
function reviewMessages({ transcript }: ThreadState, turnId: string): ThreadChange[] {
  const said = transcript
    .itemsOf(turnId)
    .filter(({ kind, status }) => kind === "agent" && status === "running");
  return transcript.remove(said.map(({ id }) => id));
}

/** A status of codex, from a notification, a resume or a read. */
export function statusEvent(status: unknown, atMs: number): RunEvent | null {
  switch (recordOf(status).type) {
    case "active":
      return { type: "active", atMs };
    case "idle":
    case "notLoaded":
    case "systemError":
      return { type: "inactive" };
    default:
      // A status that this version does not know is no reason to end or to begin anything.
      return null;
  }
}

/** Adds a remark of Holdfast's own at the end of the conversation. */
export function note(
  thread: ThreadState,
  atMs: number,
  tone: "info" | "warning" | "error",
  text: string,
  detail: string | null = null,
): void {
  const turnId = thread.runningTurnId ?? thread.transcript.lastTurn?.id ?? "";
  const item: Item = {
    id: `${turnId}/notice-${atMs}-${noticeCount++}`,
    turnId,
    status: "completed",
    startedAtMs: atMs,
    completedAtMs: atMs,
    kind: "notice",
    tone,
    text,
    detail,
  };
  thread.publish(thread.transcript.add(item), true);
}
let noticeCount = 0;

function shown(thread: ThreadState, changes: ThreadChange[]): void {
  if (changes.length === 0) return;
  thread.publish(changes, true);
  thread.refreshHead();
}

function turnOf(value: unknown): Turn | null {
  const record = recordOf(value);
  return typeof record.id === "string" ? (record as unknown as Turn) : null;
}

function withItem(
  fields: Record<string, unknown>,
  then: (turnId: string, item: unknown) => RunEvent,
): RunEvent | null {
  const turnId = wordsOrNull(fields.turnId);
  return turnId === null ? null : then(turnId, fields.item);
}

function withProgress(progress: string): (item: Item) => Item {
  return (item) => (item.kind === "toolCall" ? { ...item, progress } : item);
}

function planOf(fields: Record<string, unknown>): ThreadState["facts"]["plan"] {
  const steps = recordsOf(fields.plan).map((step) => {
    const status = step.status === "completed" || step.status === "inProgress" ? step.status : "pending";
    return { step: wordsOrNull(step.step) ?? "", status } as const;
  });
  return steps.length === 0 ? null : { explanation: stringOrNull(fields.explanation), steps };
}

/** `last` fills the context; `total` is only what was spent. */
function usageOf(value: unknown): ThreadState["facts"]["usage"] {
  const usage = recordOf(value);
  const lastTokens = numberOrNull(recordOf(usage.last).totalTokens);
  const totalTokens = numberOrNull(recordOf(usage.total).totalTokens);
  if (lastTokens === null || totalTokens === null) return null;
  return { lastTokens, totalTokens, contextWindow: numberOrNull(usage.modelContextWindow) };
}

/** A failure that codex retries is a passing notice; the one that ends the turn is told by the turn itself. */
function errorSaid(fields: Record<string, unknown>): RunEvent | null {
  const turnId = wordsOrNull(fields.turnId);
  if (fields.willRetry !== true || turnId === null) return null;
  return { type: "retrying", turnId, message: turnFault(fields.error).message };
}

export function turnIdIn(params: unknown): string | null {
  return wordsOrNull(recordOf(recordOf(params).turn).id);
}
