// Everything that the fake answers, by method.

/**
 * @import { Answer, Call, Methods } from "./fakeTypes"
 * @typedef {(params: object, call: Call) => Answer<unknown>} AnyMethod
 */

import { queueMethods } from "./queueMethods.mjs";
import { RpcError } from "./rpcError.mjs";
import { staticMethods } from "./staticMethods.mjs";
import { threadMethods } from "./threadMethods.mjs";
import { turnMethods } from "./turnMethods.mjs";

/** @type {Methods} */
const serverMethods = {
  initialize({ clientInfo }, { fake, client }) {
    if (client.initialized) throw new RpcError("Already initialized");
    client.initialized = true;
    client.name = clientInfo.name;
    const { name, version } = clientInfo;
    return {
      result: {
        userAgent: `${name}/${fake.scenario.version} (Fake 1.0.0; x86_64) fake (${name}; ${version})`,
        codexHome: fake.codexHome,
        platformFamily: "unix",
        platformOs: "linux",
      },
    };
  },
};

const all = { ...serverMethods, ...staticMethods, ...threadMethods, ...turnMethods, ...queueMethods };

/**
 * Parameters are taken as they come: what a client sends wrongly shows as a failure, in the log as a bug.
 * @type {ReadonlyMap<string, AnyMethod>}
 */
export const methods = new Map(Object.entries(/** @type {Record<string, AnyMethod>} */ (all)));
