// What a scenario can make happen inside a turn. The events and their order are those of the real binary; conformance.test.ts
// compares them.

/**
 * @import { ItemOf, TurnActions, TurnContext } from "./fakeTypes"
 * @import { CommandExecutionApprovalDecision } from "../../../main/codex/protocol/v2/CommandExecutionApprovalDecision"
 * @import { ThreadItem } from "../../../main/codex/protocol/v2/ThreadItem"
 * @import { TurnError } from "../../../main/codex/protocol/v2/TurnError"
 * @import { ErrorText, Json } from "./scenario"
 */

import { items, tokenUsage } from "./shapes.mjs";
import { orStopped } from "./stopping.mjs";

/** @type {TurnActions} */
export const turnActions = {
  /** `chunks`: pieces of text, or their number; 0 sends the message whole, without deltas. */
  message({ message: text, chunks = 3, id, phase, unfinished = false }, context) {
    const pieces = Array.isArray(chunks) ? chunks : cut(text, chunks);
    const item = items.agentMessage(pieces.length > 0 ? "" : text, { id, phase });
    started(item, context);
    for (const delta of pieces) itemNotice("item/agentMessage/delta", item, { delta }, context);
    if (!unfinished) completed({ ...item, text }, context);
  },

  reasoning({ reasoning: parts, id }, context) {
    const item = items.reasoning([], id);
    started(item, context);
    for (const [summaryIndex, delta] of parts.entries()) {
      itemNotice("item/reasoning/summaryPartAdded", item, { summaryIndex }, context);
      itemNotice("item/reasoning/summaryTextDelta", item, { delta, summaryIndex }, context);
    }
    completed({ ...item, summary: parts }, context);
  },

  plan({ plan, explanation = null }, context) {
    notice("turn/plan/updated", { explanation, plan }, context);
  },

  /** `approval`: {reason?, decisions?, id?} asks first. */
  async command({ command, output = "", exitCode = 0, deltas = [], id, approval }, context) {
    const item = items.command(command, context.cwd, { id, source: approval ? "agent" : undefined });
    if (approval) setWaiting(true, context);
    started(item, context);
    if (approval) {
      const decision = await asked("item/commandExecution/requestApproval", item, context, approval.id, {
        kind: "command",
        environmentId: "local",
        reason: approval.reason ?? null,
        command: item.command,
        cwd: item.cwd,
        commandActions: item.commandActions,
        proposedExecpolicyAmendment: command.split(" "),
        availableDecisions: approval.decisions ?? offeredDecisions(command),
      });
      if (!accepts(decision)) {
        // Told, but not kept: a declined command is in no list afterwards, unlike a declined file change.
        told({ ...item, status: "declined" }, context);
        setWaiting(false, context);
        return afterRefusal(decision, context);
      }
      setWaiting(false, context);
    }
    for (const delta of deltas) itemNotice("item/commandExecution/outputDelta", item, { delta }, context);
    completed(
      {
        ...item,
        processId: "4711",
        source: "unifiedExecStartup",
        status: exitCode === 0 ? "completed" : "failed",
        aggregatedOutput: output === "" ? null : output,
        exitCode,
        durationMs: 0,
      },
      context,
    );
  },

  /** `fileChange`: [{path, kind: {type, move_path?}, diff}]. `approval`: {reason?, id?} asks first. */
  async fileChange({ fileChange: changes, id, approval, diff }, context) {
    const item = items.fileChange(changes, id);
    started(item, context);
    if (approval) {
      setWaiting(true, context);
      const decision = await asked("item/fileChange/requestApproval", item, context, approval.id, {
        reason: approval.reason ?? null,
        grantRoot: null,
      });
      setWaiting(false, context);
      if (!accepts(decision)) {
        completed({ ...item, status: "declined" }, context);
        return afterRefusal(decision, context);
      }
    }
    completed({ ...item, status: "completed" }, context);
    context.diff = diff ?? changes.map((change) => change.diff).join("");
    turnDiff(context);
  },

  /** Any item, known to the protocol or not; `unfinished` leaves it running. */
  item({ item: given, unfinished = false }, context) {
    const item = /** @type {ThreadItem} */ (/** @type {unknown} */ (given));
    started(item, context);
    if (!unfinished) completed(item, context);
  },

  usage({ usage: totalTokens }, context) {
    notice("thread/tokenUsage/updated", { tokenUsage: tokenUsage(totalTokens) }, context);
  },

  /** An `error` notification that ends nothing: {message, willRetry?, codexErrorInfo?, additionalDetails?}. */
  trouble({ trouble: { willRetry = true, ...error } }, context) {
    notice("error", { error: turnError(error), willRetry }, context);
  },

  /** Ends the turn as failed: {message, codexErrorInfo?}, a moment after it has said so. */
  fail({ fail, graceMs = 5 }, context) {
    context.fail(turnError(fail), graceMs);
    return orStopped(new Promise(() => {}), context);
  },

  /** "completed", "interrupted", or "never": it goes on for ever. */
  end({ end }, context) {
    if (end !== "never") return context.end(end);
    return orStopped(new Promise(() => {}), context);
  },
};

