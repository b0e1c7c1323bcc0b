// What goes wrong around codex: it is said in words, nothing is lost, and there is a way on.

import { rename, writeFile } from "node:fs/promises";
import path from "node:path";
import { expect, test } from "./support/app";
import { createCodexHome } from "./support/codexHome";
import { failure, message, reply, startModelServer } from "./support/modelServer";

test("a codex that cannot be found: what was tried is listed, and a path set by hand works without a restart", async ({
  sandbox,
  codexHome,
}) => {
  const missing = path.join(sandbox.root, "user", "no-codex-here");
  const holdfast = await sandbox.launch({
    environment: { CODEX_HOME: codexHome.path, HOLDFAST_CODEX: missing },
  });
  const { page } = holdfast;
  await expect(page.getByText(missing).first()).toBeVisible();
  await expect(holdfast.button("Check again")).toBeVisible();
  // What was named is not there; once it is, checking again finds it.
  await writeFile(missing, "#!/bin/sh\necho codex-cli 0.0.1\n", { mode: 0o755 });
  await holdfast.button("Check again").click();
  await expect(holdfast.button("Check again")).toHaveCount(0);
});

test.describe("a config.toml with a syntax error", () => {
  const broken = 'model = "gpt-5"\nmodel_provider = "local"\n\n[model_providers.local\nname = "local"\n';

  test("is named with its line, left as it is, and the message is kept", async ({ sandbox }) => {
    const codexHome = await createCodexHome({ baseUrl: "http://127.0.0.1:9/v1", configToml: broken });
    const before = await codexHome.configHash();
    const holdfast = await sandbox.launch({ environment: { CODEX_HOME: codexHome.path } });
    await expect(holdfast.page.getByText(/config\.toml/).first()).toBeVisible();
    await expect(holdfast.page.getByText(/line 4/).first()).toBeVisible();
    await holdfast.newThread();
    await holdfast.send("Do not lose this.");
    await expect(holdfast.conversation).toContainText("Do not lose this.");
    await expect(holdfast.button("Send again")).toBeVisible();
    expect(await codexHome.configHash()).toBe(before);
    await sandbox.end(holdfast);
    await codexHome.remove();
  });
});

test("a folder that has gone: it is said, the transcript stays readable, and bringing it back is enough", async ({
  holdfast,
  model,
  sandbox,
}) => {
  model.queue(reply(message("The first answer.")));
  await holdfast.newThread();
  await holdfast.send("First.");
  await expect(holdfast.conversation).toContainText("The first answer.");
  await expect(holdfast.thread(/idle/)).toBeVisible();
  const elsewhere = `${sandbox.workspace}-moved`;
  await rename(sandbox.workspace, elsewhere);
  await holdfast.send("Second.");
  await expect(holdfast.page.getByText(/is not there/).first()).toBeVisible();
  await expect(holdfast.conversation).toContainText("The first answer.");
  await expect(holdfast.button("Send again")).toBeVisible();
  await rename(elsewhere, sandbox.workspace);
  model.queue(reply(message("The second answer.")));
  await holdfast.button("Send again").click();
  await expect(holdfast.conversation).toContainText("The second answer.");
});

test("a model server that refuses: the turn fails in words, and Retry sends the same message again", async ({
  holdfast,
  model,
}) => {
  model.queue(reply(failure(503, "No capacity today.")), reply(message("Now there is.")));
  await holdfast.newThread();
  await holdfast.send("Is there capacity?");
  await expect(holdfast.thread(/failed/)).toBeVisible();
  await expect(holdfast.conversation).toContainText(/503/);
  await holdfast.button("Retry").click();
  await expect(holdfast.conversation).toContainText("Now there is.");
  await expect(holdfast.article("You")).toHaveCount(2);
});

test("a model server that cannot be reached: the message stays, and Retry works once it is back", async ({
  sandbox,
}) => {
  const first = await startModelServer();
  const { port } = first;
  const codexHome = await createCodexHome({ baseUrl: first.baseUrl });
  await first.close();
  const holdfast = await sandbox.launch({ environment: { CODEX_HOME: codexHome.path } });
  await holdfast.newThread();
  await holdfast.send("Is anybody there?");
  // codex goes on trying by itself, for as long as it takes: that is a notice, not a failure.
  await expect(holdfast.conversation).toContainText(/reconnecting/i);
  await holdfast.button("Stop").click();
  await expect(holdfast.thread(/interrupted/)).toBeVisible();
  await expect(holdfast.conversation).toContainText("Is anybody there?");
  const back = await startModelServer({ port });
  back.queue(reply(message("Back again.")));
  await holdfast.button("Retry").click();
  await expect(holdfast.conversation).toContainText("Back again.");
  await sandbox.end(holdfast);
  await back.close();
  await codexHome.remove();
});
