// The tokens of environments: sealed by the platform's key store, and kept in memory where there is none. In clear they are only
// here and in the one message that they are for.
//
// Races settled here:
// - One is asked for before the key store can be used, since Holdfast has just been started: it is waited for, as long as the
//   one who asks has time.
// - One is replaced or forgotten while it is being read: whoever has asked gets the one that was there when the store was asked.
// - The key store does not give one out, because it is locked, say: the person is shown that, and the next who needs the token
//   asks the store again. What it cannot seal is kept for this run, and that is shown too.

import { asFault, Fault } from "../../fault";
import type { EnvironmentTokensLedger } from "../../ledger/environmentTokensLedger";
import type { Log } from "../../log";
import type { Credentials } from "../client/executorConnection";
import { Secret, tokenLook } from "../client/secret";
import type { KeyStore } from "./keyStore";

type Kept =
  /** `refused`: the store did not give it out when it was asked last. */
  | { where: "key store"; sealed: Uint8Array; refused: boolean }
  | { where: "this run"; token: Secret }
  | { where: "an earlier run" };

export interface TokenView {
  name: string;
  kept: "key store" | "this run" | "unreadable";
}

export interface TokensOptions {
  ledger: EnvironmentTokensLedger;
  keyStore: KeyStore;
  log: Log;
  /** What is shown of the tokens of this environment may be another thing now. */
  changed(environmentId: string): void;
}

export class Tokens {
  readonly #options: TokensOptions;
  readonly #kept = new Map<string, Map<string, Kept>>();

  constructor(options: TokensOptions) {
    this.#options = options;
    for (const { environmentId, name, sealed } of options.ledger.list()) {
      const kept: Kept =
        sealed === null ? { where: "an earlier run" } : { where: "key store", sealed, refused: false };
      this.#keep(environmentId, name, kept);
    }
  }

  list(environmentId: string): TokenView[] {
    return [...(this.#kept.get(environmentId) ?? [])].map(([name, kept]) => ({ name, kept: shownAs(kept) }));
  }

  has(environmentId: string, name: string): boolean {
    return this.#kept.get(environmentId)?.has(name) ?? false;
  }

  /** Of an environment that has no token of this name. */
  add(environmentId: string, name: string, token: Secret): void {
    const kept = this.#seal(token);
    this.#options.ledger.add({ environmentId, name, sealed: sealedOf(kept) });
    this.#keep(environmentId, name, kept);
  }

  set(environmentId: string, name: string, token: Secret): void {
    const kept = this.#seal(token);
    this.#options.ledger.replace({ environmentId, name, sealed: sealedOf(kept) });
    this.#keep(environmentId, name, kept);
  }

  forget(environmentId: string, name: string): void {
    this.#options.ledger.remove(environmentId, name);
    this.#kept.get(environmentId)?.delete(name);
  }

  /** Its environment is gone, and with that what the ledger had of them. */
  dropAll(environmentId: string): void {
    this.#kept.delete(environmentId);
  }

  /** `get` rejects with Fault `credential_unreadable`. */
  credentials(environmentId: string): Credentials {
    return { get: (name) => this.get(environmentId, name) };
  }

  async get(environmentId: string, name: string): Promise<Secret | null> {
    const known = this.#kept.get(environmentId)?.get(name);
    if (known === undefined) return null;
    if (known.where === "this run") return known.token;
    if (known.where === "an earlier run") throw unreadable(name);
    const { keyStore, log } = this.#options;
    try {
      await keyStore.ready;
      const text = keyStore.unseal(known.sealed);
      // Another key may open it too, as something else.
      if (!tokenLook.test(text)) throw new Fault("token_damaged", "It is no token any more.");
      const token = new Secret(text);
      this.#refused(environmentId, name, known, false);
      return token;
    } catch (error) {
      log.warn("the key store does not give out a token", { environmentId, error: asFault(error).code });
      this.#refused(environmentId, name, known, true);
      throw unreadable(name, error);
    }
  }

  #refused(
    environmentId: string,
    name: string,
    known: Kept & { where: "key store" },
    refused: boolean,
  ): void {
    const tokens = this.#kept.get(environmentId);
    // It may have been replaced meanwhile.
    if (known.refused === refused || tokens?.get(name) !== known) return;
    tokens.set(name, { ...known, refused });
    this.#options.changed(environmentId);
  }

  #keep(environmentId: string, name: string, kept: Kept): void {
    const tokens = this.#kept.get(environmentId) ?? new Map<string, Kept>();
    tokens.set(name, kept);
    this.#kept.set(environmentId, tokens);
  }

  #seal(token: Secret): Kept {
    const { keyStore, log } = this.#options;
    try {
      if (!keyStore.isAvailable) return { where: "this run", token };
      return { where: "key store", sealed: keyStore.seal(token.reveal()), refused: false };
    } catch (error) {
      log.warn("the key store does not take a token", { error: asFault(error).code });
      return { where: "this run", token };
    }
  }
}

function sealedOf(kept: Kept): Uint8Array | null {
  return kept.where === "key store" ? kept.sealed : null;
}

function shownAs(kept: Kept): TokenView["kept"] {
  switch (kept.where) {
    case "key store":
      return kept.refused ? "unreadable" : "key store";
    case "this run":
      return "this run";
    case "an earlier run":
      return "unreadable";
    default:
      return kept satisfies never;
  }
}

function unreadable(name: string, cause?: unknown): Fault {
  return new Fault("credential_unreadable", `The credential "${name}" cannot be read any more.`, {
    hint: "Enter it again on the page of the environment.",
    cause,
  });
}
