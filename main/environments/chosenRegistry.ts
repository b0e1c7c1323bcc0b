// What the person has set for an environment, checked before it is kept, and made into a registry.

import { isAbsolute } from "node:path";
import type { RegistryView } from "../../preload/contract/environments";
import { Fault } from "../fault";
import { redactText } from "../redact";
import { describeIssues, isSafeForSecrets } from "./client/executorTarget";
import { Secret, tokenLook } from "./client/secret";
import type { CommandRegistryOptions } from "./registries/commandRegistry";
import { makeRegistry } from "./registries/makeRegistry";
import {
  defaultLookupMs,
  type Registry,
  type RegistryConfig,
  registryConfigSchema,
} from "./registries/registry";

/** The token that is sent to an address which the person has set. Registry files and commands name theirs. */
export const usualToken = "token";

/** As it is kept, without spaces around what was typed. Throws Fault `environment_invalid`. */
export function checkedRegistry(registry: RegistryView, tokenNames: readonly string[]): RegistryView {
  const tidy = tidied(registry);
  if (tidy.kind === "local") return tidy;
  checkTexts(tidy);
  const config = configOf(tidy, tokenNames.includes(usualToken));
  const { success, error } = registryConfigSchema.safeParse(config);
  if (!success) throw invalid(describeIssues(error), hints[tidy.kind]);
  // It is kept in clear, and shown. That there is a password in it has been said above, in words of its own.
  if (tidy.kind === "fixed" && redactText(tidy.url) !== tidy.url) {
    throw invalid("there is a secret in the address", "Leave it out there, and enter it as the token.");
  }
  if (tidy.kind === "file" && !isAbsolute(tidy.path)) {
    throw invalid(`"path" must be a full path`, "Choose the file, or write its path from the root on.");
  }
  return tidy;
}

/** Throws Fault `token_invalid` or `token_unsafe`. */
export function checkedToken(registry: RegistryView, name: string, text: string): Secret {
  const token = readToken(text);
  if (registry.kind === "fixed" && name === usualToken && !isSafeForSecrets(registry.url)) throw unsafe();
  return token;
}

/** Throws Fault `token_invalid`. Spaces and line ends around it, as they are copied along, are taken off. */
export function readToken(text: string): Secret {
  const token = text.trim();
  if (tokenLook.test(token)) return new Secret(token);
  const problem = "This is not a token: it is empty, or has spaces or special characters in it.";
  throw new Fault("token_invalid", problem, { hint: "Copy it again, all of it and nothing else." });
}

/** Never a local one: for those there is `LocalServers`. `hasToken` is asked at each lookup, so that a new token holds from the next. */
export function chosenRegistry(
  registry: Exclude<RegistryView, { kind: "local" }>,
  hasToken: () => boolean,
  options: CommandRegistryOptions,
): Registry {
  const config = configOf(registry, false);
  if (registry.kind !== "fixed") return makeRegistry(config, options);
  return {
    deadlineMs: defaultLookupMs,
    lookUp: (signal, resuming) =>
      makeRegistry(configOf(registry, hasToken()), options).lookUp(signal, resuming),
  };
}

function configOf(registry: Exclude<RegistryView, { kind: "local" }>, hasToken: boolean): RegistryConfig {
  switch (registry.kind) {
    case "fixed":
      return {
        kind: "fixed",
        url: registry.url,
        identity: registry.identity ?? undefined,
        credential: hasToken ? { stored: usualToken } : null,
      };
    case "file":
    case "command":
      return registry;
    default:
      return registry satisfies never;
  }
}

function tidied(registry: RegistryView): RegistryView {
  switch (registry.kind) {
    case "local":
      return registry;
    case "fixed": {
      const identity = registry.identity?.trim() ?? "";
      return { ...registry, url: registry.url.trim(), identity: identity === "" ? null : identity };
    }
    case "file":
      return { ...registry, path: registry.path.trim() };
    case "command":
      return { ...registry, command: registry.command.trim() };
    default:
      return registry satisfies never;
  }
}

const hints = {
  fixed: "Write the address of the exec-server, such as ws://127.0.0.1:4711.",
  file: "Choose a file that says where the environment is.",
  command: "Write a command that prints where the environment is, and its arguments.",
} as const;

/** The system takes none of it with a NUL in it. */
function checkTexts(registry: Exclude<RegistryView, { kind: "local" }>): void {
  const texts =
    registry.kind === "fixed"
      ? [registry.url]
      : registry.kind === "file"
        ? [registry.path]
        : [registry.command, ...registry.args];
  if (texts[0] === "") throw invalid("nothing is written there", hints[registry.kind]);
  if (texts.some((text) => text.includes("\0"))) throw invalid("there is a NUL in it", hints[registry.kind]);
}

function invalid(problem: string, hint: string): Fault {
  return new Fault("environment_invalid", `The environment cannot be found this way: ${problem}.`, { hint });
}

function unsafe(): Fault {
  return new Fault(
    "token_unsafe",
    "A token is not sent to another machine over a line that others can read.",
    { hint: "Use an address that begins with wss://, or a tunnel that begins on this machine." },
  );
}
