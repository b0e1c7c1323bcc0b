import { describe, expect, it, vi } from "vitest";
import type { AccountView, LoginView } from "../../preload/contract/app";
import { ManualClock } from "../clock";
import { Fault } from "../fault";
import { Account, type AccountClient, signInDeadlineMs } from "./account";

interface Sent {
  method: string;
  params: unknown;
  answer: (value: unknown) => void;
  refuse: (error: unknown) => void;
}

/** A codex whose answers the test gives, in the order that the test wants. */
class ScriptedClient implements AccountClient {
  readonly sent: Sent[] = [];
  readonly #answered = new Set<Sent>();
  #waiters: { method: string; resolve: (sent: Sent) => void }[] = [];

  request(method: string, params: unknown, options: { deadlineMs: number }): Promise<unknown> {
    expect(options.deadlineMs).toBeGreaterThan(0);
    return new Promise((resolve, reject) => {
      const sent: Sent = { method, params, answer: resolve, refuse: reject };
      this.sent.push(sent);
      const waiter = this.#waiters.find((other) => other.method === method);
      if (!waiter) return;
      this.#waiters = this.#waiters.filter((other) => other !== waiter);
      this.#answered.add(sent);
      waiter.resolve(sent);
    });
  }

  /** The next request of this method that was not handed out yet. */
  next(method: string): Promise<Sent> {
    const found = this.sent.find((sent) => sent.method === method && !this.#answered.has(sent));
    if (found) {
      this.#answered.add(found);
      return Promise.resolve(found);
    }
    return new Promise((resolve) => this.#waiters.push({ method, resolve }));
  }

  methods(): string[] {
    return this.sent.map(({ method }) => method);
  }
}

function setUp(overrides: { distrust?: () => Fault | null; client?: () => Promise<AccountClient> } = {}) {
  const client = new ScriptedClient();
  const clock = new ManualClock();
  const opened: string[] = [];
  const changes: [AccountView, LoginView][] = [];
  const logged: string[] = [];
  const write = (message: string, facts?: Record<string, unknown>) => {
    logged.push(`${message} ${JSON.stringify(facts ?? {})}`);
  };
  let changed: (() => void) | null = null;
  const account = new Account({
    client: overrides.client ?? (async () => client),
    openLink: async (url) => {
      opened.push(url);
    },
    distrust: overrides.distrust ?? (() => null),
    onChange: (view, login) => {
      changes.push([view, login]);
      changed?.();
    },
    clock,
    log: { info: write, warn: write, error: write },
  });
  const until = (holds: () => boolean) =>
    new Promise<void>((resolve) => {
      const check = () => {
        if (!holds()) return;
        changed = null;
        resolve();
      };
      changed = check;
      check();
    });
  return { account, client, clock, opened, changes, logged, until };
}

const chatgpt = { type: "chatgpt", email: "a@b.example", planType: "plus", workspaceName: null };
const answer = (account: unknown, requiresOpenaiAuth = true) => ({ account, requiresOpenaiAuth });
const login = { type: "chatgpt", loginId: "L1", authUrl: "https://auth.example/x" };

describe("reading", () => {
  it("never forces a refresh of the tokens, and tells what it found", async () => {
    const { account, client, changes } = setUp();
    const done = account.refresh();
    const read = await client.next("account/read");
    expect(read.params).toEqual({ refreshToken: false });
    read.answer(answer(chatgpt));
    await done;
    expect(account.account).toEqual({ state: "signed in", label: "a@b.example", plan: "Plus" });
    expect(changes).toEqual([[account.account, { state: "none" }]]);
  });

  it("two at once are one request, unless something changed in between", async () => {
    const { account, client } = setUp();
    const both = Promise.all([account.refresh(), account.refresh()]);
    (await client.next("account/read")).answer(answer(null));
    (await client.next("account/read")).answer(answer(chatgpt));
    await both;
    expect(client.methods()).toEqual(["account/read", "account/read"]);
    expect(account.account.state).toBe("signed in");
  });

  it("names the provider that needs no account; without an answer to that, the account is known all the same", async () => {
    const { account, client } = setUp();
    const named = account.refresh();
    (await client.next("account/read")).answer(answer(null, false));
    (await client.next("config/read")).answer({ config: { model_provider: "local" } });
    await named;
    expect(account.account).toEqual({ state: "not needed", provider: "local" });
    const unnamed = account.refresh();
    (await client.next("account/read")).answer(answer(null, false));
    (await client.next("config/read")).refuse(new Error("no"));
    await unnamed;
    expect(account.account).toEqual({ state: "not needed", provider: null });

    // The file was broken for a moment: once codex can read it, the name is asked for again, and once only.
    account.configurationRead();
    (await client.next("account/read")).answer(answer(null, false));
    (await client.next("config/read")).answer({ config: { model_provider: "local" } });
    await vi.waitFor(() => expect(account.account).toEqual({ state: "not needed", provider: "local" }));
    const asked = client.methods().length;
    account.configurationRead();
    expect(client.methods()).toHaveLength(asked);
  });

  it("a failure rejects, keeps what is known, and shows the reason when nothing is", async () => {
    const { account, client } = setUp();
    const first = account.refresh();
    (await client.next("account/read")).refuse(new Fault("codex_exited", "codex ended."));
    await expect(first).rejects.toMatchObject({ code: "codex_exited" });
    expect(account.account).toMatchObject({ state: "unknown", fault: { code: "codex_exited" } });
    const second = account.refresh();
    (await client.next("account/read")).answer(answer(chatgpt));
    await second;
    const third = account.refresh();
    (await client.next("account/read")).refuse(new Fault("codex_exited", "codex ended."));
    await expect(third).rejects.toBeInstanceOf(Fault);
    expect(account.account.state).toBe("signed in");
  });

  it("what codex says while its configuration is broken is not believed", async () => {
    let broken: Fault | null = null;
    const { account, client } = setUp({ distrust: () => broken });
    const first = account.refresh();
    const read = await client.next("account/read");
    broken = new Fault("config_invalid", "codex cannot use config.toml.");
    read.answer(answer(null));
    await expect(first).rejects.toMatchObject({ code: "config_invalid" });
    expect(account.account).toMatchObject({ state: "unknown", fault: { code: "config_invalid" } });
  });

  it("an answer that makes no sense is a fault, not a sign-out", async () => {
    const { account, client } = setUp();
    const done = account.refresh();
    (await client.next("account/read")).answer({ future: true });
    await expect(done).rejects.toMatchObject({ code: "account_unreadable" });
  });

  it("account/updated reads again and keeps the account on screen until the answer", async () => {
    const { account, client, until } = setUp();
    const done = account.refresh();
    (await client.next("account/read")).answer(answer(chatgpt));
    await done;
    account.notification("account/updated", { authMode: null, planType: null });
    expect(account.account.state).toBe("signed in");
    (await client.next("account/read")).answer(answer(null));
    await until(() => account.account.state === "signed out");
  });
});

describe("signing in with ChatGPT", () => {
  it("opens the page that codex names, waits, and shows the account", async () => {
    const { account, client, clock, opened, until } = setUp();
    account.signInWithChatGpt();
    const start = await client.next("account/login/start");
    expect(start.params).toEqual({ type: "chatgpt" });
    start.answer(login);
    await until(() => account.login.state === "waiting for browser");
    expect(opened).toEqual([login.authUrl]);
    account.notification("account/login/completed", { loginId: "L1", success: true, error: null });
    (await client.next("account/read")).answer(answer(chatgpt));
    await until(() => account.account.state === "signed in");
    expect(account.login).toEqual({ state: "none" });
    expect(clock.pendingCount).toBe(0);
  });

  it("cancelling tells the very session that holds the sign-in", async () => {
    const first = new ScriptedClient();
    const second = new ScriptedClient();
    const clients = [first, second];
    const { account, until } = setUp({ client: async () => clients.shift() ?? second });
    account.signInWithChatGpt();
    (await first.next("account/login/start")).answer(login);
    await until(() => account.login.state === "waiting for browser");
    account.cancelSignIn();
    expect((await first.next("account/login/cancel")).params).toEqual({ loginId: "L1" });
    expect(second.sent).toEqual([]);
    expect(account.login).toEqual({ state: "none" });
  });

  it("cancelling before codex has answered: no page, and cancelled in codex when it is named", async () => {
    const { account, client, opened, clock } = setUp();
    account.signInWithChatGpt();
    const start = await client.next("account/login/start");
    account.cancelSignIn();
    start.answer(login);
    (await client.next("account/login/cancel")).answer({ status: "canceled" });
    expect(opened).toEqual([]);
    expect(clock.pendingCount).toBe(0);
  });

  it("ends after ten minutes, with a reason", async () => {
    const { account, client, clock, until } = setUp();
    account.signInWithChatGpt();
    (await client.next("account/login/start")).answer(login);
    await until(() => account.login.state === "waiting for browser");
    clock.advance(signInDeadlineMs - 1);
    expect(account.login.state).toBe("waiting for browser");
    clock.advance(1);
    expect(account.login).toMatchObject({ state: "failed", fault: { code: "sign_in_timed_out" } });
    await client.next("account/login/cancel");
  });

  it("a codex that cannot be started, or refuses, is shown as the reason", async () => {
    const missing = setUp({
      client: () => Promise.reject(new Fault("codex_missing", "codex was not found.")),
    });
    missing.account.signInWithChatGpt();
    await missing.until(() => missing.account.login.state === "failed");
    expect(missing.account.login).toMatchObject({ fault: { code: "codex_missing" } });
    const odd = setUp();
    odd.account.signInWithChatGpt();
    (await odd.client.next("account/login/start")).answer({ ...login, authUrl: "javascript:alert(1)" });
    await odd.until(() => odd.account.login.state === "failed");
    expect(odd.opened).toEqual([]);
  });

  it("a session that ends takes the sign-in along; another session's end does not", async () => {
    const { account, client, until } = setUp();
    account.signInWithChatGpt();
    (await client.next("account/login/start")).answer(login);
    await until(() => account.login.state === "waiting for browser");
    account.clientGone(new ScriptedClient());
    expect(account.login.state).toBe("waiting for browser");
    account.clientGone(client);
    expect(account.login).toMatchObject({ state: "failed", fault: { code: "sign_in_interrupted" } });
  });
});

describe("an API key", () => {
  const key = "sk-test-abcdefgh";

  it("goes to codex, trimmed, and is kept nowhere", async () => {
    const { account, client, changes, logged } = setUp();
    const done = account.signInWithApiKey(`  ${key}\n`);
    const start = await client.next("account/login/start");
    expect(start.params).toEqual({ type: "apiKey", apiKey: key });
    start.answer({ type: "apiKey" });
    (await client.next("account/read")).answer(answer({ type: "apiKey" }));
    await done;
    expect(account.account).toEqual({ state: "signed in", label: "API key", plan: null });
    expect(JSON.stringify([changes, logged, account])).not.toContain(key);
  });

  it("is in no error, even when codex repeats it", async () => {
    const { account, client, logged } = setUp();
    const done = account.signInWithApiKey(key);
    (await client.next("account/login/start")).refuse(new Error(`bad key ${key}`));
    const error = await done.then(
      () => null,
      (reason: unknown) => reason,
    );
    expect(error).toBeInstanceOf(Fault);
    const fault = error as Fault;
    expect(fault.message).toBe("bad key •••");
    expect(
      [fault.message, fault.hint, fault.detail, fault.stack, fault.cause, ...logged].join(),
    ).not.toContain(key);
  });

  it.each(["", "   ", "two words", "ключ"])(
    "that is none is refused before codex sees it: %j",
    async (text) => {
      const { account, client } = setUp();
      await expect(account.signInWithApiKey(text)).rejects.toMatchObject({ code: "api_key_invalid" });
      expect(client.sent).toEqual([]);
    },
  );

  it("takes the place of a sign-in that waits in the browser", async () => {
    const { account, client, until } = setUp();
    account.signInWithChatGpt();
    (await client.next("account/login/start")).answer(login);
    await until(() => account.login.state === "waiting for browser");
    const done = account.signInWithApiKey(key);
    await client.next("account/login/cancel");
    (await client.next("account/login/start")).answer({ type: "apiKey" });
    (await client.next("account/read")).answer(answer({ type: "apiKey" }));
    await done;
    expect(account.login).toEqual({ state: "none" });
  });
});

describe("signing out", () => {
  it("asks codex and shows what it then says", async () => {
    const { account, client } = setUp();
    const done = account.signOut();
    (await client.next("account/logout")).answer({});
    (await client.next("account/read")).answer(answer(null));
    await done;
    expect(account.account).toEqual({ state: "signed out" });
  });

  it("that codex refuses rejects and changes nothing", async () => {
    const { account, client, changes } = setUp();
    const done = account.signOut();
    (await client.next("account/logout")).refuse(new Fault("timeout", "No answer."));
    await expect(done).rejects.toMatchObject({ code: "timeout" });
    expect(changes).toEqual([]);
  });
});

describe("closing", () => {
  it("leaves no timer, settles who waits, and drops what comes late", async () => {
    const { account, client, clock, changes } = setUp();
    const reading = account.refresh();
    account.signInWithChatGpt();
    const read = await client.next("account/read");
    const start = await client.next("account/login/start");
    account.close();
    await reading;
    expect(clock.pendingCount).toBe(0);
    const before = changes.length;
    read.answer(answer(chatgpt));
    start.answer(login);
    account.notification("account/login/completed", { loginId: "L1", success: true, error: null });
    await account.refresh();
    expect(changes.length).toBe(before);
  });
});
