// The way to an exec-server on another machine through ssh: what the person is to run there and here. Pure. Nothing of it is
// run by Holdfast; so a command has to be right and safe to paste whatever was typed: what could break out of it is
// refused, not quoted.

import type { EnvironmentView } from "../../../preload/contract/environments";

export interface WayDraft {
  host: string;
  user: string;
  /** Of ssh; empty: its usual one, or what its configuration says. */
  sshPort: string;
  /** Where the exec-server listens, on the other machine. */
  port: string;
  /** Where it can be reached on this machine. */
  localPort: string;
  name: string;
}

export type WayProblems = Partial<Record<keyof WayDraft, string>>;

const firstPort = 47_110;

export function emptyWay(others: readonly EnvironmentView[]): WayDraft {
  return {
    host: "",
    user: "",
    sshPort: "",
    port: String(firstPort),
    localPort: String(freePort(others)),
    name: "",
  };
}

/** The first from `firstPort` on that no environment on the list is reached through. */
export function freePort(others: readonly EnvironmentView[]): number {
  const taken = new Set(
    others.flatMap(({ registry }) =>
      registry.kind === "fixed" && URL.canParse(registry.url) ? [new URL(registry.url).port] : [],
    ),
  );
  let port = firstPort;
  while (taken.has(String(port))) port += 1;
  return port;
}

export function wayProblems(draft: WayDraft): WayProblems {
  const problems: WayProblems = {};
  const host = hostProblem(draft.host);
  if (host !== null) problems.host = host;
  const user = userProblem(draft.user);
  if (user !== null) problems.user = user;
  if (draft.sshPort !== "" && !isPort(draft.sshPort)) problems.sshPort = portWords;
  if (!isPort(draft.port)) problems.port = portWords;
  if (!isPort(draft.localPort)) problems.localPort = portWords;
  return problems;
}

const portWords = "A number from 1 to 65535.";

function isPort(text: string): boolean {
  return /^[1-9]\d{0,4}$/.test(text) && Number(text) <= 65_535;
}

/** A name, a number, or a name from ssh's own configuration. */
function hostProblem(host: string): string | null {
  if (host === "") return "Say which machine.";
  if (host.startsWith("-")) return "It must not begin with a dash: ssh would take it for an option.";
  const isName = /^[A-Za-z0-9_]([A-Za-z0-9._-]*[A-Za-z0-9_])?\.?$/.test(host);
  const isNumber = /^[0-9A-Fa-f:]*:[0-9A-Fa-f:.]+(%[A-Za-z0-9]+)?$/.test(host);
  if (!isName && !isNumber) return "Only letters, digits, dots, dashes and colons; no blanks, no quotes.";
  return null;
}

function userProblem(user: string): string | null {
  if (user === "") return null;
  if (user.startsWith("-")) return "It must not begin with a dash: ssh would take it for an option.";
  if (!/^[A-Za-z0-9_][A-Za-z0-9._-]*$/.test(user)) {
    return "Only letters, digits, dots, dashes and underscores; no blanks, no quotes.";
  }
  return null;
}

export const tokenFile = "~/.holdfast/token";

/** On the other machine: a token that only its owner can read. One that is there already is kept, and shown. */
export const makeTokenCommand = [
  "mkdir -p ~/.holdfast && chmod 700 ~/.holdfast &&",
  `  { [ -s ${tokenFile} ] || (umask 077; od -An -N32 -tx1 /dev/urandom | tr -d ' \\n' > ${tokenFile}); } &&`,
  `  chmod 600 ${tokenFile} && cat ${tokenFile}; echo`,
].join("\n");

/** On the other machine. Null: what it needs is not given, or not right. */
export function serveCommand(draft: WayDraft): string | null {
  if (wayProblems(draft).port !== undefined) return null;
  return [
    `codex exec-server --listen ws://127.0.0.1:${draft.port} \\`,
    `  --ws-auth capability-token --ws-token-file ${tokenFile}`,
  ].join("\n");
}

/** On this machine, in a terminal that stays open. Null: as above. */
export function tunnelCommand(draft: WayDraft): string | null {
  if (Object.keys(wayProblems(draft)).length > 0) return null;
  const { host, user, sshPort, port, localPort } = draft;
  return [
    "ssh -N -o ExitOnForwardFailure=yes -o ServerAliveInterval=15 -o ServerAliveCountMax=3 \\",
    `  -L 127.0.0.1:${localPort}:127.0.0.1:${port}${sshPort === "" ? "" : ` -p ${sshPort}`} -- ${user === "" ? "" : `${user}@`}${host}`,
  ].join("\n");
}

/** Where the tunnel ends on this machine. */
export function tunnelUrl({ localPort }: Pick<WayDraft, "localPort">): string | null {
  return isPort(localPort) ? `ws://127.0.0.1:${localPort}` : null;
}
