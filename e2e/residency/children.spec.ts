// A parent whose window has gone before the model starts a child (behaviour: Residency). The child is there all the same,
// neither is unloaded while one of them runs, and afterwards both are, in whichever order they end.

import { expect, test } from "../support/app";
import { expectNothingLoaded, loadedThreads, openCodexClient } from "../support/codexClient";
import {
  childsWords,
  featureLines,
  parentsWords,
  scriptFamily,
  startClock,
  untilUnloadIsDue,
} from "../support/family";
import { openWindow } from "../support/openWindow";

const recall = "Recall your previous reply.";

for (const { delay, first: firstToEnd } of [
  { delay: 0, first: "child" },
  { delay: 1, first: "parent" },
] as const) {
  test.describe(`an unload delay of ${delay} s`, () => {
    test.use({
      codexHomeOptions: { topLines: [`thread_unload_delay_secs = ${delay}`], extraLines: featureLines },
    });

    test(`a child is started after the parent's window has gone; the ${firstToEnd} ends first`, async ({
      holdfast: first,
      model,
      sandbox,
    }) => {
      const family = scriptFamily(model);
      const second = await openWindow(first);
      await startClock(second);
      await first.newThread();
      await first.send(family.toParent);
      await family.reached("spawn");
      const handle = await sandbox.ledger.onlyRunning();
      await first.page.close();
      family.release("spawn");
      await family.reached("child");
      family.release("spawned");
      await family.reached("parent");

      const parent = second.thread(/^Hand it on\./);
      const child = second.thread(/^child/);
      await expect(parent).toHaveAccessibleName(/, running/);
      await expect(child).toHaveAccessibleName(/, running/);
      await expect(child, "under its parent").toHaveAttribute("aria-level", "3");
      await untilUnloadIsDue(second);
      await expect(parent).toHaveAccessibleName(/, running/);
      await expect(child).toHaveAccessibleName(/, running/);
      expect(await loadedThreads(handle)).toHaveLength(2);

      const [one, other] = firstToEnd === "child" ? [child, parent] : [parent, child];
      family.release(firstToEnd);
      await expect(one).not.toHaveAccessibleName(/, running/);
      await expect(other).toHaveAccessibleName(/, running/);
      family.release("child", "parent");
      for (const row of [parent, child]) await expect(row).toHaveAccessibleName(/, not loaded/);
      await expectNothingLoaded(handle);

      await parent.click();
      await expect(second.article("Agent").first()).toHaveText(parentsWords);
      await child.click();
      await expect(second.article("Agent").first()).toHaveText(childsWords);
      expect(model.complaints).toEqual([]);
    });
  });
}

test.describe("an unload delay of 1 s", () => {
  test.use({ codexHomeOptions: { topLines: ["thread_unload_delay_secs = 1"], extraLines: featureLines } });

  test("a child that has answered long ago still knows what it said when its parent asks again", async ({
    holdfast: first,
    model,
    sandbox,
  }) => {
    const family = scriptFamily(model, { followUp: recall });
    const second = await openWindow(first);
    await startClock(second);
    await first.newThread();
    await first.send(family.toParent);
    await family.reached("spawn");
    const handle = await sandbox.ledger.onlyRunning();
    await first.page.close();
    family.release("spawn", "spawned", "child");
    await family.reached("parent");
    const parent = second.thread(/^Hand it on\./);
    const child = second.thread(/^child/);
    await expect(child).toHaveAccessibleName(/, idle/);
    await untilUnloadIsDue(second);
    await expect(child, "its parent still runs").toHaveAccessibleName(/, idle/);
    expect(await loadedThreads(handle)).toHaveLength(2);

    family.release("parent");
    await expect.poll(() => family.childsRequests.length).toBe(2);
    expect(family.childsRequests[1]?.entries).toContainEqual({ type: "assistant", text: childsWords });
    expect(JSON.stringify(family.childsRequests[1]?.body.input)).toContain(recall);
    for (const row of [parent, child]) await expect(row).toHaveAccessibleName(/, not loaded/);
    await expectNothingLoaded(handle);
  });

  test("threads that another program keeps in no record live as long as they work, and Holdfast leaves them alone", async ({
    holdfast,
    model,
    sandbox,
  }) => {
    const family = scriptFamily(model, { followUp: recall });
    await startClock(holdfast);
    const handle = await sandbox.ledger.onlyRunning();
    const stranger = await openCodexClient(handle);
    const { thread } = await stranger.rpc.request("thread/start", {
      cwd: sandbox.workspace,
      ephemeral: true,
    });
    await stranger.rpc.request("turn/start", {
      threadId: thread.id,
      input: [{ type: "text", text: family.toParent, text_elements: [] }],
    });
    await family.reached("spawn");
    stranger.close();
    family.release("spawn", "spawned", "child");
    await family.reached("parent");
    await untilUnloadIsDue(holdfast);
    // One that was loaded before them may still be on its way out.
    await expect.poll(() => loadedThreads(handle)).toHaveLength(2);
    expect(await loadedThreads(handle)).toContain(thread.id);
    // codex lists what it keeps no record of nowhere, and nobody else can open it: there is no row to show.
    await expect(holdfast.thread(/Hand it on|^child/)).toHaveCount(0);
    await expect(holdfast.session).toContainText(/^connected/);

    family.release("parent");
    await expect.poll(() => family.childsRequests.length).toBe(2);
    expect(family.childsRequests[1]?.entries).toContainEqual({ type: "assistant", text: childsWords });
    await expectNothingLoaded(handle);
    await expect(holdfast.thread(/Hand it on|^child/)).toHaveCount(0);
  });
});
