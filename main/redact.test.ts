import { describe, expect, it } from "vitest";
import { isSecretName, redactText } from "./redact";

describe("names of secrets", () => {
  it.each([
    "token",
    "accessToken",
    "refresh_token",
    "OPENAI_API_KEY",
    "Authorization",
    "X-Api-Key",
    "password",
  ])("%s is one", (name) => expect(isSecretName(name)).toBe(true));
  it.each(["totalTokens", "tokenUsage", "threadKey", "requestKey", "path", "keyboard"])(
    "%s is none",
    (name) => expect(isSecretName(name)).toBe(false),
  );
});

describe("texts with secrets in them", () => {
  it.each([
    ["an OpenAI key", "Incorrect API key provided: sk-proj-AbCd1234EfGh5678.", "AbCd1234"],
    ["a bearer", "authorization: Bearer abc.def.ghi123456", "ghi123456"],
    ["a JSON web token", "got eyJhbGciOi.eyJzdWIiOjEyMzQ1.c2lnbmF0dXJl back", "eyJzdWIiOjEyMzQ1"],
    ["a GitHub token", "remote: ghp_abcdefghijklmnop1234 denied", "ijklmnop1234"],
    ["a password in a URL", "https://me:hunter22@example.org/x", "hunter22"],
    ["a token in a query", "GET /cb?access_token=abcdef123&x=1", "abcdef123"],
    ["a code in a query", "http://localhost:1455/auth/callback?code=ac_12345678&state=1", "ac_12345678"],
    ["a token in JSON", '{"refresh_token": "abcdef123456"}', "abcdef123456"],
    ["an environment line", "OPENAI_API_KEY=abcdef123456", "abcdef123456"],
  ])("%s is taken out", (_what, text, secret) => {
    expect(redactText(text)).toContain("[redacted]");
    expect(redactText(text)).not.toContain(secret);
  });

  it.each([
    "thread 0199a213-81c0-7800-8aa1-bbab2a035a53 is loaded",
    "used 12345 tokens: total 99",
    "/home/me/project/token.ts:12:3",
    "ws://127.0.0.1:4500/readyz",
  ])("%s stays as it is", (text) => expect(redactText(text)).toBe(text));
});
