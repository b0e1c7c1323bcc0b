// What a scenario can make the fake do, at any moment or inside a turn (those are in turnActions.mjs). Every action is an object
// with one key that names it; scenario.ts has the list.

/**
 * @import { ActionContext, GeneralActions, TurnContext } from "./fakeTypes"
 * @import { Json, TurnAction } from "./scenario"
 */

import { existsSync } from "node:fs";
import { setTimeout as delay } from "node:timers/promises";
import { orStopped } from "./stopping.mjs";
import { turnActions } from "./turnActions.mjs";

const gatePollMs = 10;
const maxGateMs = 120_000;

/** @type {GeneralActions} */
const generalActions = {
  notify({ notify: method, params }, context) {
    context.fake.notify(method, filledParams(params, context), context.threadId);
  },

  async request({ request: method, params, id, wait = true }, context) {
    const { answered } = context.fake.request(method, filledParams(params, context), {
      threadId: context.threadId,
      id,
    });
    if (wait) await orStopped(answered, context);
  },

  raw({ raw }, context) {
    context.fake.sendRaw(raw, context.threadId);
  },

  async wait({ wait: ms }, { signal }) {
    await delay(ms, undefined, signal ? { signal } : {});
  },

  /** Goes on when the test has opened the gate: a file of that name in HOLDFAST_FAKE_GATES. */
  async gate({ gate: name }, { fake, signal }) {
    fake.journal.write({ event: "gate", name });
    const file = `${fake.gateFolder}/${name}`;
    for (let waitedMs = 0; !existsSync(file); waitedMs += gatePollMs) {
      if (waitedMs >= maxGateMs) throw new Error(`Nobody opened the gate ${name}.`);
      await delay(gatePollMs, undefined, signal ? { signal } : {});
    }
  },

  drop(_action, { fake }) {
    fake.dropConnections();
  },

  die({ die }, { fake }) {
    fake.journal.write({ event: "die", ...die });
    if (die.stderr) process.stderr.write(die.stderr);
    if (die.signal) process.kill(process.pid, die.signal);
    else process.exit(die.code ?? 1);
    // The signal is on its way; nothing more may be said before it arrives.
    return new Promise(() => {});
  },
};

/**
 * The key that names an action was found in the action, so the pair fits.
 * @type {ReadonlyMap<string, (action: never, context: never) => unknown>}
 */
const all = new Map(Object.entries({ ...generalActions, ...turnActions }));

/**
 * Performs actions in order. Throws an AbortError when the turn they belong to is stopped.
 * @param {TurnAction[]} actions
 * @param {ActionContext | TurnContext} context
 */
export async function actAll(actions, context) {
  for (const action of actions) {
    const name = Object.keys(action).find((key) => all.has(key));
    if (name === undefined) throw new Error(`The fake codex cannot do ${JSON.stringify(action)}`);
    if (name in turnActions && !context.turn) throw new Error(`"${name}" is possible only inside a turn`);
    context.signal?.throwIfAborted();
    await all.get(name)?.(/** @type {never} */ (action), /** @type {never} */ (context));
  }
}

/** @param {{ [key: string]: Json } | undefined} params @param {ActionContext} context */
function filledParams(params = {}, context) {
  return Object.fromEntries(Object.entries(params).map(([key, value]) => [key, filled(value, context)]));
}

/**
 * Puts the ids at hand where a scenario says "$threadId" or "$turnId".
 * @param {Json | undefined} value
 * @param {ActionContext} context
 * @returns {unknown}
 */
function filled(value, context) {
  if (value === "$threadId") return context.threadId;
  if (value === "$turnId") return context.turn?.id;
  if (Array.isArray(value)) return value.map((inner) => filled(inner, context));
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([key, inner]) => [key, filled(inner, context)]));
}
