import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { accountSchema } from "../../preload/contract/app";
import { accountFault, loginCompletedOf, loginOf, providerOf, viewAccount } from "./accountView";

const read = (account: unknown, requiresOpenaiAuth = true) => ({ account, userId: null, requiresOpenaiAuth });

describe("the account", () => {
  it("is missed only where codex has none and no local model does without", () => {
    const local = { localModel: { provider: "ollama" as const, model: "small" } };
    const none = { localModel: null };
    expect(accountFault({ state: "signed out" }, none)).toMatchObject({ code: "no_account" });
    expect(accountFault({ state: "signed out" }, local)).toBeNull();
    expect(accountFault({ state: "unknown", fault: null }, none)).toBeNull();
    expect(accountFault({ state: "not needed", provider: null }, none)).toBeNull();
  });

  it.each([
    ["none, and one is needed", read(null), { state: "signed out" }],
    ["none, and none is needed", read(null, false), { state: "not needed", provider: "local" }],
    ["one that is not used", read({ type: "apiKey" }, false), { state: "not needed", provider: "local" }],
    ["an API key", read({ type: "apiKey" }), { state: "signed in", label: "API key", plan: null }],
    [
      "ChatGPT",
      read({ type: "chatgpt", email: "a@b.example", planType: "plus", workspaceName: null }),
      { state: "signed in", label: "a@b.example", plan: "Plus" },
    ],
    [
      "ChatGPT without an address, on a plan with a short name",
      read({ type: "chatgpt", email: null, planType: "edu_plus", workspaceName: "Lab" }),
      { state: "signed in", label: "Lab", plan: "Edu Plus" },
    ],
    [
      "ChatGPT on an unknown plan",
      read({ type: "chatgpt", email: null, planType: "unknown" }),
      { state: "signed in", label: "ChatGPT", plan: null },
    ],
    ["Bedrock", read({ type: "amazonBedrock" }), { state: "signed in", label: "Amazon Bedrock", plan: null }],
    ["a kind of tomorrow", read({ type: "passkey" }), { state: "signed in", label: "passkey", plan: null }],
  ])("%s", (_name, answer, expected) => {
    expect(viewAccount(answer, "local")).toEqual(expected);
  });

  it("is null when the answer says nothing", () => {
    for (const answer of [null, {}, { account: null }, { account: 7, requiresOpenaiAuth: true }]) {
      expect(viewAccount(answer)).toBeNull();
    }
  });

  it("fits the contract, whatever the answer", () => {
    fc.assert(
      fc.property(fc.jsonValue(), fc.jsonValue(), fc.boolean(), (account, plan, needed) => {
        for (const answer of [
          account,
          read(account, needed),
          read({ type: "chatgpt", planType: plan, email: plan }),
        ]) {
          const seen = viewAccount(answer);
          if (seen !== null) expect(accountSchema.parse(seen)).toEqual(seen);
        }
      }),
    );
  });
});

describe("the other answers", () => {
  it("the provider", () => {
    expect(providerOf({ config: { model_provider: "ollama" } })).toBe("ollama");
    expect(providerOf({ config: {} })).toBeNull();
    expect(providerOf(null)).toBeNull();
  });

  it("a login needs an address that is a web page", () => {
    const login = (authUrl: string) => loginOf({ type: "chatgpt", loginId: "l", authUrl });
    expect(login("https://auth.openai.com/x")).toEqual({ loginId: "l", url: "https://auth.openai.com/x" });
    expect(login("file:///etc/passwd")).toBeNull();
    expect(login("nonsense")).toBeNull();
    expect(loginOf({ type: "apiKey" })).toBeNull();
  });

  it("a completed login", () => {
    expect(loginCompletedOf({ loginId: "l", success: true, error: null })).toEqual({
      loginId: "l",
      success: true,
      error: null,
    });
    expect(loginCompletedOf({ success: "yes" })).toBeNull();
  });
});
