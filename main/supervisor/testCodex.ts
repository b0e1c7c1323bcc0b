// Real codex app-servers for tests: launched on a ledger and a home of the test's own.

import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { expect } from "vitest";
import { systemClock } from "../clock";
import { bundledBinary } from "../codex/codexPackage";
import type { Fault } from "../fault";
import type { Ledger } from "../ledger/ledger";
import { openLedger } from "../ledger/openLedger";
import { silentLog } from "../log";
import { launchCodex } from "./codexLaunch";
import type { CodexProcess, ProcessContext } from "./codexProcess";
import { markerVariable } from "./handleTree";
import type { LaunchProfile } from "./launchProfile";
import { ownedBy, systemProcessTable } from "./processTree";
import { type Recovered, recover } from "./recovery";
import { prepareSocketFolder } from "./socketFolder";

const project = resolve(import.meta.dirname, "..", "..");
export const quiet = { notification() {}, request() {}, closed() {} };

export class TestCodex {
  readonly root = mkdtempSync(join(tmpdir(), "holdfast-process-"));
  readonly ledger: Ledger;
  readonly context: ProcessContext;
  /** What was torn down, in order. */
  readonly teardowns: unknown[] = [];

  constructor() {
    const path = join(this.root, "holdfast.db");
    this.ledger = openLedger({ path, clock: systemClock, log: silentLog }).ledger;
    this.context = {
      version: "0.0.0",
      owner: this.root,
      handles: this.ledger.handles,
      clock: systemClock,
      log: silentLog,
      close: (process) => process.close(),
      tearDown: async (_handleId, _profileId, owed) => {
        if (owed !== null) this.teardowns.push(owed);
      },
      onStarted() {},
      onGone() {},
    };
  }

  profile(prepare?: LaunchProfile["prepare"]): LaunchProfile {
    return {
      id: "test",
      prepare:
        prepare ??
        (async () => ({
          workingDirectory: this.root,
          codexHome: this.root,
          configOverrides: ["features.plugins=false", "features.apps=false"],
          environment: {},
          teardown: "what was prepared",
        })),
      teardown: async () => {},
    };
  }

  async launch(
    choice: {
      profile?: LaunchProfile;
      path?: string;
      signal?: AbortSignal;
      context?: Partial<ProcessContext>;
      logs?: string;
    } = {},
  ): Promise<CodexProcess> {
    const bundled = await bundledBinary(project, { platform: process.platform, arch: process.arch });
    const path = choice.path ?? bundled ?? "no codex comes with this project";
    return launchCodex({
      ...this.context,
      ...choice.context,
      binary: { path, argsPrefix: [], origin: "bundled", version: null },
      profile: choice.profile ?? this.profile(),
      workspace: { id: "w", path: this.root },
      variables: { PATH: process.env.PATH ?? "", HOME: this.root },
      ownCodexHome: null,
      sockets: prepareSocketFolder(this.root),
      logs: choice.logs ?? this.root,
      threadUnloadSeconds: 60,
      signal: choice.signal ?? new AbortController().signal,
    });
  }

  /** What the next start of Holdfast would find. */
  recover(canAdopt = true): Recovered {
    return recover({
      records: this.ledger.handles.listNotGone(),
      context: this.context,
      canAdopt: () => canAdopt,
    });
  }

  /** How many processes carry the marker of this handle. */
  async marked(handleId: string): Promise<number> {
    const marker = { name: markerVariable, value: handleId };
    const rows = await ownedBy(
      { leader: null, processSessionId: null, marker },
      systemProcessTable(systemClock),
    );
    return rows.length;
  }

  /** Ends what a test has left, and proves that nothing is left then. */
  async leave(): Promise<void> {
    const { retired } = this.recover(false);
    const left: (Fault | null)[] = [];
    for (const { process } of [...retired.values()].flat()) left.push(await process.close());
    expect(left.filter((fault) => fault !== null)).toEqual([]);
    expect(this.ledger.handles.listNotGone()).toEqual([]);
    this.ledger.close();
    rmSync(this.root, { recursive: true, force: true });
  }
}
