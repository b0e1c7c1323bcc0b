import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { AccountView } from "../../preload/contract/app";
import {
  type AccountEffect,
  type AccountEvent,
  type AccountState,
  decideAccount,
  initialAccount,
  viewLogin,
} from "./accountMachine";

const signedIn: AccountView = { state: "signed in", label: "a@b.example", plan: null };
const signedOut: AccountView = { state: "signed out" };
const fault = { code: "x", message: "No.", retryable: true };

function play(events: AccountEvent[], from: AccountState = initialAccount) {
  let state = from;
  const effects: AccountEffect[] = [];
  for (const event of events) {
    const [next, more] = decideAccount(state, event);
    state = next;
    effects.push(...more);
  }
  return { state, effects, types: effects.map(({ type }) => type) };
}

const asked: AccountEvent = { type: "sign-in asked" };
const started: AccountEvent = { type: "login started", attempt: 1, loginId: "L1", url: "https://a.example" };
const completed = (loginId: string, success: boolean, error: string | null = null): AccountEvent => ({
  type: "login completed",
  loginId,
  success,
  error,
});

describe("signing in", () => {
  it("opens the page, waits, and reads the account when codex says that it is done", () => {
    const { state, types } = play([asked, started, completed("L1", true)]);
    expect(types).toEqual([
      "arm deadline",
      "start login",
      "open link",
      "forget login",
      "disarm deadline",
      "read",
    ]);
    expect(viewLogin(state)).toEqual({ state: "none" });
    expect(viewLogin(play([asked, started]).state)).toEqual({
      state: "waiting for browser",
      url: "https://a.example",
    });
  });

  it("asked twice is one sign-in; while it waits, the page is opened again", () => {
    expect(play([asked, asked]).types).toEqual(["arm deadline", "start login"]);
    expect(play([asked, started, asked]).types.slice(2)).toEqual(["open link", "open link"]);
  });

  it("a completion that overtakes the answer counts when the answer comes", () => {
    const good = play([asked, completed("L1", true), started]);
    expect(viewLogin(good.state)).toEqual({ state: "none" });
    expect(good.types).not.toContain("open link");
    expect(good.types.filter((type) => type === "read")).toHaveLength(1);
    const bad = play([asked, completed("L1", false, "denied"), started]);
    expect(viewLogin(bad.state)).toMatchObject({ state: "failed", fault: { code: "sign_in_failed" } });
  });

  it("a failure says why, in codex's words without its preamble", () => {
    const { state } = play([
      asked,
      started,
      completed("L1", false, "Login server error: Sign-in failed: nope"),
    ]);
    expect(viewLogin(state)).toMatchObject({ fault: { message: "Signing in did not work: nope" } });
  });

  it("a refusal of the request is shown; an old one is not", () => {
    const refused: AccountEvent = { type: "login refused", attempt: 1, fault };
    expect(viewLogin(play([asked, refused]).state)).toEqual({ state: "failed", fault });
    expect(viewLogin(play([asked, { type: "cancel asked" }, refused]).state)).toEqual({ state: "none" });
  });

  it("the deadline ends it, here and in codex", () => {
    const { state, effects } = play([asked, started, { type: "deadline passed", attempt: 1 }]);
    expect(viewLogin(state)).toMatchObject({ state: "failed", fault: { code: "sign_in_timed_out" } });
    expect(effects).toContainEqual({ type: "cancel login", attempt: 1, loginId: "L1" });
  });

  it("a session that ends takes its sign-in along", () => {
    const { state } = play([asked, started, { type: "login lost", attempt: 1 }]);
    expect(viewLogin(state)).toMatchObject({ fault: { code: "sign_in_interrupted" } });
  });
});

describe("cancelling", () => {
  const cancel: AccountEvent = { type: "cancel asked" };

  it("while it waits: cancelled in codex too, and its late completion changes nothing", () => {
    const { state, types } = play([
      asked,
      started,
      cancel,
      completed("L1", false, "Login was not completed"),
    ]);
    expect(types.slice(3)).toEqual(["disarm deadline", "cancel login"]);
    expect(viewLogin(state)).toEqual({ state: "none" });
  });

  it("before codex has named it: cancelled as soon as it is named, and no page opens", () => {
    const { effects, types } = play([asked, cancel, started]);
    expect(effects[effects.length - 1]).toEqual({ type: "cancel login", attempt: 1, loginId: "L1" });
    expect(types).not.toContain("open link");
  });

  it("crossed by success: what codex says counts", () => {
    expect(play([asked, started, cancel, completed("L1", true)]).types).toContain("read");
  });

  it("an attempt after a cancelled one is not touched by the first one's end", () => {
    const again: AccountEvent = {
      type: "login started",
      attempt: 2,
      loginId: "L2",
      url: "https://b.example",
    };
    const { state } = play([asked, started, cancel, asked, again, completed("L1", false, "cancelled")]);
    expect(viewLogin(state)).toEqual({ state: "waiting for browser", url: "https://b.example" });
  });

  it("takes a failure off the screen", () => {
    expect(viewLogin(play([asked, { type: "login refused", attempt: 1, fault }, cancel]).state)).toEqual({
      state: "none",
    });
  });
});

