import { describe, expect, it } from "vitest";
import type { RegistryView } from "../../../preload/contract/environments";
import { environmentView } from "../testEnvironments";
import {
  addressProblem,
  addressWarning,
  changedIn,
  draftOf,
  type EnvironmentDraft,
  emptyDraft,
  fieldOf,
  freeName,
  problemsOf,
  registryOf,
  tokensOf,
} from "./draft";

const draft = (part: Partial<EnvironmentDraft>): EnvironmentDraft => ({
  ...emptyDraft(part.kind ?? "fixed", []),
  name: "box",
  ...part,
});
const fault = (code: string, message = "No.") => ({ code, message, retryable: false });

describe("an address", () => {
  it.each([
    ["ws://box.example:4711", true],
    ["ws://10.0.0.1:4711", true],
    ["wss://box.example", false],
    ["ws://127.0.0.1:4711", false],
    ["ws://localhost:4711", false],
    ["ws://[::1]:4711", false],
    ["box", false],
    ["", false],
  ])("%j warns that others can read along: %s", (address, warns) => {
    expect(addressWarning(address) !== null).toBe(warns);
  });
});

describe("what is typed for an environment", () => {
  it("is what is set, without the blanks around it", () => {
    expect(registryOf(draft({ kind: "fixed", url: " ws://a:1 ", identity: " " }))).toEqual({
      kind: "fixed",
      url: "ws://a:1",
      identity: null,
    });
    expect(registryOf(draft({ kind: "file", path: " /a b " }))).toEqual({ kind: "file", path: "/a b" });
    expect(registryOf(draft({ kind: "local" }))).toEqual({ kind: "local" });
  });

  it("takes each line for an argument as it is", () => {
    const args = '--name\nbuild box\n\n  "quoted" \r\n$HOME';
    expect(registryOf(draft({ kind: "command", command: "where", args }))).toEqual({
      kind: "command",
      command: "where",
      args: ["--name", "build box", '  "quoted" ', "$HOME"],
    });
  });

  it("comes back from what is set as it was", () => {
    const registries: RegistryView[] = [
      { kind: "local" },
      { kind: "fixed", url: "wss://box", identity: "box" },
      { kind: "file", path: "/a.json" },
      { kind: "command", command: "/bin/where", args: ["a b", "c"] },
    ];
    for (const registry of registries) {
      const view = environmentView({ name: "box", registry });
      expect(registryOf(draftOf(view))).toEqual(registry);
      expect(draftOf(view).name).toBe("box");
    }
  });

  it("leaves what was not touched as another window has set it meanwhile", () => {
    const file = (path: string) => ({ kind: "file", path }) as const;
    const before = environmentView({ name: "box", registry: file("/a.json") });
    const now = environmentView({ name: "renamed", registry: file("/b.json") });
    const first = draftOf(before);
    expect(changedIn(first, before, now)).toEqual({ name: "renamed", registry: file("/b.json") });
    expect(changedIn({ ...first, path: "/c.json" }, before, now)).toEqual({
      name: "renamed",
      registry: file("/c.json"),
    });
    expect(changedIn({ ...first, name: " mine " }, before, now)).toEqual({
      name: "mine",
      registry: file("/b.json"),
    });
  });

  it("gives tokens only to the kind that has them", () => {
    const tokens = [
      { name: " box ", token: "t" },
      { name: "", token: "" },
    ];
    const all = { token: "secret", tokens };
    expect(tokensOf(draft({ kind: "fixed", ...all }))).toEqual([{ name: "token", token: "secret" }]);
    expect(tokensOf(draft({ kind: "file", ...all }))).toEqual([{ name: "box", token: "t" }]);
    expect(tokensOf(draft({ kind: "local", ...all }))).toEqual([]);
  });

  it("names one on this machine so that it differs from the others", () => {
    expect(freeName("This machine", [])).toBe("This machine");
    expect(freeName("This machine", [{ name: "this machine" }, { name: "This machine 2" }])).toBe(
      "This machine 3",
    );
  });
});

describe("what is wrong with it", () => {
  it("is said for what is missing", () => {
    expect(Object.keys(problemsOf(draft({ kind: "fixed", name: " " })))).toEqual(["name", "url"]);
    expect(Object.keys(problemsOf(draft({ kind: "file" })))).toEqual(["path"]);
    expect(Object.keys(problemsOf(draft({ kind: "command" })))).toEqual(["command"]);
    expect(problemsOf(draft({ kind: "local" }))).toEqual({});
  });

  it("is said for an address that is none", () => {
    expect(addressProblem("ws://127.0.0.1:4711", true)).toBeNull();
    expect(addressProblem("nowhere", false)).toContain("no address");
    expect(addressProblem("http://box", false)).toContain("ws://");
    expect(addressProblem("ws://ada:secret@box", false)).not.toContain("secret");
  });

  it("is said for a token that others could read on the way", () => {
    expect(addressProblem("ws://box:1", false)).toBeNull();
    expect(addressProblem("ws://box:1", true)).toContain("wss://");
    expect(addressProblem("wss://box", true)).toBeNull();
    expect(addressProblem("ws://127.0.0.1.example:1", true)).not.toBeNull();
    expect(addressProblem("ws://[::1]:1", true)).toBeNull();
  });

  it("is said for a program with its arguments, not for one with blanks in its path", () => {
    expect(problemsOf(draft({ kind: "command", command: "where --json" })).command).toContain("arguments");
    expect(problemsOf(draft({ kind: "command", command: "/Applications/Where Is/where" }))).toEqual({});
  });

  it("is said for half a token", () => {
    expect(
      problemsOf(draft({ kind: "file", path: "/a", tokens: [{ name: "a", token: "" }] })).tokens,
    ).toBeTruthy();
    expect(problemsOf(draft({ kind: "file", path: "/a", tokens: [{ name: "", token: "" }] }))).toEqual({});
  });

  it("is said at the field that main's words are about", () => {
    expect(fieldOf(fault("environment_name_taken"), draft({}))).toBe("name");
    expect(fieldOf(fault("environment_invalid", '"url" is not an address'), draft({}))).toBe("url");
    expect(fieldOf(fault("environment_invalid", '"identity" is too long'), draft({}))).toBe("identity");
    expect(fieldOf(fault("environment_invalid"), draft({ kind: "file" }))).toBe("path");
    expect(fieldOf(fault("token_invalid"), draft({}))).toBe("token");
    expect(fieldOf(fault("token_unsafe"), draft({ kind: "command" }))).toBe("tokens");
    expect(fieldOf(fault("port_closed"), draft({}))).toBeNull();
    expect(fieldOf(fault("token_invalid"), draft({ kind: "local" }))).toBeNull();
  });
});
