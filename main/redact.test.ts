import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { isSecretName, redactText, sharingRedactor } from "./redact";
import { cpuMsOf } from "./testCpuTime";

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

it("takes a moment for a line of any making", () => {
  const units = [
    "a-",
    "-a",
    "a_",
    "x",
    "token",
    "secret ",
    "eyJaaaaa-",
    "eyJaaaaa.",
    "://a:",
    "?a",
    "sk-",
    " ",
  ];
  const tookMs = cpuMsOf(() => {
    for (const unit of units) redactText(unit.repeat(65_536 / unit.length));
  });
  // Tens of seconds, were one of them looked through from each of its places to its end.
  expect(tookMs).toBeLessThan(3_000);
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

/** Shapes of secrets, each in a form that nothing but its look or its place gives away. `core`: what must not come through. */
const alphabet = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789";
const letters = (length: number) =>
  fc
    .array(fc.constantFrom(...alphabet), { minLength: length, maxLength: length })
    // Both cases and a digit: what has none of them is a word.
    .map((each) => `aB7${each.join("")}`);
const hexadecimal = fc
  .array(fc.constantFrom(..."0123456789abcdef"), { minLength: 32, maxLength: 64 })
  .map((each) => each.join(""));

const planted: fc.Arbitrary<{ text: string; core: string }> = fc.oneof(
  ...[
    (core: string) => `sk-proj-${core}`,
    (core: string) => `ghp_${core}`,
    (core: string) => `github_pat_${core}`,
    (core: string) => `glpat-${core}`,
    (core: string) => `xoxb-12-${core}`,
    (core: string) => `AIza${core}`,
    (core: string) => `npm_${core}`,
    (core: string) => `Authorization: Bearer ${core}`,
    (core: string) => `authorization: token ${core}`,
    (core: string) => `Cookie: session=${core}; theme=dark`,
    (core: string) => `{"headers":{"Authorization":"Basic ${core}"}}`,
    (core: string) => JSON.stringify(JSON.stringify({ access_token: core })),
    (core: string) => `OPENAI_API_KEY=${core}`,
    (core: string) => `export MY_SERVICE_TOKEN='${core}'`,
    (core: string) => `api_key = "${core} with words"`,
    (core: string) => `client_secret: ${core}`,
    (core: string) => `aws_secret_access_key = ${core}`,
    (core: string) => `server --api-key ${core} --verbose`,
    (core: string) => `["--token","${core}"]`,
    (core: string) => `--password=${core}`,
    (core: string) => `-c model_providers.x.experimental_bearer_token="${core}"`,
    (core: string) => `https://me:${core}@example.org/path`,
    (core: string) => `https://${core}@example.org/path`,
    (core: string) => `postgres://me:${core}@db/x`,
    (core: string) => `wss://example.org/?access_token=${core}&x=1`,
    (core: string) => `https://example.org/cb?code=${core}#end`,
    (core: string) => `https://bucket.example.org/o?X-Amz-Signature=${core}`,
    (core: string) => `eyJhbGciOiJIUzI1NiJ9.${core}.${core}`,
    (core: string) => `-----BEGIN RSA PRIVATE KEY-----\n${core}\n${core}\n-----END RSA PRIVATE KEY-----`,
    (core: string) => `-----BEGIN OPENSSH PRIVATE KEY-----\\n${core}\\n`,
    (core: string) => `said ${core} and ended`,
    (core: string) => `said ${core.slice(0, 12)}/${core.slice(12)}+x/${core}== and ended`,
  ].map((form) => letters(29).map((core) => ({ text: form(core), core }))),
  letters(13).map((core) => {
    const id = core.toUpperCase();
    return { text: `AKIA${id}`, core: id };
  }),
  hexadecimal.map((core) => ({ text: `answered ${core}.`, core })),
  letters(5).map((core) => ({ text: `${core}.person+tag@mail.example.co.uk`, core })),
);

const sharer = {
  homeFolder: "/home/marigold",
  userName: "marigold",
  secrets: ["known-phrase-of-the-person"],
};
const share = sharingRedactor(sharer);
const around = fc.string({ maxLength: 40, unit: fc.constantFrom(..." \n\t.;|{}()<>äé漢", "word ", "/a/b") });

describe("what is shared", () => {
  it("has no secret of any shape, whatever stands around it", () => {
    fc.assert(
      fc.property(around, planted, around, (before, { text, core }, after) => {
        const shared = share(`${before} ${text}\n${after}`);
        expect(shared).not.toContain(core);
      }),
      { numRuns: 600 },
    );
  });

  it("has none of the values that are known, however they are written", () => {
    fc.assert(
      fc.property(
        around,
        fc.string({ minLength: 6, maxLength: 40, unit: "binary" }),
        around,
        (before, secret, after) => {
          fc.pre(!secret.includes("redacted") && secret.trim().length >= 6);
          const redact = sharingRedactor({ ...sharer, secrets: [secret] });
          expect(redact(`${before}${secret}${after}`)).not.toContain(secret);
          expect(redact(JSON.stringify({ note: secret }))).not.toContain(JSON.stringify(secret).slice(1, -1));
        },
      ),
    );
  });

  it("stays the same when it is done once more", () => {
    fc.assert(
      fc.property(around, planted, around, (before, { text }, after) => {
        const once = share(`${before} ${text}\n${after} /home/marigold/x /home/other/y`);
        expect(share(once)).toBe(once);
      }),
    );
  });

  it.each([
    ["/home/marigold/work/atlas", "~/work/atlas"],
    ["file:///home/marigold", "file://~"],
    ["/home/marigolds/x", "/home/[user]/x"],
    ["/Users/somebody/Library", "/Users/[user]/Library"],
    ["C:\\Users\\somebody\\x", "C:\\Users\\[user]\\x"],
    ["started by marigold on 3", "started by [user] on 3"],
    ["from a.person@example.org", "from [e-mail]"],
    ["a known-phrase-of-the-person b", "a [redacted] b"],
  ])("%s becomes %s", (text, shared) => expect(share(text)).toBe(shared));

  it.each([
    "DB_PASS=tulip-9crow",
    '["--pat","tulip-9crow"]',
    "--api_key tulip-9crow",
    "curl -u me:tulip-9crow https://example.org",
    "machine example.org login me password tulip-9crow",
    "<password>tulip-9crow</password>",
    "?next=%2F&x=%22token%22%3A%22tulip-9crow%22",
    "token: |\n  tulip-9crow\n  tulip-9crow",
    "the token is tulip-9crow",
    "https://hooks.slack.com/services/T0AB/B0CD/tulip-9crow",
    "https://discord.com/api/webhooks/12/tulip-9crow",
    "https://api.telegram.org/bot12:tulip-9crow/getMe",
    "dckr_pat_tulip-9crow",
    "hvs.tulip-9crow",
    "glptt-tulip-9crow",
  ])("%j loses what is short, too", (text) => {
    const shared = share(`before ${text}\nafter`);
    expect(shared).not.toContain("tulip");
    expect(shared).toMatch(/^before [\s\S]*after$/);
    expect(share(shared)).toBe(shared);
  });

  it.each([
    "password authentication failed for the user",
    "the token is expired, token to follow",
    "--path /tmp/x --user marie --bypass=1",
    "passed: 12, bypass: on",
  ])("%j is a sentence, and stays", (text) => expect(share(text)).toBe(text));

  it("of an account whose name is a word keeps that word", () => {
    const asRoot = sharingRedactor({ homeFolder: "/root", userName: "root", secrets: [] });
    expect(asRoot("the root of /root/x is rooted")).toBe("the root of ~/x is rooted");
  });

  it.each([
    "01a22b0e-6b90-77d3-8f4b-65dd0e5d8e91",
    "codex 0.171.0 (Electron 39.2.7, Chromium 142.0.7444.235)",
    "/usr/local/lib/node_modules/openai/codex/vendor/bin/codex",
    "/tmp/holdfast-e2e-aB3dEf/holdfast/sockets/0123456789abcdef.sock",
    "/tmp/holdfast-e2e-ZsWBeO/holdfast/logs/codex-696f3137-233c-4403-99fd-63e84a8d383c.log",
    "pid 4711, 137 MB, mode 0600, 12 threads, tokens: 99",
    "ws://127.0.0.1:4500/readyz",
    "PATH /usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin",
  ])("%s stays as it is", (text) => expect(share(text)).toBe(text));

  it("takes no longer for a long text than one can wait", () => {
    const tookMs = cpuMsOf(() => {
      for (const unit of ["a", "token", "a_", "-", "eyJ", "@.", "/a", '"', "\\"])
        share(unit.repeat(20_000 / unit.length));
    });
    expect(tookMs).toBeLessThan(5_000);
  });
});
