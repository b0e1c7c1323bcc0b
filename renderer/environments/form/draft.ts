// What is typed to add or to change an environment, and what is wrong with it. Pure. Main has the last word; what is looked
// at here can be said before it is asked.

import type { EnvironmentView, RegistryView } from "../../../preload/contract/environments";
import type { FaultView } from "../../../preload/contract/fault";

export type RegistryKind = RegistryView["kind"];

/** All fields of all kinds, so that changing the kind to and fro loses nothing of what was typed. */
export interface EnvironmentDraft {
  kind: RegistryKind;
  name: string;
  url: string;
  identity: string;
  path: string;
  command: string;
  /** One on each line. */
  args: string;
  /** For a fixed address. */
  token: string;
  /** For a file or a command, whose answers name tokens. */
  tokens: readonly { name: string; token: string }[];
}

export type DraftField = "name" | "url" | "identity" | "path" | "command" | "args" | "token" | "tokens";

export const kinds: readonly { kind: RegistryKind; label: string; description: string }[] = [
  {
    kind: "local",
    label: "On this machine",
    description: "Holdfast runs an exec-server here and ends it with what runs in it.",
  },
  {
    kind: "fixed",
    label: "At an address",
    description: "An exec-server that always listens at the same address.",
  },
  {
    kind: "file",
    label: "Named by a file",
    description: "A JSON file says where it is. Another program rewrites it when that changes.",
  },
  {
    kind: "command",
    label: "Named by a command",
    description: "A program on this machine prints the same JSON. It is run whenever that is asked.",
  },
];

/** Not "This machine": a thread that is in no environment runs there too, and would not be told apart. */
export const localName = "Local";

/** The name under which the token for a fixed address is kept. */
export const fixedTokenName = "token";

export function emptyDraft(kind: RegistryKind, others: readonly EnvironmentView[]): EnvironmentDraft {
  return {
    kind,
    name: kind === "local" ? freeName(localName, others) : "",
    url: "",
    identity: "",
    path: "",
    command: "",
    args: "",
    token: "",
    tokens: [],
  };
}

export function draftOf({ name, registry }: EnvironmentView): EnvironmentDraft {
  const draft = { ...emptyDraft(registry.kind, []), name };
  switch (registry.kind) {
    case "local":
      return draft;
    case "fixed":
      return { ...draft, url: registry.url, identity: registry.identity ?? "" };
    case "file":
      return { ...draft, path: registry.path };
    case "command":
      return { ...draft, command: registry.command, args: registry.args.join("\n") };
    default:
      return registry satisfies never;
  }
}

/** What was not touched since the form was opened is as it is now: another window may have changed it. */
export function changedIn(draft: EnvironmentDraft, before: EnvironmentView, now: EnvironmentView) {
  const first = draftOf(before);
  const registry = registryOf(draft);
  const isSame = JSON.stringify(registry) === JSON.stringify(registryOf(first));
  return {
    name: draft.name === first.name ? now.name : draft.name.trim(),
    registry: isSame ? now.registry : registry,
  };
}

/** "Local", "Local 2", ... */
export function freeName(wanted: string, others: readonly Pick<EnvironmentView, "name">[]): string {
  const taken = new Set(others.map(({ name }) => name.toLowerCase()));
  for (let number = 1; ; number += 1) {
    const name = number === 1 ? wanted : `${wanted} ${number}`;
    if (!taken.has(name.toLowerCase())) return name;
  }
}

export function registryOf(draft: EnvironmentDraft): RegistryView {
  switch (draft.kind) {
    case "local":
      return { kind: "local" };
    case "fixed":
      return { kind: "fixed", url: draft.url.trim(), identity: draft.identity.trim() || null };
    case "file":
      return { kind: "file", path: draft.path.trim() };
    case "command":
      return { kind: "command", command: draft.command.trim(), args: argumentsOf(draft.args) };
    default:
      return draft.kind satisfies never;
  }
}

