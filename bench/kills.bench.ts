// What is left after fifty random kills: of an app-server, of main, of a renderer, of the watchdog, of a tool's process, each
// in the middle of a turn that runs a command. After each kill Holdfast must be usable again with one app-server; at the
// end it is quit, and everything that is still there is counted.

import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, type Page } from "@playwright/test";
import { createCodexHome } from "../e2e/support/codexHome";
import { message, reply, shell, startModelServer } from "../e2e/support/modelServer";
import { type NewEyes, openNewEyes, untilLoaded } from "../e2e/support/newEyes";
import { chromiumOf, commandsWith, endProcesses, type Process } from "../e2e/support/processes";
import { BenchHome, type Started } from "./homes";
import type { Measurement } from "./measurement";

const kills = 50;
const victims = ["app-server", "main", "renderer", "watchdog", "tool"] as const;
type Victim = (typeof victims)[number];
/** The same order of victims in every run. */
const seed = 20_240_607;
/** One goes on without its parent when codex is killed. */
const command = "setsid sleep 4713 & sleep 4714";

const measurement: Measurement = {
  title: `After ${kills} random kills and a quit`,
  async measure(context) {
    const model = await startModelServer();
    model.handle((request) =>
      request.outputsSinceUser.length > 0
        ? reply(message("It has ended."))
        : reply(shell(command, { yieldTimeMs: 30_000 })),
    );
    const codexHome = await createCodexHome({ baseUrl: model.baseUrl });
    // Commands run outside the sandbox, which would take them along when it ends.
    const config = readFileSync(codexHome.configPath, "utf8");
    writeFileSync(
      codexHome.configPath,
      config.replace('"on-request"', '"never"').replace('"workspace-write"', '"danger-full-access"'),
    );
    const home = new BenchHome(context, { CODEX_HOME: codexHome.path });
    const run = new KillingRun(home);
    try {
      const recoveriesMs = await run.killAll();
      const left = home.processes().length;
      const notGone = home.ledger.notGone().length;
      const owed = home.ledger.openCleanups().length;
      const sockets = readdirSync(join(home.path, "sockets")).length;
      return [
        ...victims.map((victim) => ({
          name: `until usable again, killed: ${victim}`,
          unit: "ms" as const,
          samples: recoveriesMs.get(victim) ?? [],
        })),
        { name: "processes left", unit: "count", samples: [left] },
        { name: "handles not gone", unit: "count", samples: [notGone] },
        { name: "cleanups owed", unit: "count", samples: [owed] },
        { name: "sockets left", unit: "count", samples: [sockets] },
      ];
    } finally {
      home.remove();
      await model.close();
      await codexHome.remove();
    }
  },
};

class KillingRun {
  readonly #home: BenchHome;
  readonly #folder: string;
  #started: Started | null = null;
  #eyes: NewEyes | null = null;

  constructor(home: BenchHome) {
    this.#home = home;
    this.#folder = home.folder("atlas");
  }

  /** How long each took to be usable again, by what was killed. */
  async killAll(): Promise<Map<Victim, number[]>> {
    const recoveriesMs = new Map<Victim, number[]>();
    const random = randomFrom(seed);
    let started = await this.#start();
    for (let kill = 0; kill < kills; kill += 1) {
      await this.#work(kill);
      const victim = victims[Math.floor(random() * victims.length)] ?? "main";
      // Taking leave of a page that had crashed may take the driver half a minute: not a part of what is measured.
      if (victim === "main") await this.#leaveEyes();
      const begin = performance.now();
      if (victim === "main") {
        await this.#home.kill(started);
        started = await this.#start();
      } else {
        await this.#kill(victim, started);
      }
      // For a page that was killed, main says when it is back: looking at it anew takes its own time.
      if (victim !== "renderer") await this.#untilUsable();
      recoveriesMs.set(victim, [...(recoveriesMs.get(victim) ?? []), performance.now() - begin]);
      if (victim === "renderer") {
        await this.#leaveEyes();
        this.#eyes = await openNewEyes(started.app, this.#home.path);
        await this.#untilUsable();
      }
    }
    await this.#leaveEyes();
    await this.#home.end(started);
    return recoveriesMs;
  }

  async #start(): Promise<Started> {
    const started = await this.#home.launch([this.#folder]);
    // After several crashes of a page in short time the person is asked whether to load it again.
    await started.app.evaluate(({ dialog }) => {
      dialog.showMessageBox = async () => ({ response: 0, checkboxChecked: false });
    });
    this.#started = started;
    return started;
  }

  get #page(): Page {
    const page = this.#eyes?.page ?? this.#started?.page;
    if (!page) throw new Error("there is no page");
    return page;
  }

  /** A new thread whose turn runs a command. */
  async #work(index: number): Promise<void> {
    const page = this.#page;
    const before = new Set(this.#tools().map((one) => one.pid));
    await page.getByRole("button", { name: "New thread", exact: true }).click();
    await page.getByRole("textbox", { name: "Message" }).fill(`Work ${index}.`);
    await page.getByRole("button", { name: "Send", exact: true }).click();
    await expect
      .poll(() => this.#tools().filter((one) => !before.has(one.pid)).length, { timeout: 30_000 })
      .toBeGreaterThanOrEqual(2);
  }

  async #kill(victim: Exclude<Victim, "main">, { app }: Started): Promise<void> {
    switch (victim) {
      case "app-server":
        endProcesses(commandsWith(" app-server ", this.#home.processes()));
        return;
      case "renderer": {
        const crashed = this.#page.waitForEvent("crash");
        endProcesses(
          chromiumOf(app.process().pid ?? 0).filter(({ command }) => /--type=renderer/.test(command)),
        );
        await crashed;
        await untilLoaded(app);
        return;
      }
      case "watchdog":
        endProcesses(commandsWith("watchdog", this.#home.processes()));
        return;
      case "tool":
        endProcesses(this.#tools().slice(0, 1));
        return;
      default:
        victim satisfies never;
    }
  }

  /** Connected, with one app-server, the one on record; where automatic restarts have stopped, a person goes on. */
  async #untilUsable(): Promise<void> {
    const page = this.#page;
    const session = page.getByRole("status", { name: "Session" });
    await expect
      .poll(
        async () => {
          const again = page.getByRole("button", { name: "Try again" }).first();
          // It may be gone before it is pressed; then it was not needed.
          if (await again.isVisible()) await again.click({ timeout: 1_000 }).catch(() => {});
          const [handle, ...others] = this.#home.ledger.notGone();
          const pids = commandsWith(" app-server ", this.#home.processes()).map(({ pid }) => pid);
          return {
            connected: (await session.textContent())?.startsWith("connected") ?? false,
            onRecord: others.length === 0 && handle?.state === "running" && pids.includes(handle.pid ?? 0),
            servers: pids.length,
          };
        },
        { timeout: 60_000 },
      )
      .toEqual({ connected: true, onRecord: true, servers: 1 });
  }

  #tools(): Process[] {
    return commandsWith("sleep 471", this.#home.processes()).filter(({ command }) => /^sleep /.test(command));
  }

  async #leaveEyes(): Promise<void> {
    await this.#eyes?.close();
    this.#eyes = null;
  }
}

/** mulberry32: small, and the same everywhere. */
function randomFrom(start: number): () => number {
  let state = start;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  };
}

export default measurement;
