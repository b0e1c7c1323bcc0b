// Who codex works for, and signing in and out. Performs the effects of `accountMachine` and feeds back what comes of them.
//
// Races are settled in the machine; this file keeps three promises of its own. A sign-in lives in the app-server that
// started it (it listens for the browser there), so it is cancelled there and nowhere else. What arrives after `close` is
// dropped. An API key passes through `signInWithApiKey` only: it is in no state, no log, and no Fault.

import type { AccountView, LoginView } from "../../preload/contract/app";
import type { FaultView } from "../../preload/contract/fault";
import type { Clock, Timer } from "../clock";
import { asFault, Fault } from "../fault";
import type { Log } from "../log";
import {
  type AccountEffect,
  type AccountEvent,
  type AccountState,
  decideAccount,
  initialAccount,
  viewLogin,
} from "./accountMachine";
import { loginCompletedOf, loginOf, providerOf, viewAccount } from "./accountView";

/** What of a JSON-RPC client is used here. A request that has no answer by its deadline must reject. */
export interface AccountClient {
  request(method: string, params: unknown, options: { deadlineMs: number }): Promise<unknown>;
}

export interface AccountOptions {
  /**
   * A client of any live session; starts one when there is none. Settles in bounded time; rejects with a Fault when that
   * is not possible.
   */
  client(): Promise<AccountClient>;
  /** Opens an address in the person's browser. */
  openLink(url: string): Promise<void>;
  /**
   * Why codex's answers about the account cannot be trusted now: with a broken config.toml it answers for its defaults,
   * which looks like being signed out. Null: they can.
   */
  distrust(): Fault | null;
  onChange(account: AccountView, login: LoginView): void;
  clock: Clock;
  log: Log;
}

const readDeadlineMs = 15_000;
const requestDeadlineMs = 30_000;
/** How long a person may take in the browser. */
export const signInDeadlineMs = 10 * 60_000;

export class Account {
  readonly #options: AccountOptions;
  #state: AccountState = initialAccount;
  #closed = false;
  /** codex could not say which provider it uses, as with a configuration that is being written by hand. */
  #providerIsUnread = false;
  #deadline: Timer | null = null;
  /** The client that holds the sign-in of an attempt. */
  readonly #holders = new Map<number, AccountClient>();
  #readers: { resolve: () => void; reject: (fault: Fault) => void }[] = [];

  constructor(options: AccountOptions) {
    this.#options = options;
  }

  get account(): AccountView {
    return this.#state.account;
  }

  get login(): LoginView {
    return viewLogin(this.#state);
  }

  /** Reads the account anew, without refreshing any token. Rejects with a Fault when codex cannot say. */
  refresh(): Promise<void> {
    if (this.#closed) return Promise.resolve();
    return new Promise((resolve, reject) => {
      this.#readers.push({ resolve, reject });
      this.#take({ type: "read asked" });
    });
  }

  /** What comes of it, a failure too, is shown by `login` and `account`. */
  signInWithChatGpt(): void {
    this.#take({ type: "sign-in asked" });
  }

  cancelSignIn(): void {
    this.#take({ type: "cancel asked" });
  }

  /** Hands the key to codex, which keeps it. Rejects with a Fault that never contains the key. */
  async signInWithApiKey(apiKey: string): Promise<void> {
    const key = apiKey.trim();
    if (!/^[\x21-\x7e]+$/.test(key)) {
      throw new Fault(
        "api_key_invalid",
        "This is not an API key: it is empty or has spaces or other characters in it.",
      );
    }
    this.#take({ type: "cancel asked" });
    try {
      const client = await this.#options.client();
      await client.request(
        "account/login/start",
        { type: "apiKey", apiKey: key },
        { deadlineMs: requestDeadlineMs },
      );
    } catch (error) {
      throw withoutSecret(asFault(error), key);
    }
    await this.#readQuietly();
  }

  async signOut(): Promise<void> {
    this.#take({ type: "cancel asked" });
    const client = await this.#options.client();
    await client.request("account/logout", undefined, { deadlineMs: requestDeadlineMs });
    await this.#readQuietly();
  }

  /** Takes a notification of any session; those that are not about the account are left alone. */
  notification(method: string, params: unknown): void {
    if (method === "account/updated") this.#take({ type: "read asked" });
    if (method !== "account/login/completed") return;
    const completed = loginCompletedOf(params);
    if (completed !== null) this.#take({ type: "login completed", ...completed });
  }

  /** The session of this client has ended. */
  clientGone(client: AccountClient): void {
    for (const [attempt, holder] of this.#holders) {
      if (holder !== client) continue;
      this.#holders.delete(attempt);
      this.#take({ type: "login lost", attempt });
    }
  }

  /** Drops everything; a sign-in that waits is cancelled by codex when its session ends. */
  close(): void {
    this.#closed = true;
    this.#deadline?.cancel();
    this.#deadline = null;
    this.#holders.clear();
    for (const reader of this.#readers.splice(0)) reader.resolve();
  }

  #take(event: AccountEvent): void {
    if (this.#closed) return;
    const before = this.#state;
    const loginBefore = before.login;
    const [next, effects] = decideAccount(before, event);
    this.#state = next;
    for (const effect of effects) this.#perform(effect);
    if (next.account !== before.account || next.login !== loginBefore) {
      this.#options.onChange(this.account, this.login);
    }
  }

  #perform(effect: AccountEffect): void {
    switch (effect.type) {
      case "read":
        void this.#read();
        return;
      case "start login":
        void this.#startLogin(effect.attempt);
        return;
      case "open link":
        void this.#openLink(effect.url);
        return;
      case "cancel login":
        void this.#cancelLogin(effect.attempt, effect.loginId);
        return;
      case "forget login":
        this.#holders.delete(effect.attempt);
        return;
      case "arm deadline": {
        const { attempt } = effect;
        this.#deadline?.cancel();
        this.#deadline = this.#options.clock.after(signInDeadlineMs, () => {
          this.#deadline = null;
          this.#take({ type: "deadline passed", attempt });
        });
        return;
      }
      case "disarm deadline":
        this.#deadline?.cancel();
        this.#deadline = null;
        return;
      default:
        effect satisfies never;
    }
  }