/** A line is an argument as it is, blanks and quotes too. Empty lines are none. */
export function argumentsOf(text: string): string[] {
  return text.split(/\r?\n/).filter((line) => line !== "");
}

export function tokensOf(draft: EnvironmentDraft): { name: string; token: string }[] {
  switch (draft.kind) {
    case "local":
      return [];
    case "fixed":
      return draft.token === "" ? [] : [{ name: fixedTokenName, token: draft.token }];
    case "file":
    case "command":
      return draft.tokens
        .filter(({ name, token }) => name.trim() !== "" && token !== "")
        .map(({ name, token }) => ({ name: name.trim(), token }));
    default:
      return draft.kind satisfies never;
  }
}

export type Problems = Partial<Record<DraftField, string>>;

export function problemsOf(draft: EnvironmentDraft): Problems {
  const problems: Problems = {};
  if (draft.name.trim() === "") problems.name = "Give it a name.";
  switch (draft.kind) {
    case "local":
      break;
    case "fixed": {
      const problem = addressProblem(draft.url.trim(), draft.token !== "");
      if (problem !== null) problems.url = problem;
      break;
    }
    case "file":
      if (draft.path.trim() === "") problems.path = "Say which file.";
      break;
    case "command":
      if (draft.command.trim() === "") problems.command = "Say which program.";
      else if (/^\S+\s+\S/.test(draft.command.trim()) && !/[/\\]/.test(draft.command)) {
        problems.command = "Only the program; its arguments belong below, one on each line.";
      }
      break;
    default:
      return draft.kind satisfies never;
  }
  if ((draft.kind === "file" || draft.kind === "command") && draft.tokens.some(isHalf)) {
    problems.tokens = "A token needs a name and its text.";
  }
  return problems;
}

function isHalf({ name, token }: { name: string; token: string }): boolean {
  return (name.trim() === "") !== (token === "");
}

export function addressProblem(text: string, hasToken: boolean): string | null {
  if (text === "") return "Say where it listens.";
  if (!URL.canParse(text)) return "This is no address. It looks like ws://127.0.0.1:4711";
  const { protocol, username, password, hostname } = new URL(text);
  if (protocol !== "ws:" && protocol !== "wss:") return "It has to begin with ws:// or wss://";
  if (username !== "" || password !== "") return "It must have no name or password in it.";
  if (hasToken && protocol === "ws:" && !isThisMachine(hostname)) {
    return "A token is only sent over wss://, or to this machine: others could read it on the way.";
  }
  return null;
}

/** It is taken, and the person should know what it means. */
export function addressWarning(text: string): string | null {
  if (addressProblem(text, false) !== null) return null;
  const { protocol, hostname } = new URL(text);
  if (protocol === "wss:" || isThisMachine(hostname)) return null;
  return "This address is not encrypted: anybody on that network could read and change what is sent. Better are wss://, or a tunnel.";
}

function isThisMachine(hostname: string): boolean {
  return hostname === "localhost" || hostname === "[::1]" || /^127(\.\d{1,3}){3}$/.test(hostname);
}

/** The field that main's words are about; null: none of them. */
export function fieldOf({ code, message }: FaultView, { kind }: EnvironmentDraft): DraftField | null {
  switch (code) {
    case "environment_name_taken":
    case "environment_name_invalid":
      return "name";
    case "token_invalid":
    case "token_unsafe":
      return kind === "local" ? null : kind === "fixed" ? "token" : "tokens";
    case "environment_invalid":
      if (kind === "fixed") return message.includes('"identity"') ? "identity" : "url";
      return kind === "local" ? null : kind === "file" ? "path" : "command";
    default:
      return null;
  }
}

/** What a file or a command has to say. */
export const exampleAnswer = `{
  "url": "ws://127.0.0.1:4711",
  "identity": "build-box",
  "credential": { "stored": "build-box" }
}`;
