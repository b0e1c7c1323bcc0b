// What a scenario can make the fake do, at any moment or inside a turn (those are in turnActions.mjs). Every action is an object
// with one key that names it; scenario.ts has the list.

import { existsSync } from "node:fs";
import { setTimeout as delay } from "node:timers/promises";
import { orStopped } from "./stopping.mjs";
import { turnActions } from "./turnActions.mjs";

const gatePollMs = 10;
const maxGateMs = 120_000;

const generalActions = {
  notify({ notify: method, params }, context) {
    context.fake.notify(method, filled(params ?? {}, context), context.threadId ?? null);
  },

  async request({ request: method, params, id, wait = true }, context) {
    const { answered } = context.fake.request(method, filled(params ?? {}, context), {
      threadId: context.threadId ?? null,
      id,
    });
    if (wait) await orStopped(answered, context);
  },

  raw({ raw }, context) {
    context.fake.sendRaw(raw, context.threadId ?? null);
  },

  async wait({ wait: ms }, { signal }) {
    await delay(ms, undefined, { signal });
  },

  /** Goes on when the test has opened the gate: a file of that name in HOLDFAST_FAKE_GATES. */
  async gate({ gate: name }, { fake, signal }) {
    fake.journal.write({ event: "gate", name });
    const file = `${fake.gateFolder}/${name}`;
    for (let waitedMs = 0; !existsSync(file); waitedMs += gatePollMs) {
      if (waitedMs >= maxGateMs) throw new Error(`Nobody opened the gate ${name}.`);
      await delay(gatePollMs, undefined, { signal });
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

/** Performs actions in order. Throws an AbortError when the turn they belong to is stopped. */
export async function actAll(actions, context) {
  for (const action of actions) {
    const name = Object.keys(action).find((key) => key in generalActions || key in turnActions);
    if (name === undefined) throw new Error(`The fake codex cannot do ${JSON.stringify(action)}`);
    context.signal?.throwIfAborted();
    await (generalActions[name] ?? turnActions[name])(action, context);
  }
}

/** Puts the ids of this turn where a scenario says "$threadId" or "$turnId". */
function filled(value, context) {
  if (value === "$threadId") return context.threadId;
  if (value === "$turnId") return context.turn?.id;
  if (Array.isArray(value)) return value.map((inner) => filled(inner, context));
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([key, inner]) => [key, filled(inner, context)]));
}