  async #read(): Promise<void> {
    try {
      const account = await this.#readAccount();
      this.#take({ type: "read answered", account });
      this.#settleReaders((reader) => reader.resolve());
    } catch (error) {
      const fault = asFault(error);
      this.#options.log.warn("the account could not be read", { code: fault.code, message: fault.message });
      this.#take({ type: "read failed", fault: viewFault(fault) });
      this.#settleReaders((reader) => reader.reject(fault));
    }
  }

  async #readAccount(): Promise<AccountView> {
    const client = await this.#options.client();
    const answer = await client.request(
      "account/read",
      { refreshToken: false },
      { deadlineMs: readDeadlineMs },
    );
    // Asked after the answer: codex reports a broken configuration right after it has started.
    const distrust = this.#options.distrust();
    if (distrust !== null) throw distrust;
    const account = viewAccount(answer);
    if (account === null) {
      throw new Fault(
        "account_unreadable",
        "codex described the account in a way that this version does not know.",
      );
    }
    return account.state === "not needed" ? { ...account, provider: await this.#provider(client) } : account;
  }

  /** codex could read its configuration: what could not be told while it could not is asked again. */
  configurationRead(): void {
    if (this.#providerIsUnread) void this.#readQuietly();
  }

  /** The provider's name is an extra: without it the account is still known. */
  async #provider(client: AccountClient): Promise<string | null> {
    try {
      const answer = await client.request("config/read", {}, { deadlineMs: readDeadlineMs });
      this.#providerIsUnread = false;
      return providerOf(answer);
    } catch (error) {
      this.#providerIsUnread = true;
      this.#options.log.warn("the model provider could not be read", { message: asFault(error).message });
      return null;
    }
  }

  /** Whoever waits for a read waits for the last one: an answer that is already out of date does not settle it. */
  #settleReaders(settle: (reader: { resolve: () => void; reject: (fault: Fault) => void }) => void): void {
    if (this.#state.reading !== "no") return;
    for (const reader of this.#readers.splice(0)) settle(reader);
  }

  async #readQuietly(): Promise<void> {
    try {
      await this.refresh();
    } catch (error) {
      // What was asked for has been done; that the account could not be read afterwards is already in the log.
      this.#options.log.info("the account will be read again later", { code: asFault(error).code });
    }
  }

  async #startLogin(attempt: number): Promise<void> {
    try {
      const client = await this.#options.client();
      this.#holders.set(attempt, client);
      const answer = await client.request(
        "account/login/start",
        { type: "chatgpt" },
        { deadlineMs: requestDeadlineMs },
      );
      const login = loginOf(answer);
      if (login === null) {
        throw new Fault("sign_in_failed", "codex did not say which page to open for signing in.", {
          hint: "Try again, or use an API key.",
          retryable: true,
        });
      }
      this.#take({ type: "login started", attempt, ...login });
    } catch (error) {
      this.#holders.delete(attempt);
      this.#take({ type: "login refused", attempt, fault: viewFault(asFault(error)) });
    }
  }

  async #openLink(url: string): Promise<void> {
    try {
      await this.#options.openLink(url);
    } catch (error) {
      // The address is on screen and can be opened by hand, so the sign-in goes on.
      this.#options.log.warn("the browser could not be opened", { message: asFault(error).message });
    }
  }

  async #cancelLogin(attempt: number, loginId: string): Promise<void> {
    const client = this.#holders.get(attempt);
    this.#holders.delete(attempt);
    if (client === undefined) return;
    try {
      await client.request("account/login/cancel", { loginId }, { deadlineMs: requestDeadlineMs });
    } catch (error) {
      // The sign-in is over for the person either way, and codex ends it by itself with its session.
      this.#options.log.warn("a sign-in could not be cancelled in codex", {
        message: asFault(error).message,
      });
    }
  }
}

function viewFault(fault: Fault): FaultView {
  const { code, message, hint, detail, retryable } = fault;
  return { code, message, hint, detail, retryable };
}

function withoutSecret(fault: Fault, secret: string): Fault {
  const clean = (text: string) => text.replaceAll(secret, "•••");
  // The cause is left out: it may hold the key in places that cannot be cleaned.
  return new Fault(fault.code, clean(fault.message), {
    hint: fault.hint === undefined ? undefined : clean(fault.hint),
    detail: fault.code === "unexpected" || fault.detail === undefined ? undefined : clean(fault.detail),
    retryable: fault.retryable,
  });
}
