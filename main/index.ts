// Where Electron begins: loads the rest the fast way. What that is, is wired in app.ts.

import { loadThroughCodeCache } from "./shell/codeCache";

const folder = import.meta.dirname;
const codeCache = loadThroughCodeCache(folder);
// Before Electron can be ready: what was required is run to its end first.
void import("./app").then(({ start }) => start(folder, codeCache));
