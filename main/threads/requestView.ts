// Translates what codex asks for into the requests that a window shows, and a person's decision into codex's answer.
// Pure and total: odd parameters never throw; what cannot be shown truthfully is reported as unknown, and the caller then
// answers codex with "method not found" so that nothing hangs.
//
// Race: an answer belongs to the very request it was drawn for. The translation and its answers are one value here, kept
// by the caller under the request's key, so a decision can only ever be looked up in the request that offered it.

import type { Request } from "../../preload/contract/requests";
import type { JsonValue } from "../codex/protocol/serde_json/JsonValue";
import type { Fault } from "../fault";
import { itemKey } from "./itemView/itemKey";
import { isRecord, type LooseRecord, recordOf, stringOf, stringOrNull, wordsOrNull } from "./loose";
import { fileChangeOffers, legacyFileChangeOffers, permissionsQuestion } from "./requestView/changes";
import { type CommandQuestion, commandQuestion, legacyCommandQuestion } from "./requestView/command";
import { type Answers, answerWith, type Offer } from "./requestView/decision";
import { elicitation } from "./requestView/elicitation";
import { userInputForm } from "./requestView/questions";

export interface ServerRequest {
  /** Unique for the life of the app. */
  key: string;
  method: string;
  params: unknown;
  askedAtMs: number;
  /** The files of the change that is asked about, where the caller knows them: codex does not repeat them. */
  files?: readonly string[];
}

export interface KnownRequest {
  unknown: false;
  view: Request;
  /** codex's answer for a decision, or a Fault that says why it cannot be given (the request then stays open). */
  answer(decisionId: string, answers?: Answers): JsonValue | Fault;
}

export interface UnknownRequest {
  unknown: true;
  /** A sentence for the note in the thread. */
  reason: string;
}

export function viewRequest(request: ServerRequest): KnownRequest | UnknownRequest {
  const { method } = request;
  if (!isRecord(request.params)) return unknown(`codex asked “${method}” without saying what about.`);
  const params = request.params;
  const threadId = wordsOrNull(params.threadId) ?? wordsOrNull(params.conversationId);
  if (threadId === null) return unknown(unknownReason(method));
  const turnId = wordsOrNull(params.turnId);
  const base = {
    key: request.key,
    threadId,
    turnId,
    itemId: itemIdOf(params, turnId),
    agentName: null,
    askedAtMs: request.askedAtMs,
    answering: false,
  };
  switch (method) {
    case "item/commandExecution/requestApproval":
      return commandRequest(base, commandQuestion(params));
    case "execCommandApproval":
      return commandRequest(base, legacyCommandQuestion(params));
    case "item/fileChange/requestApproval": {
      const grantRoot = wordsOrNull(params.grantRoot);
      const offers = fileChangeOffers(grantRoot);
      const files = [...(request.files ?? [])];
      return known(
        { ...base, kind: "fileChange", ...reasonOf(params), grantRoot, files, ...shown(offers) },
        offers,
      );
    }
    case "applyPatchApproval": {
      const offers = legacyFileChangeOffers();
      const grantRoot = wordsOrNull(params.grantRoot);
      const files = Object.keys(recordOf(params.fileChanges));
      return known(
        { ...base, kind: "fileChange", ...reasonOf(params), grantRoot, files, ...shown(offers) },
        offers,
      );
    }
    case "item/permissions/requestApproval": {
      const { permissions, offers } = permissionsQuestion(params);
      const cwd = stringOf(params.cwd);
      return known(
        { ...base, kind: "permissions", ...reasonOf(params), cwd, permissions, ...shown(offers) },
        offers,
      );
    }
    case "item/tool/requestUserInput": {
      const { title, questions, offers } = userInputForm(params);
      if (questions.length === 0) return unknown("codex asked a question without any words.");
      return known({ ...base, kind: "questions", title, questions, ...shown(offers) }, offers);
    }
    case "mcpServer/elicitation/request": {
      const { offers, ...asked } = elicitation(params);
      return known({ ...base, ...asked, ...shown(offers) }, offers);
    }
    default:
      return unknown(unknownReason(method));
  }
}

type Base = Pick<Request, "key" | "threadId" | "agentName" | "turnId" | "itemId" | "askedAtMs" | "answering">;

function commandRequest(base: Base, { offers, ...question }: CommandQuestion): KnownRequest {
  return known({ ...base, kind: "command", ...question, ...shown(offers) }, offers);
}

function known(view: Request, offers: readonly Offer[]): KnownRequest {
  return {
    unknown: false,
    view,
    answer: (decisionId, answers) => answerWith(offers, decisionId, answers),
  };
}

function unknown(reason: string): UnknownRequest {
  return { unknown: true, reason };
}

function shown(offers: readonly Offer[]): Pick<Request, "decisions"> {
  return { decisions: offers.map(({ decision }) => decision) };
}

function reasonOf(params: LooseRecord): { reason: string | null } {
  return { reason: wordsOrNull(params.reason) };
}

/** The item as windows name it. The older requests do not say their turn: their call id then stands alone. */
function itemIdOf(params: LooseRecord, turnId: string | null): string | null {
  const itemId = stringOrNull(params.itemId) ?? stringOrNull(params.callId);
  if (itemId === null) return null;
  return turnId === null ? itemId : itemKey(turnId, itemId);
}

function unknownReason(method: string): string {
  switch (method) {
    case "item/tool/call":
      return "codex called a tool that Holdfast does not offer, and was told so.";
    case "account/chatgptAuthTokens/refresh":
      return "codex asked for new ChatGPT tokens, which Holdfast does not manage, and was told so.";
    case "attestation/generate":
      return "codex asked for an attestation, which Holdfast cannot give, and was told so.";
    default:
      return `codex asked “${method}”, which this version of Holdfast cannot answer, and was told so.`;
  }
}