/** An item begins. What the turn keeps are the finished ones. @param {ThreadItem} item @param {TurnContext} context */
export function started(item, context) {
  const startedAtMs = Date.now();
  item.startedAtMs = startedAtMs;
  item.completedAtMs = null;
  notice("item/started", { item, startedAtMs }, context);
}

/** @param {ThreadItem} item @param {TurnContext} context */
export function completed(item, context) {
  context.turn.items.push(item);
  told(item, context);
  context.fake.store.save();
}

/** @param {ThreadItem} item @param {TurnContext} context */
function told(item, context) {
  const completedAtMs = Date.now();
  item.completedAtMs = completedAtMs;
  notice("item/completed", { item, contentTokenCount: null, completedAtMs }, context);
}

/** @param {string} method @param {object} params @param {TurnContext} context */
function notice(method, params, context) {
  context.fake.notify(
    method,
    { threadId: context.threadId, turnId: context.turn.id, ...params },
    context.threadId,
  );
}

/** @param {string} method @param {ThreadItem} item @param {object} params @param {TurnContext} context */
function itemNotice(method, item, params, context) {
  notice(method, { itemId: item.id, ...params }, context);
}

/**
 * Asks, and gives the decision. The status says that something is waited for until the caller sets it otherwise.
 * @param {string} method
 * @param {ThreadItem} item
 * @param {TurnContext} context
 * @param {number | string | undefined} id
 * @param {object} params
 * @returns {Promise<Json>}
 */
async function asked(method, item, context, id, params) {
  const { fake, threadId, turn } = context;
  const request = fake.request(
    method,
    { threadId, turnId: turn.id, itemId: item.id, startedAtMs: item.startedAtMs, ...params },
    { threadId, id },
  );
  try {
    const answer = await orStopped(request.answered, context);
    return isObject(answer.result) ? (answer.result.decision ?? "decline") : "decline";
  } finally {
    fake.withdraw(request.id, threadId);
  }
}

/** @param {boolean} isWaiting @param {TurnContext} context */
function setWaiting(isWaiting, context) {
  context.setStatus({ type: "active", activeFlags: isWaiting ? ["waitingOnApproval"] : [] });
}

/** @param {Json} decision */
function accepts(decision) {
  if (isObject(decision)) return "acceptWithExecpolicyAmendment" in decision;
  return decision === "accept" || decision === "acceptForSession";
}

/** "decline" lets the turn go on; "cancel" ends it. @param {Json} decision @param {TurnContext} context */
function afterRefusal(decision, context) {
  if (decision === "cancel") context.end("interrupted");
}

/** The changes of the whole turn so far, if there are any. @param {TurnContext} context */
export function turnDiff(context) {
  if (context.diff !== null) notice("turn/diff/updated", { diff: context.diff }, context);
}

/** @param {string} command @returns {CommandExecutionApprovalDecision[]} */
function offeredDecisions(command) {
  const amendment = { execpolicy_amendment: command.split(" ") };
  return ["accept", { acceptWithExecpolicyAmendment: amendment }, "cancel"];
}

/** @param {ErrorText} error @returns {TurnError} */
function turnError({ message, codexErrorInfo = "other", additionalDetails }) {
  return { message, codexErrorInfo, additionalDetails: additionalDetails ?? null, misalignment: null };
}

/** @param {string} text @param {number} pieces */
function cut(text, pieces) {
  if (pieces <= 0) return [];
  const characters = [...text];
  const size = Math.max(1, Math.ceil(characters.length / pieces));
  return Array.from({ length: Math.ceil(characters.length / size) }, (_, at) =>
    characters.slice(at * size, (at + 1) * size).join(""),
  );
}

/** @param {Json | undefined} value @returns {value is { [key: string]: Json }} */
function isObject(value) {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
