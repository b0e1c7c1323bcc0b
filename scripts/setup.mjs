// `npm run setup`: everything that `npm start` does, short of starting.

import { runScript } from "./setup/report.mjs";
import { setUp } from "./setup/setup.mjs";

await runScript(async () => {
  await setUp("app");
  return 0;
});