describe("reading the account", () => {
  const ask: AccountEvent = { type: "read asked" };

  it("one at a time; asked meanwhile, once more afterwards", () => {
    expect(play([ask, ask, ask]).types).toEqual(["read"]);
    const { state, types } = play([ask, ask, { type: "read answered", account: signedIn }]);
    expect(types).toEqual(["read", "read"]);
    expect(state.reading).toBe("yes");
  });

  it("an answer that is older than an update does not replace what is known", () => {
    const known = play([ask, { type: "read answered", account: signedIn }]).state;
    const { state } = play([ask, ask, { type: "read answered", account: signedOut }], known);
    expect(state.account).toEqual(signedIn);
  });

  it("a failure keeps what is known, and is shown when nothing is", () => {
    const known = play([ask, { type: "read answered", account: signedIn }]).state;
    expect(play([ask, { type: "read failed", fault }], known).state.account).toEqual(signedIn);
    expect(play([ask, { type: "read failed", fault }]).state.account).toEqual({ state: "unknown", fault });
  });

  it("being signed in after all takes an earlier failure off the screen", () => {
    const events: AccountEvent[] = [
      asked,
      { type: "login refused", attempt: 1, fault },
      ask,
      { type: "read answered", account: signedIn },
    ];
    expect(viewLogin(play(events).state)).toEqual({ state: "none" });
  });
});

describe("in any order of events", () => {
  const event: fc.Arbitrary<AccountEvent> = fc.oneof(
    fc.constant<AccountEvent>({ type: "read asked" }),
    fc.constantFrom(signedIn, signedOut).map((account): AccountEvent => ({ type: "read answered", account })),
    fc.constant<AccountEvent>({ type: "read failed", fault }),
    fc.constant<AccountEvent>(asked),
    fc.constant<AccountEvent>({ type: "cancel asked" }),
    fc.integer({ min: 1, max: 4 }).map(
      (attempt): AccountEvent => ({
        type: "login started",
        attempt,
        loginId: `L${attempt}`,
        url: `https://${attempt}.example`,
      }),
    ),
    fc
      .integer({ min: 1, max: 4 })
      .map((attempt): AccountEvent => ({ type: "login refused", attempt, fault })),
    fc.integer({ min: 1, max: 4 }).map((attempt): AccountEvent => ({ type: "deadline passed", attempt })),
    fc.integer({ min: 1, max: 4 }).map((attempt): AccountEvent => ({ type: "login lost", attempt })),
    fc
      .tuple(fc.integer({ min: 1, max: 4 }), fc.boolean())
      .map(([attempt, success]): AccountEvent => completed(`L${attempt}`, success)),
  );

  it("one sign-in at most, one deadline exactly while it goes on, and only the current page is opened", () => {
    fc.assert(
      fc.property(fc.array(event, { maxLength: 40 }), (events) => {
        let state = initialAccount;
        let armed = false;
        let reading = 0;
        let known = false;
        for (const next of events) {
          if (next.type === "read answered" || next.type === "read failed") {
            // An answer only ever comes for a read that was sent.
            if (reading === 0) continue;
            reading -= 1;
          }
          const [after, effects] = decideAccount(state, next);
          for (const effect of effects) {
            if (effect.type === "arm deadline") {
              expect(armed).toBe(false);
              armed = true;
            }
            if (effect.type === "disarm deadline") armed = false;
            if (effect.type === "read") reading += 1;
            if (effect.type === "open link") {
              expect(viewLogin(after)).toEqual({ state: "waiting for browser", url: effect.url });
            }
          }
          state = after;
          expect(reading).toBeLessThanOrEqual(1);
          expect(reading === 1).toBe(state.reading !== "no");
          const going = state.login.phase === "starting" || state.login.phase === "waiting";
          // A deadline that has just rung is gone by itself.
          if (next.type !== "deadline passed") expect(armed).toBe(going);
          else if (!going) armed = false;
          if (known) expect(state.account.state).not.toBe("unknown");
          known = state.account.state !== "unknown";
        }
      }),
      { numRuns: 1_000 },
    );
  });
});
