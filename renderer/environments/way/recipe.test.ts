import { execFileSync } from "node:child_process";
import { mkdtempSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { environmentView } from "../testEnvironments";
import {
  emptyWay,
  freePort,
  makeTokenCommand,
  serveCommand,
  tunnelCommand,
  tunnelUrl,
  type WayDraft,
  wayProblems,
} from "./recipe";

const way = (part: Partial<WayDraft> = {}): WayDraft => ({ ...emptyWay([]), host: "build-box", ...part });

describe("the commands for another machine", () => {
  it("serve that machine alone, with a token", () => {
    expect(serveCommand(way({ port: "4711" }))).toBe(
      "codex exec-server --listen ws://127.0.0.1:4711 \\\n  --ws-auth capability-token --ws-token-file ~/.holdfast/token",
    );
    expect(makeTokenCommand).toContain("umask 077");
  });

  it("open a tunnel from this machine alone, which ends when it cannot be", () => {
    const command = tunnelCommand(
      way({ user: "ada", host: "box.example", port: "4711", localPort: "4712", sshPort: "2222" }),
    );
    expect(command).toContain("-L 127.0.0.1:4712:127.0.0.1:4711 -p 2222 -- ada@box.example");
    expect(command).toContain("ExitOnForwardFailure=yes");
    expect(command).toContain("ServerAliveInterval=15");
  });

  it("leave out what is as ssh knows it", () => {
    const lines = tunnelCommand(way())?.split("\n") ?? [];
    expect(lines.at(-1)).toBe("  -L 127.0.0.1:47110:127.0.0.1:47110 -- build-box");
  });

  it("are not there while something of them is missing or wrong", () => {
    expect(tunnelCommand(way({ host: "" }))).toBeNull();
    expect(serveCommand(way({ port: "" }))).toBeNull();
    // What runs there does not depend on what is typed for here.
    expect(serveCommand(way({ host: "" }))).not.toBeNull();
    expect(tunnelUrl({ localPort: "0" })).toBeNull();
    expect(tunnelUrl({ localPort: "4712" })).toBe("ws://127.0.0.1:4712");
  });
});

describe("what is typed for another machine", () => {
  it.each(["build-box", "10.0.0.7", "box.example.", "my_alias", "fe80::1%eth0", "2001:db8::7"])(
    "may be %s",
    (host) => {
      expect(wayProblems(way({ host }))).toEqual({});
    },
  );

  it.each([
    "-oProxyCommand=x",
    "a b",
    "a;b",
    "a$(b)",
    "a`b`",
    "a'b",
    'a"b',
    "a\nb",
    "a&b",
    "a|b",
    "a\\b",
    "~a",
    "a@b",
    "[::1]",
    "*",
  ])("may not be %j: neither the machine nor the user can break out of the command", (text) => {
    expect(wayProblems(way({ host: text })).host).toBeDefined();
    expect(wayProblems(way({ user: text })).user).toBeDefined();
    expect(tunnelCommand(way({ host: text }))).toBeNull();
    expect(tunnelCommand(way({ user: text }))).toBeNull();
  });

  it.each(["0", "65536", "080", "1e3", "22 ", "-1", "4711;x", "४"])("has no port %j", (port) => {
    expect(wayProblems(way({ port })).port).toBeDefined();
    expect(wayProblems(way({ localPort: port })).localPort).toBeDefined();
    expect(wayProblems(way({ sshPort: port })).sshPort).toBeDefined();
  });

  it("makes a token once, and keeps one that is there", () => {
    const home = mkdtempSync(join(tmpdir(), "holdfast-token-"));
    try {
      const run = () => execFileSync("sh", ["-c", makeTokenCommand], { env: { ...process.env, HOME: home } });
      const made = run().toString();
      expect(made).toMatch(/^[0-9a-f]{64}\n$/);
      expect(run().toString()).toBe(made);
      const file = join(home, ".holdfast", "token");
      writeFileSync(file, "sesame\n");
      expect(run().toString()).toBe("sesame\n\n");
      expect(statSync(file).mode & 0o777).toBe(0o600);
      // An empty one is none.
      writeFileSync(file, "");
      expect(run().toString()).toMatch(/^[0-9a-f]{64}\n$/);
    } finally {
      rmSync(home, { recursive: true });
    }
  });

  it("begins with a port that no environment is reached through", () => {
    const at = (port: number) =>
      environmentView({ registry: { kind: "fixed", url: `ws://127.0.0.1:${port}`, identity: null } });
    expect(freePort([])).toBe(47_110);
    expect(freePort([at(47_110), at(47_111), at(47_113)])).toBe(47_112);
  });
});
