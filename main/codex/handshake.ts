// The first words on every connection: who we are, and who answers.

import { Fault } from "../fault";
import type { RpcClient } from "./rpcClient";

export interface HandshakeOptions {
  /** Holdfast's own version. */
  version: string;
  deadlineMs?: number;
  signal?: AbortSignal;
}

export interface CodexIdentity {
  /** Null when codex does not say it in a way that is known. */
  codexVersion: string | null;
  userAgent: string;
  /** Full path of the folder with codex's configuration and threads. */
  codexHome: string;
  platformFamily: string;
  platformOs: string;
}

/** Rejects as a request does, and with Fault `not_codex` when the answer is not one that codex gives. */
export async function handshake(client: RpcClient, options: HandshakeOptions): Promise<CodexIdentity> {
  const { version, deadlineMs, signal } = options;
  const answer: Partial<Record<keyof CodexIdentity, unknown>> | null = await client.request(
    "initialize",
    {
      clientInfo: { name: "holdfast", title: "Holdfast", version },
      capabilities: { experimentalApi: true, requestAttestation: false },
    },
    { deadlineMs, signal },
  );
  const text = (value: unknown) => (typeof value === "string" ? value : "");
  const userAgent = text(answer?.userAgent);
  if (userAgent === "") {
    throw new Fault("not_codex", "What answers there is not a codex that Holdfast can work with.", {
      hint: "Update codex, or choose another one in Settings.",
    });
  }
  client.notify("initialized");
  return {
    codexVersion: versionOf(userAgent),
    userAgent,
    // Versions before it was added leave it out.
    codexHome: text(answer?.codexHome),
    platformFamily: text(answer?.platformFamily),
    platformOs: text(answer?.platformOs),
  };
}

/** `holdfast/0.171.0 (Debian 12.0.0; x86_64) xterm (holdfast; 0.1.0)`: the name is ours, the first version is codex's. */
export function versionOf(userAgent: string): string | null {
  return /^[^(]*?\/(\d+\.\d+\.\d+(?:[-+][0-9A-Za-z.-]+)?)(?=\s|$)/.exec(userAgent)?.[1] ?? null;
}
