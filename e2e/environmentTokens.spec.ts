// Tokens of environments: given once, used, and found in clear nowhere in what Holdfast writes down; with a key store and
// without one.

import { mkdtemp, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { startExecServer, type TestExecServer } from "../main/environments/client/testExecServer";
import { test as base, expect, type Holdfast } from "./support/app";
import { EnvironmentsPage } from "./support/environmentsPage";
import { hasKeyRing, type KeyRing, startKeyRing, usesKeyRing } from "./support/keyRing";

const token = "a-token-that-nobody-may-see-0123456789";

const test = base.extend<{ server: TestExecServer; keyRing: (name: string) => Promise<KeyRing> }>({
  /** Takes this token and no other. */
  server: async ({ sandbox }, use) => {
    const folder = await mkdtemp(path.join(tmpdir(), "holdfast-token-"));
    const file = path.join(folder, "token");
    await writeFile(file, token);
    const server = await startExecServer(["--ws-auth", "capability-token", "--ws-token-file", file]);
    await rm(folder, { recursive: true });
    await use(server);
    await sandbox.endAll();
    await server.stop();
  },
  keyRing: async ({ sandbox }, use) => {
    const folder = await mkdtemp(path.join(tmpdir(), "holdfast-keys-"));
    const endings: (() => Promise<void>)[] = [];
    await use(async (name) => {
      const keyRing = await startKeyRing(path.join(folder, name));
      endings.push(() => keyRing.end());
      return keyRing;
    });
    await sandbox.endAll();
    for (const end of endings) await end();
    await rm(folder, { recursive: true });
  },
});

/** Every file of this Holdfast, its windows' and codex's among them, with the token in it in one way or another. */
async function filesWithToken(...folders: string[]): Promise<string[]> {
  const forms = [
    token,
    Buffer.from(token, "utf16le").toString("latin1"),
    Buffer.from(token).toString("base64").slice(0, -4),
  ];
  const found: string[] = [];
  for (const folder of folders) {
    for (const entry of await readdir(folder, { recursive: true, withFileTypes: true })) {
      if (!entry.isFile()) continue;
      const file = path.join(entry.parentPath, entry.name);
      // One that has just gone has nothing in it.
      const content = await readFile(file, "latin1").catch(() => "");
      if (forms.some((form) => content.includes(form))) found.push(file);
    }
  }
  return found;
}

async function addWithToken(holdfast: Holdfast, server: TestExecServer): Promise<EnvironmentsPage> {
  const page = new EnvironmentsPage(holdfast);
  await page.open();
  await page.button("Add by address, file or command…").click();
  await page.dialog.getByRole("textbox", { name: "Name", exact: true }).fill("build-box");
  await page.dialog.getByRole("textbox", { name: "Address" }).fill(server.url);
  await page.dialog.getByLabel("Token", { exact: true }).fill(token);
  await page.dialog.getByRole("button", { name: "Add and check" }).click();
  await expect(page.state).toContainText(/^connected/);
  return page;
}

test("without a key store a token is kept for one run, and nothing of it is written down", async ({
  sandbox,
  codexHome,
  holdfast,
  server,
}) => {
  const page = await addWithToken(holdfast, server);
  await expect(page.section("Tokens")).toContainText("until Holdfast ends: this machine has no key store");
  await page.tab("Files").click();
  await expect(page.files).toBeVisible();
  expect(await filesWithToken(sandbox.root, codexHome.path)).toEqual([]);
  expect(await holdfast.page.content()).not.toContain(token);

  await sandbox.end(holdfast);
  const later = new EnvironmentsPage(await sandbox.launch({ environment: { CODEX_HOME: codexHome.path } }));
  await later.open();
  expect(await filesWithToken(sandbox.root, codexHome.path)).toEqual([]);
  await later.tab("Overview").click();
  await expect(later.section("Tokens")).toContainText("cannot be read any more, set it again");
  await later.button("Check").click();
  await expect(later.state).toHaveText("failed");
});

test("with a key store a token is there again after a restart, and only that key store gives it out", async ({
  sandbox,
  codexHome,
  keyRing,
  server,
}) => {
  test.skip(!hasKeyRing, "There is no key store here: `npm test` fetches one where apt-get can.");
  const codex = { CODEX_HOME: codexHome.path };
  const own = { environment: { ...codex, ...(await keyRing("own")).environment }, preloads: usesKeyRing };
  const holdfast = await sandbox.launch(own);
  const page = await addWithToken(holdfast, server);
  await expect(page.section("Tokens")).toContainText("in this machine's key store");
  expect(await filesWithToken(sandbox.root, codexHome.path)).toEqual([]);

  await sandbox.end(holdfast);
  const second = await sandbox.launch(own);
  const later = new EnvironmentsPage(second);
  await later.open();
  await later.button("Check").click();
  await expect(later.state).toContainText(/^connected/);
  await expect(later.section("Tokens")).toContainText("in this machine's key store");
  expect(await filesWithToken(sandbox.root, codexHome.path)).toEqual([]);

  // Another key store, as on another machine or for another person.
  const other = { environment: { ...codex, ...(await keyRing("other")).environment }, preloads: usesKeyRing };
  await sandbox.end(second);
  const last = new EnvironmentsPage(await sandbox.launch(other));
  await last.open();
  await last.button("Check").click();
  await expect(last.state).toHaveText("failed");
  await expect(last.section("Tokens")).toContainText("cannot be read any more, set it again");
});
