// One home over several starts of Holdfast, for what happens between them.

import { mkdirSync, mkdtempSync, realpathSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { ElectronApplication, Page } from "@playwright/test";
import { execa } from "execa";
import { LedgerView } from "../e2e/support/ledger";
import {
  describeProcess,
  endProcesses,
  type Process,
  processesOfHandle,
  processesOfHome,
} from "../e2e/support/processes";
import { launchElectron } from "./electronRuns";
import type { MeasurementContext } from "./measurement";

export interface Started {
  app: ElectronApplication;
  page: Page;
}

export class BenchHome {
  readonly path: string;
  readonly ledger: LedgerView;
  readonly #root = realpathSync(mkdtempSync(join(tmpdir(), "holdfast-bench-home-")));
  readonly #context: MeasurementContext;
  readonly #environment: Record<string, string>;

  constructor(context: MeasurementContext, environment: Record<string, string>) {
    this.#context = context;
    this.path = join(this.#root, "holdfast");
    this.ledger = new LedgerView(this.path);
    const inherited = ["PATH", "DISPLAY", "XAUTHORITY", "WAYLAND_DISPLAY"].flatMap((name) =>
      process.env[name] === undefined ? [] : [[name, process.env[name] ?? ""]],
    );
    this.#environment = {
      ...Object.fromEntries(inherited),
      LANG: "C.UTF-8",
      HOME: this.folder("user"),
      TMPDIR: this.folder("tmp"),
      HOLDFAST_HOME: this.path,
      ...environment,
    };
  }

  /** A folder beside the home, made if need be. */
  folder(name: string): string {
    const path = join(this.#root, name);
    mkdirSync(path, { recursive: true });
    return path;
  }

  async launch(args: readonly string[]): Promise<Started> {
    const { app } = await launchElectron(
      this.#context,
      [this.#context.projectRoot, ...args],
      this.#environment,
    );
    return { app, page: await app.firstWindow() };
  }

  /** Opens a folder in the app that runs, as a second start of it does. */
  async handOver(folder: string): Promise<void> {
    const { electronExecutable, electronArguments, projectRoot } = this.#context;
    await execa(electronExecutable, [...electronArguments, projectRoot, folder], {
      env: this.#environment,
      extendEnv: false,
      timeout: 30_000,
    });
  }

  /** Kills main; Chromium's processes notice, and agents go on. */
  async kill({ app }: Started): Promise<void> {
    await this.#untilGone(app, () => app.process().kill("SIGKILL"));
  }

  /** Quits as the system does at log-out, where nobody is asked. */
  async end({ app }: Started): Promise<void> {
    await this.#untilGone(app, () => app.process().kill("SIGTERM"));
  }

  /** Everything of this home that runs, and everything that belongs to one of its handles. */
  processes(): Process[] {
    const all = [...processesOfHome(this.path), ...this.ledger.everyHandle().flatMap(processesOfHandle)];
    return [...new Map(all.map((one) => [one.pid, one])).values()];
  }

  /** Throws when something is left. */
  expectClean(): void {
    const left = this.processes().map(describeProcess);
    if (left.length > 0) throw new Error(`left behind: ${left.join("; ")}`);
  }

  /** Ends what is left, and removes everything. */
  remove(): void {
    endProcesses(this.processes());
    rmSync(this.#root, { recursive: true, force: true, maxRetries: 5, retryDelay: 50 });
  }

  #untilGone(app: ElectronApplication, end: () => void): Promise<void> {
    const child = app.process();
    if (child.exitCode !== null || child.signalCode !== null) return Promise.resolve();
    return new Promise((resolve) => {
      child.once("exit", () => resolve());
      end();
    });
  }
}
