// Double clicks on buttons in whose place another one stands a moment later.

import { expect } from "./support/app";
import { EnvironmentsPage } from "./support/environmentsPage";
import { test } from "./support/execServers";

/** As a hand does it: the second press comes when the first has had its effect. */
test("the second press of a double click on Start does not stop, and on Stop does not start", async ({
  holdfast,
  sandbox,
}) => {
  const page = new EnvironmentsPage(holdfast);
  const { mouse } = holdfast.page;
  await page.open();
  await page.button("Run one on this machine").click();
  await expect(page.state).toContainText(/^running/);
  const doubleClick = async (name: "Start" | "Stop", then: RegExp) => {
    const box = await page.button(name).boundingBox();
    if (box === null) throw new Error(`there is no button ${name}`);
    const [x, y] = [box.x + box.width / 2, box.y + box.height / 2];
    await mouse.click(x, y);
    await expect(page.state).toHaveText(then);
    await expect(page.button(name === "Start" ? "Stop" : "Start")).not.toHaveAttribute("aria-busy");
    await mouse.down({ clickCount: 2 });
    await mouse.up({ clickCount: 2 });
  };
  await doubleClick("Stop", /^stopped$/);
  await page.tab("Files").click();
  await page.tab("Overview").click();
  await expect(page.state).toHaveText("stopped");
  expect(sandbox.ledger.execServers(), "none was started again").toHaveLength(1);
  await doubleClick("Start", /^running/);
  await page.button("Check").click();
  await expect(page.state).toContainText(/^running · /);
  expect(await sandbox.ledger.onlyExecServer()).toMatchObject({ pid: expect.any(Number) });
  expect(sandbox.ledger.execServers()).toHaveLength(2);
});
