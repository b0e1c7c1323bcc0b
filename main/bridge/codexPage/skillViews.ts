// Skills and what was used of the account's tokens, as the page of codex shows them. Pure.

import type { SkillView, UsageView } from "../../../preload/contract/codexPage";
import type { SkillScope } from "../../codex/protocol/v2/SkillScope";
import type { SkillsListResponse } from "../../codex/protocol/v2/SkillsListResponse";
import { numberOrNull, recordOf, recordsOf, stringOf } from "../../threads/loose";

const mostSkills = 1_000;
const mostDays = 366;
const longestText = 4_000;

const scopes: readonly SkillScope[] = ["repo", "user", "admin", "system"];

export function skillViews({ data }: SkillsListResponse): {
  skills: SkillView[];
  errors: { path: string; message: string }[];
} {
  const skills = data.flatMap((entry) =>
    entry.skills.map((skill): SkillView => {
      const { name, path, scope, enabled, pluginId } = skill;
      return {
        name,
        title: skill.interface?.displayName ?? name,
        description: skill.description.slice(0, longestText),
        path,
        scope: scopes.includes(scope) ? scope : "user",
        plugin: pluginId,
        enabled,
      };
    }),
  );
  // A project's own first, what comes with codex last.
  skills.sort(
    (a, b) => scopes.indexOf(a.scope) - scopes.indexOf(b.scope) || a.title.localeCompare(b.title, "en"),
  );
  const errors = data.flatMap((entry) =>
    entry.errors.map(({ path, message }) => ({ path, message: message.slice(0, longestText) })),
  );
  return { skills: skills.slice(0, mostSkills), errors: errors.slice(0, mostSkills) };
}

/** Out of the answer of `account/usage/read`. A number that is missing is unknown, and not none. */
export function usageView(answer: unknown): UsageView {
  const { summary, dailyUsageBuckets, threadUsage } = recordOf(answer);
  const thread = recordOf(threadUsage);
  const credits = wholeNumber(thread.estimatedUsageCreditsMicros);
  const usd = wholeNumber(thread.nativeUsageUsdMicros) ?? wholeNumber(thread.estimatedUsageUsdMicros);
  return {
    days: Array.isArray(dailyUsageBuckets)
      ? recordsOf(dailyUsageBuckets)
          .flatMap(({ startDate, tokens }) => {
            const count = wholeNumber(tokens);
            return count === null ? [] : [{ day: stringOf(startDate), tokens: count }];
          })
          .sort((a, b) => b.day.localeCompare(a.day, "en"))
          .slice(0, mostDays)
      : null,
    lifetimeTokens: wholeNumber(recordOf(summary).lifetimeTokens),
    thread: credits === null ? null : { credits: credits / 1e6, usd: usd === null ? null : usd / 1e6 },
  };
}

/** Numbers of 64 bits come as numbers or as text. */
function wholeNumber(value: unknown): number | null {
  if (typeof value !== "string") return numberOrNull(value);
  return /^-?\d{1,18}$/.test(value) ? Number(value) : null;
}
