// Everything that the fake answers.

import { RpcError } from "./rpcError.mjs";
import { staticAnswers } from "./staticAnswers.mjs";
import { threadMethods } from "./threadMethods.mjs";
import { queueMethods, turnMethods } from "./turnMethods.mjs";

const serverMethods = {
  initialize({ clientInfo }, { fake, state }) {
    if (state.initialized) throw new RpcError("Already initialized");
    state.initialized = true;
    state.clientName = clientInfo.name;
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

  ...Object.fromEntries(
    Object.entries(staticAnswers).map(([method, answer]) => [
      method,
      () => {
        if (answer instanceof RpcError) throw answer;
        return { result: answer };
      },
    ]),
  ),
};

export const methods = { ...serverMethods, ...threadMethods, ...turnMethods, ...queueMethods };
