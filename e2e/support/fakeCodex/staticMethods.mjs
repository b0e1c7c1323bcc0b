// Answers of the fake that never change: those of a codex without a login, with a provider of its own.

/** @import { Methods } from "./fakeTypes" */

import { RpcError } from "./rpcError.mjs";

/** @type {Methods} */
export const staticMethods = {
  "account/read": () => ({
    result: { account: null, userId: null, requiresOpenaiAuth: false, workspaceRouting: null },
  }),

  "account/rateLimits/read": () => needsLogin("rate limits"),

  "account/usage/read": () => needsLogin("token usage"),

  "model/list": () => ({
    result: {
      data: [
        {
          id: "fake-model",
          model: "fake-model",
          upgrade: null,
          upgradeInfo: null,
          availabilityNux: null,
          displayName: "Fake model",
          description: "Says what the scenario says.",
          modelSpecialty: null,
          hidden: false,
          supportedReasoningEfforts: [],
          defaultReasoningEffort: "none",
          inputModalities: ["text", "image"],
          supportsPersonality: false,
          multiAgentVersion: null,
          additionalSpeedTiers: [],
          serviceTiers: [],
          defaultServiceTier: null,
          availableAccessPrograms: null,
          isDefault: true,
        },
      ],
      nextCursor: null,
    },
  }),

  "configRequirements/read": () => ({ result: { supportsIndependentSpeedModes: true, requirements: null } }),

  "permissionProfile/list": () => ({
    result: {
      data: [":read-only", ":workspace", ":danger-full-access"].map((id) => ({
        id,
        description: null,
        allowed: true,
      })),
      nextCursor: null,
    },
  }),

  "collaborationMode/list": () => ({
    result: {
      data: [
        { name: "Plan", mode: "plan", model: null, reasoning_effort: "medium" },
        { name: "Default", mode: "default", model: null, reasoning_effort: null },
      ],
    },
  }),

  "mcpServerStatus/list": () => ({ result: { data: [], nextCursor: null } }),

  "skills/list": () => ({ result: { data: [] } }),
};

/** @param {string} what @returns {never} */
function needsLogin(what) {
  throw new RpcError(`codex account authentication required to read ${what}`);
}
