// Where an environment is now, as a registry answers it. Address, identity, registration and credential belong together: they
// are taken from one answer and used together, never mixed with those of another answer.

import { z } from "zod";
import { Fault } from "../../fault";
import { Secret, tokenLook } from "./secret";

/** What a connection is made with. A stored one is asked for by its name, at every connection. */
export type Credential =
  | { kind: "none" }
  | { kind: "token"; token: Secret }
  | { kind: "stored"; name: string };

export interface ExecutorTarget {
  /** `ws://` or `wss://`. */
  url: string;
  /** The executor itself: another identity is another executor, which knows nothing of the sessions of this one. */
  identity: string;
  /** That this executor has registered; it may do so again and stay the same. */
  registration: string;
  credential: Credential;
}

const name = z.string().min(1, "must not be empty").max(256, "may have 256 characters at most");

/** It is kept under this name, in the platform's key store. */
export const storedCredentialSchema = z.object({ stored: name });
const heldCredential = z.object({
  token: z
    .string()
    .max(16_384)
    .regex(tokenLook, "must not be empty, or have spaces or special characters in it"),
});

const credentialSchema = z.union([storedCredentialSchema, heldCredential], {
  error: 'must be {"stored": "its name"} or {"token": "…"}',
});

export const urlSchema = z.string().superRefine((text, context) => {
  const problem = urlProblem(text);
  if (problem !== null) context.addIssue({ code: "custom", message: problem });
});

const answerSchema = z
  .object({
    url: urlSchema,
    identity: name,
    registration: name.optional(),
    credential: credentialSchema.nullish(),
  })
  .superRefine(keepsSecrets);

/** For what has an address and a credential. */
export function keepsSecrets(
  { url, credential }: { url: string; credential?: unknown },
  context: z.RefinementCtx,
): void {
  if (credential === null || credential === undefined || isSafeForSecrets(url)) return;
  const message =
    "must be wss://, or on this machine: a credential is not sent over a line that others can read";
  context.addIssue({ code: "custom", path: ["url"], message });
}

/** What another program answered. Throws Fault `registry_invalid`, which says what is wrong and quotes nothing of it. */
export function readTarget(text: string, source: string): ExecutorTarget {
  let answer: unknown;
  try {
    answer = JSON.parse(text);
  } catch {
    // The parser's own words would quote the text, and there may be a token in it.
    throw invalid(source, text.trim() === "" ? "it is empty" : "it is not JSON");
  }
  return checkedTarget(answer, source);
}

export function checkedTarget(answer: unknown, source: string): ExecutorTarget {
  const { success, data, error } = answerSchema.safeParse(answer);
  if (!success) throw invalid(source, describeIssues(error));
  return {
    url: data.url,
    identity: data.identity,
    registration: data.registration ?? data.identity,
    credential: toCredential(data.credential ?? null),
  };
}

export function describeIssues(error: z.ZodError): string {
  return error.issues
    .map(({ path, message }) => (path.length === 0 ? message : `"${path.join(".")}" ${lowered(message)}`))
    .join("; ");
}

function lowered(message: string): string {
  if (/^Invalid input: expected \w+, received undefined$/.test(message)) return "is missing";
  return message.replace(/^Invalid input: /, "is wrong: ");
}

function toCredential(credential: z.infer<typeof credentialSchema> | null): Credential {
  if (credential === null) return { kind: "none" };
  if ("stored" in credential) return { kind: "stored", name: credential.stored };
  return { kind: "token", token: new Secret(credential.token) };
}

function invalid(source: string, problem: string): Fault {
  return new Fault("registry_invalid", `${source} does not say where the environment is: ${problem}.`, {
    hint: 'It has to be JSON such as {"url": "ws://127.0.0.1:4711", "identity": "build-box"}.',
    retryable: true,
  });
}

function urlProblem(text: string): string | null {
  if (!URL.canParse(text)) return "is not an address";
  const url = new URL(text);
  if (url.protocol !== "ws:" && url.protocol !== "wss:") return "must begin with ws:// or wss://";
  if (url.username !== "" || url.password !== "") return "must not have a name or a password in it";
  if (url.hash !== "") return "must not have a fragment";
  return null;
}

/** Encrypted, or never leaving this machine. */
export function isSafeForSecrets(text: string): boolean {
  if (!URL.canParse(text)) return true;
  return new URL(text).protocol === "wss:" || isOnThisMachine(text);
}

export function isOnThisMachine(text: string): boolean {
  const { hostname } = new URL(text);
  return hostname === "localhost" || hostname === "[::1]" || /^127(\.\d{1,3}){3}$/.test(hostname);
}
