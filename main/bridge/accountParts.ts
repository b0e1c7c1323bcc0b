// The account and its limits, and what windows are told of them.

import { isDeepStrictEqual } from "node:util";
import type { AccountView, LoginView } from "../../preload/contract/app";
import { Account } from "../accounts/account";
import { LimitBook } from "../accounts/limitBook";
import type { Clock } from "../clock";
import { asFault } from "../fault";
import type { Log } from "../log";
import type { Connection } from "../supervisor/connection";
import type { AppTopic } from "./appTopic";
import type { ConfigFaults } from "./configFaults";

interface AccountSource {
  app: AppTopic;
  configFaults: ConfigFaults;
}

/** `client`: of the person's own codex, started if there is none. */
export function accountParts(
  { app, configFaults }: AccountSource,
  client: () => Promise<Connection["client"]>,
  { openLink, clock, log }: { openLink(url: string): Promise<void>; clock: Clock; log: Log },
): { account: Account; limits: LimitBook } {
  const limits = new LimitBook({ clock, client, onChange: (limits) => app.update({ limits }) });

  /** Who is signed in has limits, which are read once in the background; all else about them codex tells by itself. */
  function changed(account: AccountView, login: LoginView): void {
    const { account: before } = app.state;
    app.update({ account, login });
    if (account.state === "unknown" || isDeepStrictEqual(account, before)) return;
    if (before.state !== "unknown") limits.accountChanged();
    if (account.state !== "signed in") return;
    limits.read().catch((error: unknown) => {
      log.info("the limits could not be read", { error: asFault(error).code });
    });
  }

  const account = new Account({
    client,
    openLink,
    distrust: () => configFaults.current,
    onChange: changed,
    clock,
    log,
  });
  return { account, limits };
}
