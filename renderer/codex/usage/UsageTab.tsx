// What is used of the account's allowance, and of tokens. What codex does not say is said as not known.

import { useEffect } from "react";
import type { UsageView } from "../../../preload/contract/codexPage";
import { tokenWords } from "../../conversation/time/durations";
import { Fact, Facts } from "../../environments/overview/Facts";
import { contextFill } from "../../inspector/progressWords";
import { Section } from "../../inspector/Section";
import { useApp } from "../../state/appStore";
import { call } from "../../state/connection";
import { threadStore } from "../../state/threadStore";
import { showDialog } from "../../state/uiStore";
import { Button } from "../../ui/Button";
import { AskedPart } from "../AskedPart";
import { load, useKnown, useLoaded } from "../loaded";
import { isSignedOut } from "../usageWords";
import { Limits } from "./Limits";

const limitsKey = "limits";
const readLimits = async () => {
  await call("codex.readLimits", {});
  return true;
};

export function UsageTab() {
  const account = useApp((app) => JSON.stringify(app.account));
  const limits = useApp((app) => app.limits);
  const threadId = threadStore(({ shown }) => (shown.phase === "shown" ? shown.copy.head.threadId : null));
  // biome-ignore lint/correctness/useExhaustiveDependencies: another account has other limits.
  useEffect(() => {
    void load(limitsKey, readLimits);
  }, [account]);
  const asked = useKnown<true>(limitsKey);
  // What codex has told by itself is there whether it answered or not.
  const read = {
    ...asked,
    value: limits ?? (asked.value || null),
    reload: () => void load(limitsKey, readLimits),
  };
  const usage = useLoaded<UsageView>(
    `usage ${threadId ?? ""}`,
    () => call("codex.usage", { threadId }),
    account,
  );
  const fault = asked.fault;
  return (
    <div className="grid w-full max-w-190 grid-cols-1 content-start gap-6 px-5 py-5">
      <AskedPart
        title="Limits"
        loaded={read}
        instead={fault && isSignedOut(fault) ? <NoAccount /> : undefined}
      >
        <Limits limits={limits} />
      </AskedPart>
      <ThreadUsage usage={usage.value} />
      <AskedPart
        title="Tokens by day"
        loaded={usage}
        instead={
          usage.fault && isSignedOut(usage.fault) ? (
            <p className="text-m text-ink-2">codex counts them for an account, and none is signed in.</p>
          ) : undefined
        }
      >
        <Days usage={usage.value} />
      </AskedPart>
    </div>
  );
}

/** That codex refuses then is no error: there is no allowance to speak of. */
function NoAccount() {
  const account = useApp((app) => app.account);
  return (
    <div className="flex flex-wrap items-center gap-2">
      <p className="text-m text-pretty text-ink-2">
        {account.state === "not needed"
          ? "Limits belong to an OpenAI account. The model provider that is configured needs none, so codex knows of no limit."
          : "codex can say what is used once an account is signed in. It is not known now."}
      </p>
      {account.state === "signed out" && (
        <Button size="s" onClick={() => showDialog({ kind: "settings", section: "account" })}>
          Sign in
        </Button>
      )}
    </div>
  );
}

function ThreadUsage({ usage }: { usage: UsageView | null }) {
  const tokens = threadStore(({ shown }) => (shown.phase === "shown" ? shown.copy.head.usage : null));
  const title = threadStore(({ shown }) => (shown.phase === "shown" ? shown.copy.head.title : null));
  const fill = tokens && contextFill(tokens);
  const thread = usage?.thread ?? null;
  return (
    <Section title="The shown thread">
      {title === null ? (
        <p className="text-m text-ink-2">No thread is shown.</p>
      ) : (
        <Facts>
          <Fact name="Thread">{title === "" ? "New thread" : title}</Fact>
          <Fact name="Context">
            {fill === null
              ? "not known yet"
              : fill.kind === "of window"
                ? `${tokenWords(fill.tokens)} of ${tokenWords(fill.window)} · ${fill.percent} %`
                : `${tokenWords(fill.tokens)}; codex does not say how much fits`}
          </Fact>
          <Fact name="Spent in all">
            {tokens === null ? "not known yet" : tokenWords(tokens.totalTokens)}
          </Fact>
          {thread !== null && (
            <Fact name="Estimated">
              {thread.credits.toLocaleString("en", { maximumFractionDigits: 2 })} credits
              {thread.usd !== null && ` · $${thread.usd.toFixed(2)}`}
            </Fact>
          )}
        </Facts>
      )}
    </Section>
  );
}

function Days({ usage }: { usage: UsageView | null }) {
  const days = usage?.days ?? null;
  if (days === null) return <p className="text-m text-ink-2">codex does not say.</p>;
  if (days.length === 0) return <p className="text-m text-ink-2">Nothing was used yet.</p>;
  return (
    <Facts>
      {days.slice(0, 14).map(({ day, tokens }) => (
        <Fact key={day} name={day}>
          {tokenWords(tokens)}
        </Fact>
      ))}
      {usage?.lifetimeTokens != null && <Fact name="In all">{tokenWords(usage.lifetimeTokens)}</Fact>}
    </Facts>
  );
}
