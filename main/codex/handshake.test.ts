import { describe, expect, it } from "vitest";
import { ManualClock } from "../clock";
import { silentLog } from "../log";
import { handshake, versionOf } from "./handshake";
import { openRpcClient } from "./rpcClient";
import type { TransportHandlers } from "./transport";

async function shake(result: unknown) {
  const sent: unknown[] = [];
  let handlers: TransportHandlers | null = null;
  const client = await openRpcClient(
    (given) => {
      handlers = given;
      return {
        send(text) {
          const message = JSON.parse(text) as { id?: number };
          sent.push(message);
          if (message.id !== undefined) handlers?.onMessage(JSON.stringify({ id: message.id, result }));
          return true;
        },
        close() {},
        bufferedBytes: 0,
      };
    },
    {
      clock: new ManualClock(),
      log: silentLog,
      random: () => 0,
      onNotification() {},
      onRequest: () => false,
      onClosed() {},
    },
  );
  return { sent, identity: handshake(client, { version: "0.1.0" }) };
}

describe("the handshake", () => {
  const userAgent = "holdfast/0.171.0 (Debian 12.0.0; x86_64) xterm (holdfast; 0.1.0)";

  it("says who we are, asks for the whole protocol, and tells who answers", async () => {
    const { sent, identity } = await shake({
      userAgent,
      codexHome: "/home/me/.codex",
      platformFamily: "unix",
      platformOs: "linux",
    });
    expect(await identity).toEqual({
      codexVersion: "0.171.0",
      userAgent,
      codexHome: "/home/me/.codex",
      platformFamily: "unix",
      platformOs: "linux",
    });
    expect(sent).toEqual([
      {
        id: 1,
        method: "initialize",
        params: {
          clientInfo: { name: "holdfast", title: "Holdfast", version: "0.1.0" },
          capabilities: { experimentalApi: true, requestAttestation: false },
        },
      },
      { method: "initialized" },
    ]);
  });

  it("tolerates what an older or newer codex leaves out", async () => {
    const { identity } = await shake({ userAgent: "codex" });
    expect(await identity).toMatchObject({ codexVersion: null, codexHome: "", platformOs: "" });
  });

  it("ends, without a second word, with what is no codex", async () => {
    for (const answer of [null, {}, { userAgent: 3 }, "hello"]) {
      const { sent, identity } = await shake(answer);
      await expect(identity).rejects.toMatchObject({ code: "not_codex" });
      expect(sent).toHaveLength(1);
    }
  });
});

describe("codex's version in its user agent", () => {
  it.each([
    ["holdfast/0.171.0 (Debian 12.0.0; x86_64) xterm (holdfast; 0.1.0)", "0.171.0"],
    ["codex_cli_rs/0.90.0-alpha.2 (Mac OS 15.1.0; arm64)", "0.90.0-alpha.2"],
    ["Codex Desktop/0.171.0 (x)", "0.171.0"],
    ["holdfast/0.171.0", "0.171.0"],
    ["holdfast (Debian/12.0.0)", null],
    ["", null],
  ])("%j is %j", (userAgent, version) => {
    expect(versionOf(userAgent)).toBe(version);
  });
});
