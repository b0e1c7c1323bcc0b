// For tests: discards, or brings back, in a process that is killed at one of its steps on the disk.

import { createRequire } from "node:module";
import { systemClock } from "../../clock";
import { openLedger } from "../../ledger/openLedger";
import { silentLog } from "../../log";
import { Changes } from "./changes";

interface Task {
  ledger: string;
  folder: string;
  environment: NodeJS.ProcessEnv;
  /** Files to be discarded, or the discard to be brought back. */
  does: { discard: string[] } | { undo: string };
  /** It dies at this step, before or after it is done. */
  step: number;
  when: "before" | "after";
}

type Step = (...args: unknown[]) => Promise<unknown>;

const { ledger: path, folder, environment, does, step, when }: Task = JSON.parse(process.argv[2] ?? "");
const disk: Record<string, Step> = createRequire(process.execPath)("node:fs/promises");
let steps = 0;
const die = () => {
  process.kill(process.pid, "SIGKILL");
  return new Promise<never>(() => {});
};
for (const name of ["rename", "link", "unlink", "symlink", "mkdir", "rm"]) {
  const real = disk[name] as Step;
  disk[name] = async (...args) => {
    steps += 1;
    const isLast = steps === step;
    if (isLast && when === "before") return die();
    const result = await real(...args);
    return isLast ? die() : result;
  };
}

const { ledger } = openLedger({ path, clock: systemClock, log: silentLog });
const changes = new Changes({
  clock: systemClock,
  ledger,
  folder: async () => folder,
  environment: async () => environment,
  ask: async () => "",
});
const done = "discard" in does ? changes.discard("w", does.discard) : changes.undoDiscard("w", does.undo);
void done.then(() => ledger.close());
