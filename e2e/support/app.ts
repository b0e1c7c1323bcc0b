// One Holdfast of a test's own: its home, its HOME, its folder for temporary files and its workspace are new; when the test
// is over, every process that carries this home in its environment, or belongs to a handle of its ledger, must be gone, and
// nothing may lie outside its folders.

import { execFileSync } from "node:child_process";
import { existsSync } from "node:fs";
import { mkdir, mkdtemp, readdir, realpath, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import {
  _electron,
  test as base,
  type ElectronApplication,
  expect,
  type Locator,
  type Page,
  type TestInfo,
} from "@playwright/test";
import { keepAnswers } from "./askedAgain";
import { type CodexHome, type CodexHomeOptions, createCodexHome } from "./codexHome";
import { ownDisplay } from "./displays";
import { LedgerView } from "./ledger";
import { type ModelServer, startModelServer } from "./modelServer";
import {
  chromiumOf,
  describeProcess,
  endProcesses,
  isAlive,
  type Process,
  processesOfHandle,
  processesOfHome,
} from "./processes";

export { expect } from "@playwright/test";

const projectFolder = path.resolve(import.meta.dirname, "..", "..");

export interface LaunchOptions {
  /** Arguments of `holdfast`; by default the workspace. */
  args?: string[];
  /** Scripts that Electron loads before the app. */
  preloads?: string[];
  environment?: Record<string, string>;
}

/** A running Holdfast with its first window, and the names that people find things by. */
export class Holdfast {
  readonly app: ElectronApplication;
  readonly page: Page;

  constructor(app: ElectronApplication, page: Page) {
    this.app = app;
    this.page = page;
  }

  get sidebar(): Locator {
    return this.page.getByRole("navigation", { name: "Workspaces" });
  }

  get conversation(): Locator {
    return this.page.getByRole("log", { name: "Conversation" });
  }

  get message(): Locator {
    return this.page.getByRole("textbox", { name: "Message" });
  }

  get approval(): Locator {
    return this.page.getByRole("group", { name: "Approval request" });
  }

  get session(): Locator {
    return this.page.getByRole("status", { name: "Session" });
  }

  get pendingCleanup(): Locator {
    return this.page.getByRole("status", { name: "Pending cleanup" });
  }

  tab(name: string): Locator {
    return this.page.getByRole("tablist", { name: "Inspector" }).getByRole("tab", { name });
  }

  button(name: string): Locator {
    return this.page.getByRole("button", { name, exact: true });
  }

  article(kind: string): Locator {
    return this.conversation.getByRole("article", { name: kind, exact: true });
  }

  thread(name: string | RegExp): Locator {
    return this.sidebar.getByRole("treeitem", { name });
  }

  workspace(name: string): Locator {
    return this.sidebar.getByRole("treeitem", { name: new RegExp(`^${name}\\b`), level: 1 });
  }

  /** Main has loaded everything by then: what a driver asks of it while it does can get lost among what is cleared away. */
  async ready(): Promise<void> {
    await expect(this.page.getByRole("button").first()).toBeVisible();
  }

  /** Through the menu of the session in the status bar. */
  async restartCodex(): Promise<void> {
    await this.session.getByRole("button").click();
    await this.page.getByRole("menuitem", { name: "Restart codex" }).click();
  }

  async newThread(): Promise<void> {
    await this.button("New thread").click();
    await expect(this.message).toBeFocused();
  }

  async send(text: string): Promise<void> {
    await this.message.fill(text);
    await this.button("Send").click();
  }
}

export class Sandbox {
  readonly root: string;
  readonly workspace: string;
  readonly home: string;
  readonly ledger: LedgerView;
  readonly #running = new Set<ElectronApplication>();
  readonly #beforeEnding: () => Promise<void>;

  private constructor(root: string, testInfo: TestInfo) {
    this.root = root;
    let isShown = false;
    this.#beforeEnding = async () => {
      if (testInfo.status === testInfo.expectedStatus || isShown) return;
      isShown = true;
      await this.#showState(testInfo);
    };
    this.workspace = path.join(root, "atlas");
    this.home = path.join(root, "holdfast");
    this.ledger = new LedgerView(this.home);
  }

  static async make(testInfo: TestInfo): Promise<Sandbox> {
    const root = await realpath(await mkdtemp(path.join(tmpdir(), "holdfast-e2e-")));
    const sandbox = new Sandbox(root, testInfo);
    for (const folder of ["user", "tmp", "atlas"]) await mkdir(path.join(root, folder));
    await writeFile(path.join(sandbox.workspace, "README.md"), "# Atlas\n\nA small project.\n");
    await writeFile(path.join(sandbox.workspace, "limits.txt"), "burst = 50\n");
    execFileSync("git", ["init", "--quiet", "--initial-branch=main", sandbox.workspace]);
    return sandbox;
  }

  /** A folder for what a test needs besides. */
  get temporary(): string {
    return path.join(this.root, "tmp");
  }

  async launch(options: LaunchOptions = {}): Promise<Holdfast> {
    const app = await _electron.launch({
      args: [
        ...(process.getuid?.() === 0 ? ["--no-sandbox"] : []),
        ...(options.preloads ?? []).flatMap((script) => ["-r", script]),
        projectFolder,
        ...(options.args ?? [this.workspace]),
      ],
      env: { ...this.environment(), ...options.environment },
      timeout: 30_000,
    });
    keepAnswers(app);
    this.#running.add(app);
    app.process().once("exit", () => this.#running.delete(app));
    return new Holdfast(app, await app.firstWindow());
  }

  environment(): Record<string, string> {
    const inherited = ["PATH", "DISPLAY", "XAUTHORITY", "WAYLAND_DISPLAY", "HOLDFAST_TEST_RUN"];
    const kept = inherited.flatMap((name) => {
      const value = process.env[name];
      return value === undefined ? [] : [[name, value] as const];
    });
    return {
      ...Object.fromEntries(kept),
      ...ownDisplay(),
      LANG: "C.UTF-8",
      HOME: path.join(this.root, "user"),
      TMPDIR: path.join(this.root, "tmp"),
      HOLDFAST_HOME: this.home,
    };
  }

  /** Ends a Holdfast as the system does at log-out: nobody is asked. */
  async end(holdfast: Holdfast): Promise<void> {
    await endApp(holdfast.app, "SIGTERM");
  }

  /** Ends it without giving it a chance. Chromium's processes notice by themselves, whatever goes on without Holdfast. */
  async kill(holdfast: Holdfast): Promise<void> {
    const { pid } = holdfast.app.process();
    const chromium = pid === undefined ? [] : chromiumOf(pid);
    expect(chromium.length, "Chromium's processes").toBeGreaterThan(0);
    await endApp(holdfast.app, "SIGKILL");
    await expect
      .poll(() => chromium.filter((one) => isAlive(one.pid)).map(describeProcess), {
        message: "Chromium's processes after main was killed",
        timeout: 30_000,
      })
      .toEqual([]);
  }

  async endAll(): Promise<void> {
    await this.#beforeEnding();
    await Promise.all([...this.#running].map((app) => endApp(app, "SIGTERM")));
  }

  /** Ends what still runs, then proves that nothing is left. */
  async leave(): Promise<void> {
    await this.endAll();
    try {
      await expect
        .poll(() => this.processes().map(describeProcess), {
          message: "processes of this Holdfast",
          timeout: 30_000,
        })
        .toEqual([]);
    } finally {
      endProcesses(this.processes());
    }
    const own = ["atlas", "holdfast", "tmp", "user"];
    const strange = (await readdir(this.root)).filter((name) => !own.includes(name));
    expect(strange, "files outside the test's own folders").toEqual([]);
    await rm(this.root, { recursive: true, force: true, maxRetries: 5, retryDelay: 50 });
  }

  /** What a failed test leaves to be looked at: what each window says, and what main has written down. */
  async #showState(testInfo: TestInfo): Promise<void> {
    for (const page of [...this.#running].flatMap((app) => app.windows())) {
      const shown = await page
        .locator("body")
        .ariaSnapshot({ timeout: 5_000 })
        .catch((error: Error) => `The window cannot be looked at: ${error.message}`);
      const keyboard = await page
        .evaluate<string>(whatHasTheKeyboard)
        .catch((error: Error) => `cannot be told: ${error.message}`);
      const body = `The keyboard is on: ${keyboard}\n\n${shown}`;
      await testInfo.attach("window", { body, contentType: "text/plain" });
    }
    const log = path.join(this.home, "logs", "main.log");
    if (existsSync(log)) await testInfo.attach("main.log", { path: log, contentType: "text/plain" });
  }

  /** Everything of this Holdfast that runs, and everything that belongs to one of its handles. */
  processes(): Process[] {
    const all = [...processesOfHome(this.home), ...this.ledger.everyHandle().flatMap(processesOfHandle)];
    return [...new Map(all.map((one) => [one.pid, one])).values()];
  }
}

/** In the page: the element, and where it is. */
const whatHasTheKeyboard = `
  (document.hasFocus() ? "" : "(the page has no focus) ") +
    (document.activeElement?.cloneNode(false).outerHTML ?? "nothing")
`;

async function endApp(app: ElectronApplication, signal: "SIGTERM" | "SIGKILL"): Promise<void> {
  const child = app.process();
  if (child.exitCode !== null || child.signalCode !== null) return;
  const gone = new Promise((resolve) => child.once("exit", resolve));
  child.kill(signal);
  await gone;
}

interface Fixtures {
  sandbox: Sandbox;
  model: ModelServer;
  codexHome: CodexHome;
  codexHomeOptions: Omit<CodexHomeOptions, "baseUrl">;
  /** Started on the workspace, with the real codex and the scripted model. */
  holdfast: Holdfast;
}

export const test = base.extend<Fixtures>({
  // biome-ignore lint/correctness/noEmptyPattern: Playwright wants the pattern to see which fixtures are used.
  sandbox: async ({}, use, testInfo) => {
    const sandbox = await Sandbox.make(testInfo);
    await use(sandbox);
    await sandbox.leave();
  },
  // biome-ignore lint/correctness/noEmptyPattern: as above.
  model: async ({}, use) => {
    const model = await startModelServer();
    await use(model);
    await model.close();
  },
  codexHomeOptions: [{}, { option: true }],
  codexHome: async ({ model, codexHomeOptions, sandbox }, use) => {
    const codexHome = await createCodexHome({ baseUrl: model.baseUrl, ...codexHomeOptions });
    await use(codexHome);
    // A codex that still ran would make its files again.
    await sandbox.endAll();
    await codexHome.remove();
  },
  holdfast: async ({ sandbox, codexHome }, use) => {
    const holdfast = await sandbox.launch({ environment: { CODEX_HOME: codexHome.path } });
    await use(holdfast);
  },
});
