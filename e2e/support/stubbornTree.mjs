// Processes that cannot be ended for good: each carries a handle's marker, and when one is ended another takes its place at
// once. This program itself carries no marker, so no handle owns it. Told to end, it leaves what it has started behind.
//   node stubbornTree.mjs HANDLE_ID COUNT

import { spawn } from "node:child_process";

const [handleId = "", count = "1"] = process.argv.slice(2);
const environment = { ...process.env, HOLDFAST_HANDLE: handleId };

function startOne() {
  const child = spawn("sleep", ["86400"], { env: environment, stdio: "ignore", detached: true });
  child.once("exit", startOne);
  return new Promise((resolve) => child.once("spawn", resolve));
}

await Promise.all(Array.from({ length: Number(count) }, startOne));
process.stdout.write("ready\n");
