// Answers of the fake that never change: those of a codex without a login, with a provider of its own.

/** @import { Methods } from "./fakeTypes" */

import { RpcError } from "./rpcError.mjs";
import { fakeModel } from "./shapes.mjs";

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
          id: fakeModel,
          model: fakeModel,
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

  "config/read": () => ({
    result: {
      config: {
        model: fakeModel,
        review_model: null,
        model_context_window: null,
        model_auto_compact_token_limit: null,
        model_auto_compact_token_limit_scope: null,
        model_provider: "fake",
        approval_policy: "on-request",
        approvals_reviewer: null,
        sandbox_mode: "workspace-write",
        sandbox_workspace_write: null,
        forced_chatgpt_workspace_id: null,
        forced_login_method: null,
        web_search: null,
        client_search_provider: null,
        tools: null,
        instructions: null,
        developer_instructions: null,
        compact_prompt: null,
        model_reasoning_effort: null,
        model_reasoning_summary: null,
        model_verbosity: null,
        service_tier: null,
        analytics: null,
        apps: null,
        browser_use: null,
        computer_use: null,
        desktop: null,
        mcp_servers: {},
      },
      origins: {},
      layers: null,
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
