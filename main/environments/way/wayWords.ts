// What a person is told of the way's first steps, and what they can do.

import type { WayStep } from "../../../preload/contract/environments";
import type { ServerOutcome } from "./askServer";
import type { PortOutcome } from "./tryPort";

type Outcome = Omit<WayStep, "step">;

export const addressHint = "Write it as the exec-server has printed it, such as ws://127.0.0.1:4711.";

export function portStep(
  outcome: PortOutcome,
  { host, port, isHere }: { host: string; port: number; isHere: boolean },
): Outcome {
  const place = `port ${port} of ${isHere ? "this machine" : host}`;
  switch (outcome.kind) {
    case "listens":
      return { outcome: "ok", text: `Something listens at ${place}.`, hint: null };
    case "nothing listens":
      return failed(
        `Nothing listens at ${place}.`,
        isHere
          ? "Look whether the ssh tunnel is running, and whether it begins at this port."
          : "Look whether codex exec-server runs there, and whether it listens for other machines than its own.",
      );
    case "no answer":
      return failed(
        `There is no answer from ${place}.`,
        isHere
          ? "Look whether something on this machine blocks the connection."
          : "Look whether that machine is on, and whether a firewall is in the way. A tunnel with ssh needs only ssh's own port.",
      );
    case "no such machine":
      return failed(
        `There is no machine of the name ${host}.`,
        "Look for a mistake in the name, and whether this machine is in the network where that name is known.",
      );
    case "no way":
      return failed(
        `There is no way to ${place} (${outcome.problem}).`,
        "Look whether this machine is connected to the network of the other one.",
      );
    default:
      return outcome satisfies never;
  }
}

export function serverStep(
  outcome: ServerOutcome,
  { isHere, mayBeBehind }: { isHere: boolean; mayBeBehind: boolean },
): Outcome {
  const otherPort = "Look whether this is the port that codex exec-server has printed.";
  switch (outcome.kind) {
    case "exec-server":
      return { outcome: "ok", text: "An exec-server answers.", hint: null };
    case "app-server":
      return failed(
        "What answers is codex app-server, which is not for this.",
        "Start codex exec-server at a port of its own and use that one.",
      );
    case "other": {
      const text = `A web server answers there, not as an exec-server does (HTTP ${outcome.status}).`;
      if (mayBeBehind) return { outcome: "warning", text, hint: "The exec-server may be behind it." };
      return failed(text, otherPort);
    }
    case "silent":
      return failed("Something takes the connection and says nothing.", otherPort);
    case "no HTTP":
      return failed("Something answers there that is no exec-server.", otherPort);
    case "hangs up":
      return failed(
        "The connection is taken and closed again at once.",
        isHere
          ? "If a tunnel begins here, nothing listens at its other end: look whether codex exec-server runs there, and at that port."
          : otherPort,
      );
    case "certificate":
      return failed(
        `The certificate of that machine is not accepted: ${outcome.problem}.`,
        "Use the name that the certificate is for, and one that this system trusts.",
      );
    default:
      return outcome satisfies never;
  }
}

function failed(text: string, hint: string): Outcome {
  return { outcome: "failed", text, hint };
}
