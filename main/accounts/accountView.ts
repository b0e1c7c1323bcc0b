// What `account/read` says, as a window shows it.

import { z } from "zod";
import type { AccountView } from "../../preload/contract/app";
import type { Settings } from "../../preload/contract/settings";
import { Fault } from "../fault";

const answerSchema = z.looseObject({
  account: z
    .looseObject({
      type: z.string(),
      email: z.string().nullish().catch(null),
      workspaceName: z.string().nullish().catch(null),
      planType: z.string().nullish().catch(null),
    })
    .nullable(),
  requiresOpenaiAuth: z.boolean(),
});

/** Null when the answer is none that this version understands. `provider` is only known after `config/read`. */
export function viewAccount(answer: unknown, provider: string | null = null): AccountView | null {
  const parsed = answerSchema.safeParse(answer);
  if (!parsed.success) return null;
  const { account, requiresOpenaiAuth } = parsed.data;
  // With a provider that needs no account, a stored sign-in is not what codex works with.
  if (!requiresOpenaiAuth) return { state: "not needed", provider };
  if (account === null) return { state: "signed out" };
  switch (account.type) {
    case "chatgpt":
      return {
        state: "signed in",
        label: account.email || account.workspaceName || "ChatGPT",
        plan: planWords(account.planType ?? null),
      };
    case "apiKey":
      return { state: "signed in", label: "API key", plan: null };
    case "amazonBedrock":
      return { state: "signed in", label: "Amazon Bedrock", plan: null };
    case "gcp":
      return { state: "signed in", label: "Google Cloud", plan: null };
    default:
      return { state: "signed in", label: account.type, plan: null };
  }
}

/** Why nothing can be sent for want of an account; a local model needs none. The window says the same where one writes. */
export function accountFault(
  account: AccountView,
  { localModel }: Pick<Settings, "localModel">,
): Fault | null {
  if (account.state !== "signed out" || localModel !== null) return null;
  return new Fault("no_account", "codex has no account, so nothing can be sent yet.", {
    hint: "Sign in, or choose a local model in the settings.",
  });
}

const planNames: Readonly<Record<string, string>> = {
  prolite: "Pro Lite",
  promax: "Pro Max",
  ent26: "Enterprise",
  sci: "Science",
  sci_plus: "Science Plus",
};

export function planWords(plan: string | null): string | null {
  if (plan === null || plan === "" || plan === "unknown") return null;
  const name = Object.hasOwn(planNames, plan) ? planNames[plan] : undefined;
  return (
    name ??
    plan
      .split("_")
      .filter((word) => word !== "")
      .map((word) => word.charAt(0).toUpperCase() + word.slice(1))
      .join(" ")
  );
}

const configSchema = z.looseObject({ config: z.looseObject({ model_provider: z.string().nullish() }) });

/** The configured model provider, from `config/read`. */
export function providerOf(answer: unknown): string | null {
  const parsed = configSchema.safeParse(answer);
  return parsed.success ? (parsed.data.config.model_provider ?? null) : null;
}

const loginStartedSchema = z.looseObject({
  type: z.literal("chatgpt"),
  loginId: z.string(),
  authUrl: z.string(),
});

/** Null for an answer without an address that a browser may be sent to. */
export function loginOf(answer: unknown): { loginId: string; url: string } | null {
  const parsed = loginStartedSchema.safeParse(answer);
  if (!parsed.success) return null;
  const { loginId, authUrl } = parsed.data;
  if (!URL.canParse(authUrl)) return null;
  const { protocol } = new URL(authUrl);
  return protocol === "https:" || protocol === "http:" ? { loginId, url: authUrl } : null;
}

const completedSchema = z.looseObject({
  loginId: z.string().nullish(),
  success: z.boolean(),
  error: z.string().nullish().catch(null),
});

export interface LoginCompleted {
  loginId: string | null;
  success: boolean;
  error: string | null;
}

export function loginCompletedOf(params: unknown): LoginCompleted | null {
  const parsed = completedSchema.safeParse(params);
  if (!parsed.success) return null;
  const { loginId, success, error } = parsed.data;
  return { loginId: loginId ?? null, success, error: error ?? null };
}
