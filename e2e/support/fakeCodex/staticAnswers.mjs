// Answers of the fake that never change: those of a codex without a login, with a provider of its own.

import { RpcError } from "./rpcError.mjs";

function needsLogin(what) {
  return new RpcError(`codex account authentication required to read ${what}`);
}

export const staticAnswers = {
  "account/read": { account: null, userId: null, requiresOpenaiAuth: false, workspaceRouting: null },
  "account/rateLimits/read": needsLogin("rate limits"),
  "account/usage/read": needsLogin("token usage"),
  "model/list": {
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
  "config/read": {
    config: {
      model: "fake-model",
      model_provider: "fake",
      approval_policy: "on-request",
      sandbox_mode: "workspace-write",
      mcp_servers: {},
    },
    origins: {},
    layers: null,
  },
  "configRequirements/read": { supportsIndependentSpeedModes: true, requirements: null },
  "permissionProfile/list": {
    data: [":read-only", ":workspace", ":danger-full-access"].map((id) => ({
      id,
      description: null,
      allowed: true,
    })),
    nextCursor: null,
  },
  "collaborationMode/list": {
    data: [
      { name: "Plan", mode: "plan", model: null, reasoning_effort: "medium" },
      { name: "Default", mode: "default", model: null, reasoning_effort: null },
    ],
  },
  "mcpServerStatus/list": { data: [], nextCursor: null },
  "skills/list": { data: [] },
};
