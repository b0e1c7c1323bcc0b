// Answers what a window asks of settings: Holdfast's own, and codex's configuration.
//
// A race: the person's config.toml changes between reading and writing. codex compares the version that was read with the
// file before it writes; one that says something else by now is left alone, and that is told. (Only what it says counts:
// comments that have come meanwhile are no conflict, and they stay.)

import { join } from "node:path";
import { type Json, keyPathOf, viewConfig } from "../codex/config/configView";
import { configFault } from "../codex/configProblem";
import { RpcFault } from "../codex/rpcFault";
import { asFault, Fault } from "../fault";
import type { Connection } from "../supervisor/connection";
import { forgetConfig } from "../threads/effectiveConfig";
import type { BackendCall, Handlers } from "./backend";
import type { Core } from "./core";

type SettingsCall = Extract<BackendCall, `settings.${string}` | `codexConfig.${string}` | "codex.check">;

const done = { done: true } as const;
const deadlineMs = 15_000;

export function settingsHandlers(core: Core, home: string): Handlers<SettingsCall> {
  /** The person's own codex, and the folder that it is asked about. Never the demo's, which has a home of its own. */
  const place = async (
    workspaceId: string | null,
  ): Promise<{ connection: Connection; cwd: string | null }> => {
    const workspace = core.workspaces.list().find(({ id }) => id === workspaceId);
    if (!workspace || workspace.demo || workspace.gone) {
      return { connection: await core.anyUserConnection(), cwd: null };
    }
    const own = core.sessions.connection(workspace.id);
    return { connection: own ?? (await core.anyUserConnection()), cwd: workspace.path };
  };
  return {
    async "settings.set"(change) {
      core.setSettings(change);
      return done;
    },
    async "settings.places"() {
      const { connection } = await place(null);
      return {
        home,
        logs: join(home, "logs"),
        ledger: join(home, "holdfast.db"),
        codexHome: connection.facts.codexHome,
      };
    },
    async "codexConfig.read"({ workspaceId }) {
      const { connection, cwd } = await place(workspaceId);
      const answer = await connection.client
        .request("config/read", { includeLayers: true, cwd }, { deadlineMs })
        .catch(throwInWords);
      core.account.configurationRead();
      return viewConfig(answer);
    },
    async "codexConfig.write"({ workspaceId, path, value, version }) {
      const { connection } = await place(workspaceId);
      const keyPath = keyPathOf(path);
      core.log.info("a key of codex's configuration is written", { keyPath });
      try {
        const answer = await connection.client.request(
          "config/value/write",
          { keyPath, value, mergeStrategy: "replace", expectedVersion: version },
          { deadlineMs },
        );
        configWritten(core);
        const { overriddenMetadata: over } = answer;
        const effective = (over?.effectiveValue ?? null) as Json;
        return {
          outcome: "written",
          file: answer.filePath,
          overridden: over && { message: over.message, effective },
        };
      } catch (error) {
        if (isConflict(error)) return { outcome: "behind" };
        return throwInWords(error);
      }
    },
    async "codex.check"({ path }) {
      return core.locator.check(path);
    },
  };
}

/** A path is taken only if it is a codex that can be started. Null: it is looked for. Throws Fault `codex_unusable`. */
export async function chooseCodex(core: Core, path: string | null): Promise<void> {
  if (path !== null) {
    const { usable, outcome } = await core.locator.check(path);
    if (!usable) {
      throw new Fault("codex_unusable", `${path} ${outcome}.`, {
        hint: "The codex in use stays as it is. Give the full path of a codex program that can be started.",
        retryable: true,
      });
    }
  }
  core.setSettings({ codexPath: path });
}

/** What is known of codex's configuration is asked for again. */
function configWritten(core: Core): void {
  for (const id of core.sessions.live) {
    const connection = core.sessions.connection(id);
    if (connection) forgetConfig(connection);
  }
  core.configFaults.forget();
  core.account.refresh().catch((error: unknown) => {
    core.log.info("the account could not be read", { error: asFault(error).code });
  });
}

function isConflict(error: unknown): boolean {
  if (!(error instanceof RpcFault)) return false;
  const { data } = error;
  const code =
    typeof data === "object" && data !== null && "config_write_error_code" in data
      ? data.config_write_error_code
      : null;
  return code === "configVersionConflict";
}

/** A broken file is named with its line; everything else is said as codex says it. */
function throwInWords(error: unknown): never {
  const said = configFault(error);
  if (!said) throw error;
  if (error instanceof RpcFault && isRefusedValue(error)) {
    throw new Fault("config_refused", `codex refuses this value: ${said.message.replace(/^[^:]*: /, "")}`, {
      hint: "Nothing was written.",
      cause: error,
    });
  }
  throw said;
}

function isRefusedValue({ data }: RpcFault): boolean {
  return (
    typeof data === "object" &&
    data !== null &&
    "config_write_error_code" in data &&
    data.config_write_error_code === "configValidationError"
  );
}
