// What must not be written down or shown: keys, tokens, passwords. By the name of a field, and by the look of a value.

const redacted = "[redacted]";

const secretNames = [
  "token",
  "apikey",
  "authorization",
  "password",
  "passwd",
  "passphrase",
  "secret",
  "cookie",
  "credential",
  "credentials",
  "privatekey",
];

/** By the end of the name, so that `accessToken` and `OPENAI_API_KEY` are meant, and `totalTokens` is not. */
export function isSecretName(name: string): boolean {
  const plain = name.toLowerCase().replace(/[^a-z0-9]/g, "");
  return secretNames.some((secret) => plain.endsWith(secret));
}

const secretLooks: [RegExp, string][] = [
  [/\bsk-[A-Za-z0-9_-]{8,}/g, `sk-${redacted}`],
  [/\b(bearer|basic)\s+[A-Za-z0-9._~+/=-]{8,}/gi, `$1 ${redacted}`],
  [/\beyJ[A-Za-z0-9_-]{5,}\.[A-Za-z0-9_-]{5,}\.[A-Za-z0-9_-]*/g, redacted],
  [/\b(gh[pousr]_|github_pat_|xox[abprs]-|AKIA)[A-Za-z0-9_-]{8,}/g, `$1${redacted}`],
  [/(:\/\/[^\s/:@]*:)[^\s/@]+@/g, `$1${redacted}@`],
  [/([?&#](?:[a-z_-]*token|code|api_?key|key|secret|signature)=)[^&#\s"']+/gi, `$1${redacted}`],
  [
    /(["']?\b[a-z_-]*(?:token|api[_-]?key|authorization|password|secret)["']?\s*[:=]\s*["']?)(?!\[redacted)[^\s"',;}]{6,}/gi,
    `$1${redacted}`,
  ],
];

export function redactText(text: string): string {
  let safe = text;
  for (const [look, replacement] of secretLooks) safe = safe.replace(look, replacement);
  return safe;
}
