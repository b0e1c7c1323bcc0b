// The demo: a scripted model server in Holdfast, and what codex needs to use it instead of a real one.
//
// An app-server outlives Holdfast, with the address and the token that it was started with. So both are kept, and taken again
// at the next start: an app-server that is found alive then has its model back. When another program holds the port by then,
// a new one is taken, and that app-server's turns fail until it is started anew.

import { randomBytes } from "node:crypto";
import { existsSync } from "node:fs";
import { readFile } from "node:fs/promises";
import path from "node:path";
import { z } from "zod";
import type { Clock } from "../clock";
import type { Log } from "../log";
import { demoScript } from "./demoScript";
import { naturalPace, type Pace } from "./demoSpeech";
import {
  type DemoFolders,
  demoFolders,
  demoModel,
  demoProvider,
  prepareDemo,
  privateFile,
  tokenVariable,
} from "./demoWorkspace";
import type { Script } from "./responseSteps";
import { type ResponsesServer, startResponsesServer } from "./responsesServer";

export interface DemoOptions {
  /** HOLDFAST_HOME. */
  home: string;
  clock: Clock;
  log: Log;
  pace?: Pace;
}

export interface Demo {
  workspacePath: string;
  /** CODEX_HOME for the demo's codex. */
  codexHome: string;
  /** Each to be given to codex after a `-c`. */
  configOverrides: string[];
  /** To be added to codex's environment; it holds a secret. */
  environment: Record<string, string>;
  /** Ends the model server; open turns fail. */
  close(): Promise<void>;
}

/** Fails with `demo_unusable` or `model_server_failed`. */
export async function startDemo(options: DemoOptions): Promise<Demo> {
  const folders = demoFolders(options.home);
  await prepareDemo(folders, options.log);
  const script = demoScript({
    pace: options.pace ?? naturalPace,
    hasGit: () => existsSync(path.join(folders.workspacePath, ".git")),
  });
  const { server, token } = await startServer(folders, script, options);
  return {
    workspacePath: folders.workspacePath,
    codexHome: folders.codexHome,
    configOverrides: [`model_providers.${demoProvider}.base_url=${JSON.stringify(server.baseUrl)}`],
    environment: { [tokenVariable]: token },
    close: () => server.close(),
  };
}

const addressSchema = z.object({ port: z.int().min(1).max(65_535), token: z.string().min(32) });

async function startServer(
  folders: DemoFolders,
  script: Script,
  { clock, log }: DemoOptions,
): Promise<{ server: ResponsesServer; token: string }> {
  const file = path.join(folders.root, "model-server.json");
  const earlier = await readAddress(file);
  const token = earlier?.token ?? randomBytes(32).toString("base64url");
  const start = (port: number) =>
    startResponsesServer({ script, clock, log, token, port, models: [demoModel] });
  if (earlier) {
    try {
      return { server: await start(earlier.port), token };
    } catch {
      log.warn("demo: the port of the last start is taken; a new one is used", { port: earlier.port });
    }
  }
  const server = await start(0);
  try {
    await privateFile(file, `${JSON.stringify({ port: server.port, token })}\n`);
  } catch (error) {
    // Only a later start would have used it.
    log.warn("demo: the address of the model server could not be kept", { detail: String(error) });
  }
  return { server, token };
}

async function readAddress(file: string): Promise<z.infer<typeof addressSchema> | null> {
  try {
    return addressSchema.parse(JSON.parse(await readFile(file, "utf8")));
  } catch {
    // Missing, damaged or another version's: a new one is made.
    return null;
  }
}
