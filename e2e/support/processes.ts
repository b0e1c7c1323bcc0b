// What runs on this machine, as /proc tells it: tests do not ask Holdfast whether something is left. Linux only, as are the
// tests that need it.

import { readFile } from "node:fs/promises";
import { end, inherited, listProcesses, type Process } from "../../scripts/setup/processes.mjs";

export { listProcesses, type Process } from "../../scripts/setup/processes.mjs";

/** The variable that everything which codex starts carries, except MCP servers. */
const handleMarker = "HOLDFAST_HANDLE";

/** A handle as the ledger knows it. */
export interface HandleRef {
  handleId: string;
  pid: number | null;
}

/** Everything that belongs to a handle: what carries its marker, and its leader's process session. */
export function processesOfHandle({ handleId, pid }: HandleRef): Process[] {
  return listProcesses().filter((one) => one.session === pid || inherited(one, handleMarker, handleId));
}

/** Of these, those whose command line holds the text. */
export function commandsWith(text: string, processes: Process[]): Process[] {
  return processes.filter((one) => one.command.includes(text));
}

/**
 * Everything that belongs to this HOLDFAST_HOME: what has it in its environment, and Chromium's own processes, which
 * overwrite theirs but name its folder on their command line.
 */
export function processesOfHome(home: string): Process[] {
  return listProcesses().filter(
    (one) => inherited(one, "HOLDFAST_HOME", home) || one.command.includes(`${home}/`),
  );
}

/** Chromium's processes below a main process: zygotes, the GPU's, the network's, the renderers. */
export function chromiumOf(mainPid: number): Process[] {
  const all = listProcesses();
  const below = new Set([mainPid]);
  for (let found = true; found; ) {
    const more = all.filter((one) => below.has(one.parent) && !below.has(one.pid));
    for (const one of more) below.add(one.pid);
    found = more.length > 0;
  }
  return all.filter((one) => below.has(one.pid) && / --type=/.test(one.command));
}

export function isAlive(pid: number): boolean {
  return listProcesses().some((one) => one.pid === pid);
}

/** For a failed test, so that it spoils no other. */
export function endProcesses(processes: Process[]): void {
  end(processes);
}

export function describeProcess({ pid, command }: Process): string {
  return `${pid} ${command.slice(0, 120)}`;
}

/** Those that carry a handle's marker and the marker of this run of tests. */
export async function markedOfRun(run: string): Promise<Process[]> {
  const found = await Promise.all(
    listProcesses().map(async (one) => {
      const environment = await readFile(`/proc/${one.pid}/environ`, "latin1").catch(() => "");
      const variables = environment.split("\0");
      const carries = variables.some((each) => each.startsWith(`${handleMarker}=`));
      return carries && variables.includes(`HOLDFAST_TEST_RUN=${run}`) ? [one] : [];
    }),
  );
  return found.flat();
}
