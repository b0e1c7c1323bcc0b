// Whether what main is about to hand to a window is what the contract promises. A snapshot can be tens of thousands of
// values, and the window reads all of it again anyway; so of its lists only a spread of entries is looked at here.

import type { z } from "zod";
import { type CallName, calls } from "../../preload/contract";
import { appStateSchema, threadRowSchema } from "../../preload/contract/app";
import { outputItemSchema, runCallSchema, runHeadSchema } from "../../preload/contract/cells";
import { itemSchema } from "../../preload/contract/items";
import { terminalSnapshotSchema } from "../../preload/contract/terminals";
import { threadHeadSchema, turnSchema } from "../../preload/contract/thread";
import type { Snapshot } from "./subscriptions";

const entriesLookedAt = 48;

export type Checked = { ok: true; value: unknown } | { ok: false; detail: string };

/** Checks the whole result, and gives it without anything that the contract does not name. */
export function checkResult(name: CallName, value: unknown): Checked {
  const parsed = calls[name].result.safeParse(value);
  return parsed.success ? { ok: true, value: parsed.data } : { ok: false, detail: misfitText(parsed.error) };
}

/** Checks a snapshot by its head and a spread of its entries. */
export function checkSnapshot(snapshot: Snapshot): Checked {
  const faulty = misfitOfSnapshot(snapshot);
  return faulty === null ? { ok: true, value: snapshot } : { ok: false, detail: faulty };
}

function misfitOfSnapshot(snapshot: Snapshot): string | null {
  switch (snapshot.topic) {
    case "app":
      return (
        misfit(appStateSchema, snapshot.app.state) ?? misfitOfSome(threadRowSchema, snapshot.app.threads)
      );
    case "thread":
      return (
        misfit(threadHeadSchema, snapshot.thread.head) ??
        misfitOfSome(turnSchema, snapshot.thread.turns) ??
        misfitOfSome(itemSchema, snapshot.thread.items)
      );
    case "run":
      return (
        misfit(runHeadSchema, snapshot.run.head) ??
        misfitOfSome(outputItemSchema, snapshot.run.output) ??
        misfitOfSome(runCallSchema, snapshot.run.calls)
      );
    case "terminal":
      return misfit(terminalSnapshotSchema, snapshot.terminal);
    default:
      throw new Error(`not a topic: ${JSON.stringify(snapshot satisfies never)}`);
  }
}

/** Which places of a list of `length` are looked at: all of a short one; the first, the last and a spread of a long one. */
export function placesLookedAt(length: number): number[] {
  if (length <= entriesLookedAt) return Array.from({ length }, (_, place) => place);
  const step = (length - 1) / (entriesLookedAt - 1);
  return Array.from({ length: entriesLookedAt }, (_, nth) => Math.round(nth * step));
}

function misfit(schema: z.ZodType, value: unknown): string | null {
  const parsed = schema.safeParse(value);
  return parsed.success ? null : misfitText(parsed.error);
}

function misfitOfSome(schema: z.ZodType, list: unknown): string | null {
  if (!Array.isArray(list)) return "not a list";
  for (const place of placesLookedAt(list.length)) {
    const faulty = misfit(schema, list[place]);
    if (faulty !== null) return `entry ${place}: ${faulty}`;
  }
  return null;
}

/** Where it does not fit and what was expected; never the values, which may be a person's text. */
export function misfitText(error: z.ZodError): string {
  return error.issues
    .slice(0, 5)
    .map((issue) => `${issue.path.map(String).join(".") || "the value"}: ${issue.message}`)
    .join("; ");
}
