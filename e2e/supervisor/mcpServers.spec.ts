// MCP servers that do not work are shown as what they are, and hold up neither the start nor the resume of a thread.

import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { test as base, expect, type Holdfast } from "../support/app";
import { message, reply } from "../support/modelServer";
import { commandsWith, processesOfHandle } from "../support/processes";

interface Guarded {
  url: string;
  /** How often it was asked. */
  asked(): number;
}

const test = base.extend<{ guarded: Guarded }>({
  // biome-ignore lint/correctness/noEmptyPattern: Playwright wants the pattern to see which fixtures are used.
  guarded: async ({}, use) => {
    let asked = 0;
    const server = createServer((_request, response) => {
      asked += 1;
      response.writeHead(401, { "WWW-Authenticate": "Bearer" }).end();
    });
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
    const { port } = server.address() as AddressInfo;
    await use({ url: `http://127.0.0.1:${port}/mcp`, asked: () => asked });
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
  },
  codexHomeOptions: async ({ guarded }, use) => {
    await use({
      extraLines: [
        "[mcp_servers.missing]",
        'command = "/nowhere/no-such-server"',
        "[mcp_servers.silent]",
        'command = "sleep"',
        'args = ["600"]',
        // Longer than the test may take: as long as it runs, this server has not said a word.
        "startup_timeout_sec = 900",
        "[mcp_servers.guarded]",
        `url = "${guarded.url}"`,
      ],
    });
  },
});

function server(holdfast: Holdfast, name: string) {
  return holdfast.page
    .getByRole("tabpanel", { name: "Progress" })
    .getByRole("region", { name: "MCP servers" })
    .getByRole("listitem")
    .filter({ hasText: name });
}

async function expectStates(holdfast: Holdfast): Promise<void> {
  await holdfast.tab("Progress").click();
  await expect(server(holdfast, "missing")).toContainText("failed");
  await expect(server(holdfast, "guarded")).toContainText(/needs login|failed/);
  await expect(server(holdfast, "silent")).toContainText("starting");
}

test("a thread starts, and is resumed, while one MCP server is missing, one is silent and one refuses", async ({
  sandbox,
  codexHome,
  model,
  guarded,
}) => {
  const environment = { CODEX_HOME: codexHome.path };
  const first = await sandbox.launch({ environment });
  model.queue(reply(message("Without their help.")));
  await first.newThread();
  await first.send("Do it alone.");
  await expect(first.conversation).toContainText("Without their help.");
  await expect(first.thread(/^Do it alone\., idle/)).toBeVisible();
  await expectStates(first);
  expect(guarded.asked()).toBeGreaterThan(0);
  const handle = await sandbox.ledger.onlyRunning();
  expect(commandsWith("sleep 600", processesOfHandle(handle))).not.toEqual([]);
  await sandbox.end(first);

  const second = await sandbox.launch({ environment });
  await expect(second.conversation).toContainText("Without their help.");
  model.queue(reply(message("Alone again.")));
  await second.send("And once more.");
  await expect(second.conversation).toContainText("Alone again.");
  await expect(second.thread(/^Do it alone\., idle/)).toBeVisible();
  await expectStates(second);
});
