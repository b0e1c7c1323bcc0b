// Approval of a command, of input to a running one, or of a network access that a command wants.

import type { JsonValue } from "../../codex/protocol/serde_json/JsonValue";
import { displayCommand, quoteWord, unwrapShell } from "../itemView/shellCommand";
import { isRecord, type LooseRecord, listOf, ownField, recordOf, stringOrNull, wordsOrNull } from "../loose";
import { type Offer, offer, uniqueOffers } from "./decision";
import { permissionWords } from "./permissionWords";

export interface CommandQuestion {
  command: string;
  cwd: string | null;
  reason: string | null;
  network: string | null;
  offers: Offer[];
}

export function commandQuestion(params: LooseRecord): CommandQuestion {
  const network = recordOf(params.networkApprovalContext);
  const host = wordsOrNull(network.host);
  const protocol = wordsOrNull(network.protocol);
  const command = stringOrNull(params.command);
  const extra = permissionWords(params.additionalPermissions);
  const subject: Subject = {
    what: host !== null ? "network" : params.kind === "writeStdin" ? "input" : "command",
    command: command === null ? null : unwrapShell(command),
    host,
    extra,
  };
  return {
    command: subject.command ?? (host === null ? "(codex did not say which command)" : ""),
    cwd: wordsOrNull(params.cwd),
    reason: wordsOrNull(params.reason),
    network: host === null ? null : protocol === null ? host : `${host} (${protocol})`,
    offers: commandOffers(params, subject),
  };
}

interface Subject {
  what: "command" | "network" | "input";
  command: string | null;
  host: string | null;
  extra: string[];
}

/**
 * What codex offers, in its order, and nothing else. Only when it offers nothing at all: its documented set, with the
 * lasting rules that it proposes. An empty list is an offer of nothing: then only refusals are shown.
 */
function commandOffers(params: LooseRecord, subject: Subject): Offer[] {
  const available = params.availableDecisions;
  if (Array.isArray(available)) {
    const offers = uniqueOffers(available.flatMap((value: unknown) => commandOffer(value, subject)));
    return offers.length > 0
      ? offers
      : ["decline", "cancel"].flatMap((value) => commandOffer(value, subject));
  }
  const rules: unknown[] = [];
  if (Array.isArray(params.proposedExecpolicyAmendment)) {
    rules.push({
      acceptWithExecpolicyAmendment: { execpolicy_amendment: params.proposedExecpolicyAmendment },
    });
  }
  for (const amendment of listOf(params.proposedNetworkPolicyAmendments)) {
    rules.push({ applyNetworkPolicyAmendment: { network_policy_amendment: amendment } });
  }
  const values = ["accept", "acceptForSession", ...rules, "decline", "cancel"];
  return uniqueOffers(values.flatMap((value) => commandOffer(value, subject)));
}

/** None for a rule whose exact scope cannot be shown: it must not be granted blindly. */
function commandOffer(value: unknown, subject: Subject): Offer[] {
  if (typeof value === "string") return [plainOffer(value, subject)];
  if (!isRecord(value)) return [];
  if (Object.hasOwn(value, "acceptWithExecpolicyAmendment")) {
    return prefixOffer(
      recordOf(ownField(value, "acceptWithExecpolicyAmendment")).execpolicy_amendment,
      value as JsonValue,
    );
  }
  if (Object.hasOwn(value, "applyNetworkPolicyAmendment")) {
    return hostOffer(
      recordOf(ownField(value, "applyNetworkPolicyAmendment")).network_policy_amendment,
      value as JsonValue,
    );
  }
  return [unknownOffer(JSON.stringify(value), { decision: value as JsonValue })];
}

