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

/** Each begins with what is rare, or is bounded: a line of any length and any making is looked through in a moment. */
const secretLooks: [RegExp, string][] = [
  [/\bsk-[A-Za-z0-9_-]{8,}/g, `sk-${redacted}`],
  [/\b(bearer|basic)\s+[A-Za-z0-9._~+/=-]{8,}/gi, `$1 ${redacted}`],
  [/\beyJ[A-Za-z0-9_-]{5,2000}\.[A-Za-z0-9_-]{5,}\.[A-Za-z0-9_-]*/g, redacted],
  [/\b(gh[pousr]_|github_pat_|xox[abprs]-|AKIA)[A-Za-z0-9_-]{8,}/g, `$1${redacted}`],
  [/(:\/\/[^\s/:@]*:)[^\s/@]+@/g, `$1${redacted}@`],
  [/([?&#](?:[a-z_-]*token|code|api_?key|key|secret|signature)=)[^&#\s"']+/gi, `$1${redacted}`],
  [
    /((?:token|api[_-]?key|authorization|password|secret)["']?\s*[:=]\s*["']?)(?!\[redacted)[^\s"',;}]{6,}/gi,
    `$1${redacted}`,
  ],
];

export function redactText(text: string): string {
  let safe = text;
  for (const [look, replacement] of secretLooks) safe = safe.replace(look, replacement);
  return safe;
}

/** What is known of this machine and its person, so that it can be found wherever it stands. */
export interface Sharer {
  /** The person's home folder; written as "~". Empty: not known. */
  homeFolder: string;
  /** The name that they sign in to the machine with. Empty: not known. */
  userName: string;
  /** Secrets whose very values are known: of the environment, for instance. */
  secrets: readonly string[];
}

/** Shorter ones are words that stand in many texts, and nothing that anybody keeps secret. */
const shortestKnownSecret = 6;

/** Names of accounts that say nothing of a person, and are words of many texts. */
const impersonalNames = new Set([
  "root",
  "user",
  "admin",
  "administrator",
  "node",
  "home",
  "ubuntu",
  "codex",
]);

const nameOfSecret =
  "(?<![A-Za-z0-9_.-])[A-Za-z0-9_.-]{0,200}(?:token|api[_-]?key|access[_-]?key(?:[_-]?id)?|account[_-]?key|secret|password|passwd|passphrase|pwd|" +
  "credentials?|authorization|(?<![A-Za-z0-9])pass|cookie|private[_-]?key|signing[_-]?key|encryption[_-]?key|[_-]key|[_-]auth)";
/** A text in quotes, which may be quoted once more, or whatever comes up to the next blank or bracket. */
const valueOfSecret =
  `(?:\\\\+"(?:(?!\\\\*")[\\s\\S])*\\\\+"|"(?:[^"\\\\]|\\\\.)*"|'(?:[^'\\\\]|\\\\.)*'|` +
  "`[^`]*`|[^\\s,;})\\]]+)";

/** More than a log needs: what is shared leaves the machine, so what only looks like a secret goes too. In this order. */
const sharedLooks: [RegExp, string][] = [
  // Cut off, it goes to the end of the text.
  [/-----BEGIN [A-Z0-9 ]*PRIVATE KEY[\s\S]*?(?:-----END [A-Z0-9 ]*PRIVATE KEY[A-Z0-9 ]*-----|$)/g, redacted],
  [
    /\b((?:proxy-)?authorization|(?:set-)?cookie)(\\*["']?\s*:\s*)(?![\s\\"'[])[^\r\n"'`]+/gi,
    `$1$2${redacted}`,
  ],
  // A block of lines, indented below its name.
  [
    new RegExp(`(${nameOfSecret}["']?:[ \\t]*[|>][+-]?[ \\t]*\\n)(?:[ \\t]+\\S[^\\n]*\\n?)+`, "gi"),
    `$1  ${redacted}\n`,
  ],
  [new RegExp(`(<${nameOfSecret}>)(?!\\[redacted)[^<]+`, "gi"), `$1${redacted}`],
  [
    new RegExp(`(${nameOfSecret}(?:%22)?(?:%3D|%3A)(?:%20)*(?:%22)?)(?!\\[redacted)[^\\s&"'<>%]+`, "gi"),
    `$1${redacted}`,
  ],
  [
    new RegExp(`(${nameOfSecret}\\\\*["'\`]?\\s*(?:=>|[:=])\\s*)(?!\\[redacted)${valueOfSecret}`, "gi"),
    `$1${redacted}`,
  ],
  [
    /((?<![a-z0-9-])--?[a-z0-9_-]{0,80}(?:token|api[_-]?key|secret|password|passwd|passphrase|credentials?|auth)[a-z0-9_-]{0,80}(?<!-(?:file|path|dir|env|var|name))\\*["']?[\s=,"'\\]+)(?![-[])[^\s"',\]\\]+/gi,
    `$1${redacted}`,
  ],
  [
    /((?<![a-z0-9-])--?(?:pat|pass)["'\\]*[\s=,"'\\]+|(?<![\w-])(?:-u|--(?:proxy-)?user)["']?[\s=,"']+[^\s:"']{1,200}:|\blogin\s+\S{1,200}\s+password\s+)(?![-[])[^\s"',\]\\]+/gi,
    `$1${redacted}`,
  ],
  // In the words of a sentence: only what no sentence has.
  [
    /\b((?:token|api[ _-]?key|secret|password|passphrase)(?:\s+(?:is|to))?\s+["'`]?)(?=[^\s"'`]*\d)(?=[^\s"'`]*[a-z])[A-Za-z0-9._~+/=-]{8,}/gi,
    `$1${redacted}`,
  ],
  [/(\b[a-z][a-z0-9+.-]{0,30}:\/\/)[^\s/@"'<>]+@/gi, `$1${redacted}@`],
  // Addresses that are secrets as a whole: whoever has them may write there.
  [
    /(\b(?:hooks\.slack\.com\/(?:services|workflows|triggers)|discord(?:app)?\.com\/api\/webhooks|api\.telegram\.org)\/)[^\s"'<>]+/gi,
    `$1${redacted}`,
  ],
  [
    /([?&#;](?:[a-z0-9_.-]{0,80}(?:token|key|secret|signature|password|credential|auth)|code|sig|state)=)[^&#\s"'<>]+/gi,
    `$1${redacted}`,
  ],
  [/\b(bearer|basic|digest|token)\s+(?=\S*\d)[A-Za-z0-9._~+/=-]{6,}/gi, `$1 ${redacted}`],
  [/\b(sk|pk|rk|whsec|glpat|dop_v1|shpat|gh[pousr]|github_pat)[-_][A-Za-z0-9_-]{8,}/g, `$1-${redacted}`],
  [
    /\b(dckr_pat_|sq0[a-z]{3}-|xapp-|gl[a-z]{2,8}-|ATATT|figd_|sntry[su]_|tvly-|gsk_|r8_|sbp_|PMAK-|lin_api_|hv[sb]\.|EAAC)(?=[A-Za-z0-9_=-]*\d)[A-Za-z0-9_=-]{10,}/g,
    `$1${redacted}`,
  ],
  [/\b(npm|hf|pypi)[-_][A-Za-z0-9_-]{20,}/g, `$1-${redacted}`],
  [/\bxox[a-z]-[A-Za-z0-9-]{8,}/g, `xox-${redacted}`],
  [/\b(A[KS]IA|AROA|AIDA)[A-Z0-9]{12,}/g, `$1${redacted}`],
  [/\bAIza[A-Za-z0-9_-]{20,}/g, `AIza${redacted}`],
  [/\bya29\.[A-Za-z0-9._-]+/g, `ya29.${redacted}`],
  [/\bSG\.[A-Za-z0-9_-]{8,}\.[A-Za-z0-9_-]{8,}/g, `SG.${redacted}`],
  [/\bAGE-SECRET-KEY-[A-Z0-9]+/g, redacted],
  [/[\p{L}\p{N}._%+-]{1,64}@[\p{L}\p{N}-]{1,63}(?:\.[\p{L}\p{N}-]{1,63})+/gu, "[e-mail]"],
];

const shortestRandom = 28;
const randomRun = new RegExp(`[A-Za-z0-9+/_-]{${shortestRandom},}={0,2}`, "g");

/**
 * For what a person hands to others. Whatever is known or looks like a secret goes, with addresses of people and the name
 * in the path of the home folder; doing it twice changes nothing.
 */
export function sharingRedactor({ homeFolder, userName, secrets }: Sharer): (text: string) => string {
  const known = [...new Set(secrets.flatMap(writtenForms))]
    .filter((secret) => secret.length >= shortestKnownSecret)
    .sort((a, b) => b.length - a.length);
  const homes = homeFolder.length > 1 ? [...new Set(writtenForms(homeFolder))] : [];
  const atHome = homes.map((home) => new RegExp(`${literally(home)}(?![\\p{L}\\p{N}_.-])`, "giu"));
  const isPersonal = userName.length >= 3 && !impersonalNames.has(userName.toLowerCase());
  const byName = isPersonal
    ? new RegExp(`(?<![\\p{L}\\p{N}])${literally(userName)}(?![\\p{L}\\p{N}])`, "giu")
    : null;
  return (text) => {
    let safe = text;
    for (const secret of known) safe = safe.replaceAll(secret, redacted);
    for (const [look, replacement] of sharedLooks) safe = safe.replace(look, replacement);
    safe = redactText(safe);
    for (const home of atHome) safe = safe.replace(home, "~");
    safe = safe.replace(
      /(\/home|\/Users|[A-Z]:[\\/]+Users)([\\/]+)(?!\[user\])[^\\/\s"':;,|)\]}]+/gi,
      "$1$2[user]",
    );
    if (byName) safe = safe.replace(byName, "[user]");
    return safe.replace(randomRun, (run) => (isRandom(run) ? redacted : run));
  };
}

/** No name, no path, no id of a thread: letters of both cases and digits mixed, or nothing but hexadecimal digits. */
function isRandom(run: string): boolean {
  if (/^[0-9a-f]{32,}$/i.test(run)) return true;
  const parts = run.split("/");
  if (parts.some((part) => part.length >= shortestRandom && isMixed(part))) return true;
  // A slash is a digit of base64 too; a path has more of them, and begins with one.
  const mostParts = run.length === 40 && !run.startsWith("/") ? 5 : 2;
  return isMixed(run) && (parts.length <= mostParts || /[+=]/.test(run));
}

function isMixed(text: string): boolean {
  return /[a-z]/.test(text) && /[A-Z]/.test(text) && /[0-9]/.test(text);
}

/** As it stands in plain text, in JSON, and in an address. */
function writtenForms(text: string): string[] {
  const inJson = JSON.stringify(text).slice(1, -1);
  // Half a character cannot be written in an address.
  const whole = text.replace(/[\ud800-\udfff]/gu, "");
  return [text, inJson, text.replaceAll("\\", "/"), encodeURI(whole), encodeURIComponent(whole)];
}

function literally(text: string): string {
  return text.replace(/[.*+?^${}()|[\]\\/]/g, "\\$&");
}
