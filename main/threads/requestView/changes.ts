// Approval of file changes and of extra permissions.

import type { JsonValue } from "../../codex/protocol/serde_json/JsonValue";
import { isRecord, type LooseRecord, recordOf } from "../loose";
import { legacyOffers } from "./command";
import { type Offer, offer } from "./decision";
import { permissionWords } from "./permissionWords";

export function fileChangeOffers(grantRoot: string | null): Offer[] {
  return [
    offer(
      {
        id: "accept",
        label: "Approve",
        explanation: "Makes these changes.",
        scope: null,
        tone: "accept",
      },
      { decision: "accept" },
    ),
    offer(
      {
        id: "acceptForSession",
        label: "Approve for this session",
        explanation:
          grantRoot === null
            ? "Makes them, and lets these files be changed again in this session without asking."
            : "Makes them, and lets everything under this folder be changed in this session without asking.",
        scope: grantRoot,
        tone: "accept",
      },
      { decision: "acceptForSession" },
    ),
    offer(
      {
        id: "decline",
        label: "Decline",
        explanation: "Changes nothing. The agent is told and goes on.",
        scope: null,
        tone: "decline",
      },
      { decision: "decline" },
    ),
    offer(
      {
        id: "cancel",
        label: "Stop the turn",
        explanation: "Changes nothing and stops the turn, so that you can say what to do instead.",
        scope: null,
        tone: "decline",
      },
      { decision: "cancel" },
    ),
  ];
}

export function legacyFileChangeOffers(): Offer[] {
  return legacyOffers(
    "Makes these changes.",
    "Makes them, and lets these files be changed again in this session without asking.",
  );
}

export interface PermissionsQuestion {
  permissions: string[];
  offers: Offer[];
}

/** Grants exactly what was asked for, or nothing. */
export function permissionsQuestion(params: LooseRecord): PermissionsQuestion {
  const asked = recordOf(params.permissions);
  const granted: { [key: string]: JsonValue } = {};
  for (const part of ["network", "fileSystem"]) {
    if (isRecord(asked[part])) granted[part] = asked[part] as JsonValue;
  }
  // Only what can be granted is named: what codex asked for in a form unknown here is not passed on.
  const permissions = permissionWords(granted);
  const scope = permissions.join("\n") || null;
  const refusal = offer(
    {
      id: "decline",
      label: "Decline",
      explanation: "Grants nothing. The agent is told and goes on.",
      scope: null,
      tone: "decline",
    },
    { permissions: {}, scope: "turn" },
  );
  if (permissions.length === 0) return { permissions, offers: [refusal] };
  return {
    permissions,
    offers: [
      offer(
        {
          id: "accept",
          label: "Allow for this turn",
          explanation: "Grants this until the turn ends.",
          scope,
          tone: "accept",
        },
        { permissions: granted, scope: "turn" },
      ),
      offer(
        {
          id: "acceptForSession",
          label: "Allow for this session",
          explanation: "Grants this for the rest of this session.",
          scope,
          tone: "neutral",
        },
        { permissions: granted, scope: "session" },
      ),
      refusal,
    ],
  };
}
