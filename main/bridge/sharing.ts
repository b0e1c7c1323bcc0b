// Takes what is secret or personal out of what a person may hand to others: see redact.ts. What this machine knows to be
// secret, by the names of its variables, is taken out by its very value.

import { userInfo } from "node:os";
import type { LoginEnvironment } from "../codex/loginEnvironment";
import { isSecretName, sharingRedactor } from "../redact";

export type Redact = (text: string) => string;

interface Sources {
  homeFolder: string;
  /** Holdfast's own environment. */
  environment: Readonly<Record<string, string | undefined>>;
  /** That of the login shell; null: not read yet. */
  login(): LoginEnvironment | null;
}

/** Made once; it takes in the login environment when that is read. */
export function sharing({ homeFolder, environment, login }: Sources): Redact {
  let known: { login: LoginEnvironment | null; redact: Redact } | null = null;
  const userName = nameOfUser(environment);
  return (text) => {
    const now = login();
    if (known === null || known.login !== now) {
      const secrets = [...secretValues(environment), ...secretValues(now?.variables ?? {})];
      known = { login: now, redact: sharingRedactor({ homeFolder, userName, secrets }) };
    }
    return known.redact(text);
  };
}

/** Names that end in "KEY" are meant here too: what is taken out for nothing does no harm. */
export function secretValues(variables: Readonly<Record<string, string | undefined>>): string[] {
  return Object.entries(variables).flatMap(([name, value]) =>
    value !== undefined && (isSecretName(name) || /(?:key|auth|pass|pat)$/i.test(name)) ? [value] : [],
  );
}

function nameOfUser(environment: Readonly<Record<string, string | undefined>>): string {
  try {
    return userInfo().username;
  } catch {
    // No entry for this user id, as in many containers.
    return environment.USER ?? environment.USERNAME ?? "";
  }
}
