// Turns of the fake, as clients ask for them.

/**
 * @import { Methods, RunningTurn } from "./fakeTypes"
 */

import { RpcError } from "./rpcError.mjs";
import { turnView } from "./shapes.mjs";
import { loadedThread } from "./store.mjs";
import { interruptTurn, startTurn, userMessage } from "./turns.mjs";

/** @type {Methods} */
export const turnMethods = {
  "turn/start"({ threadId, input, clientUserMessageId }, { fake }) {
    const thread = loadedThread(fake, threadId);
    if (thread.running) {
      // Like the real one: a start into a running turn steers it.
      const { turn, context } = thread.running;
      return {
        result: { turn: turnView(turn, "notLoaded") },
        afterwards: () => userMessage(context, input, clientUserMessageId),
      };
    }
    const { turn, play } = startTurn(fake, thread, input, clientUserMessageId);
    return { result: { turn }, afterwards: play };
  },

  "turn/steer"({ threadId, expectedTurnId, input, clientUserMessageId }, { fake }) {
    const { running } = loadedThread(fake, threadId);
    if (!running) throw new RpcError("no active turn to steer");
    expectTurn(running, expectedTurnId);
    return {
      result: { turnId: running.turn.id },
      afterwards: () => userMessage(running.context, input, clientUserMessageId),
    };
  },

  "turn/interrupt"({ threadId, turnId }, { fake }) {
    const thread = loadedThread(fake, threadId);
    if (!thread.running) throw new RpcError("no active turn to interrupt");
    expectTurn(thread.running, turnId);
    return { result: {}, afterwards: () => interruptTurn(thread) };
  },
};

/** @param {RunningTurn} running @param {string} expected */
function expectTurn({ turn }, expected) {
  if (turn.id !== expected) {
    throw new RpcError(`expected active turn id \`${expected}\` but found \`${turn.id}\``);
  }
}
