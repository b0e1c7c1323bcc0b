// For tests: changes something in a process that is killed, at one of its steps on the disk or from outside.

import { createRequire } from "node:module";
import { systemClock } from "../../clock";
import { openLedger } from "../../ledger/openLedger";
import { silentLog } from "../../log";
import { Cleanups } from "../../supervisor/cleanups";
import { Changes } from "./changes";
import type { NewCommit } from "./commit";

interface Task {
  ledger: string;
  folder: string;
  environment: NodeJS.ProcessEnv;
  /** Files to be discarded, the discard to be brought back, or a job of the name `job`. */
  does: { discard: string[] } | { undo: string } | { commit: NewCommit } | { push: string };
  /** It dies at this step, before or after it is done; 0: at none. */
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
  cleanups: new Cleanups({
    ledger: ledger.cleanups,
    clock: systemClock,
    log: silentLog,
    random: Math.random,
    changed: () => {},
  }),
  committed: () => {},
  tell: () => {},
});
function begin(): Promise<unknown> {
  if ("discard" in does) return changes.discard("w", does.discard);
  if ("undo" in does) return changes.undoDiscard("w", does.undo);
  if ("commit" in does) return changes.commit("w", "job", does.commit);
  return changes.push("w", "job", does.push);
}

void begin().then(() => ledger.close());