function plainOffer(value: string, { what, command, host, extra }: Subject): Offer {
  const answer: JsonValue = { decision: value };
  const extraScope = extra.length === 0 ? null : extra.join("\n");
  switch (value) {
    case "accept":
      return offer(
        {
          id: value,
          label: "Approve",
          explanation:
            what === "network"
              ? "Lets the command reach this host, this one time."
              : what === "input"
                ? "Sends this input to the running command, this one time."
                : extraScope === null
                  ? "Runs this command, this one time."
                  : "Runs this command, this one time, with these permissions on top.",
          scope: extraScope,
          tone: "accept",
        },
        answer,
      );
    case "acceptForSession":
      return offer(
        {
          id: value,
          label: "Approve for this session",
          explanation:
            what === "network"
              ? "Lets commands of this session reach this host without asking again."
              : "Runs it, and the same again in this session without asking.",
          scope:
            what === "network"
              ? host
              : [command, extraScope].filter((part) => part !== null).join("\n") || null,
          tone: "accept",
        },
        answer,
      );
    case "decline":
      return offer(
        {
          id: value,
          label: "Decline",
          explanation: "Refuses it. The agent is told and goes on.",
          scope: null,
          tone: "decline",
        },
        answer,
      );
    case "cancel":
      return offer(
        {
          id: value,
          label: "Stop the turn",
          explanation: "Refuses it and stops the turn, so that you can say what to do instead.",
          scope: null,
          tone: "decline",
        },
        answer,
      );
    default:
      return unknownOffer(value, answer);
  }
}

function prefixOffer(prefix: unknown, value: JsonValue): Offer[] {
  if (!Array.isArray(prefix) || prefix.length === 0) return [];
  const words = prefix.filter((word): word is string => typeof word === "string");
  if (words.length !== prefix.length) return [];
  const scope = words.map(quoteWord).join(" ");
  return [
    offer(
      {
        id: `prefix:${JSON.stringify(words)}`,
        label: prefixLabel(scope),
        explanation:
          "Runs it, and from now on every command that begins with these words runs without asking, in all threads. " +
          "codex keeps the rule in rules/default.rules in its home; remove it there to undo this.",
        scope,
        tone: "neutral",
      },
      { decision: value },
    ),
  ];
}

/** With the words themselves where they are short, and plain enough to be read on a button as what they are. */
function prefixLabel(scope: string): string {
  return `Always allow commands that begin with${/^[\x20-\x7e]{1,40}$/.test(scope) ? ` “${scope}”` : "…"}`;
}

function hostOffer(amendment: unknown, value: JsonValue): Offer[] {
  const fields = recordOf(amendment);
  const host = wordsOrNull(fields.host);
  if (host === null || (fields.action !== "allow" && fields.action !== "deny")) return [];
  const allow = fields.action === "allow";
  return [
    offer(
      {
        id: `host:${fields.action}:${host}`,
        label: allow ? "Always allow this host" : "Always block this host",
        explanation: allow
          ? "Lets commands reach this host from now on without asking. codex keeps this as a rule in rules/default.rules in its home."
          : "Refuses it, and every later try to reach this host without asking. codex keeps this as a rule in rules/default.rules in its home.",
        scope: host,
        tone: allow ? "neutral" : "decline",
      },
      { decision: value },
    ),
  ];
}

function unknownOffer(name: string, answer: JsonValue): Offer {
  return offer(
    {
      id: `other:${name.slice(0, 500)}`,
      label: name.length <= 60 ? name : `${name.slice(0, 60)}…`,
      explanation:
        "codex offers this decision, which this version of Holdfast has no words for. It is passed on as it is.",
      scope: null,
      tone: "neutral",
    },
    answer,
  );
}

/** `execCommandApproval`, the older form of the same question. */
export function legacyCommandQuestion(params: LooseRecord): CommandQuestion {
  const words = listOf(params.command).filter((word): word is string => typeof word === "string");
  return {
    command: words.length === 0 ? "(codex did not say which command)" : displayCommand(words),
    cwd: wordsOrNull(params.cwd),
    reason: wordsOrNull(params.reason),
    network: null,
    offers: legacyOffers(
      "Runs this command, this one time.",
      "Runs it, and the same again in this session without asking.",
    ),
  };
}

export function legacyOffers(once: string, session: string): Offer[] {
  return [
    offer(
      { id: "accept", label: "Approve", explanation: once, scope: null, tone: "accept" },
      { decision: "approved" },
    ),
    offer(
      {
        id: "acceptForSession",
        label: "Approve for this session",
        explanation: session,
        scope: null,
        tone: "accept",
      },
      { decision: "approved_for_session" },
    ),
    offer(
      {
        id: "decline",
        label: "Decline",
        explanation: "Refuses it. The agent is told and goes on.",
        scope: null,
        tone: "decline",
      },
      { decision: { denied: { rejection: "The user declined." } } },
    ),
    offer(
      {
        id: "cancel",
        label: "Stop the turn",
        explanation: "Refuses it and stops the turn, so that you can say what to do instead.",
        scope: null,
        tone: "decline",
      },
      { decision: "abort" },
    ),
  ];
}
