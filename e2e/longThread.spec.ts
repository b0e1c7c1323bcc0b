// A thread of some hundred turns: what is read never moves, whatever comes above or below it, and is there again.

import type { Locator, Page } from "@playwright/test";
import { test as base, expect, type Holdfast } from "./support/app";
import { climb } from "./support/climb";
import { answerOf, type LongThread, makeLongThread, promptOf } from "./support/longThread";
import { partOf, reply, streamed } from "./support/modelServer";

const turns = 150;
/** How many of them come at once; the first ones may still be on their way when one goes up. */
const page = 30;

const test = base.extend<{ long: LongThread; short: LongThread }>({
  long: async ({ codexHome, sandbox, model }, use) => {
    const made = { codexHome: codexHome.path, cwd: sandbox.workspace, model, turns, name: "The long one" };
    await use(await makeLongThread(made));
  },
  short: async ({ codexHome, sandbox, model }, use) => {
    const made = {
      codexHome: codexHome.path,
      cwd: sandbox.workspace,
      model,
      turns: 2,
      name: "The short one",
    };
    await use(await makeLongThread(made));
  },
  // The threads are there before it starts.
  holdfast: async ({ sandbox, codexHome, long, short }, use) => {
    const holdfast = await sandbox.launch({ environment: { CODEX_HOME: codexHome.path } });
    await open(holdfast, short);
    await open(holdfast, long);
    await use(holdfast);
  },
});

async function open(holdfast: Holdfast, thread: LongThread): Promise<void> {
  await holdfast.thread(new RegExp(`^${thread.name}`)).click();
  await expect(holdfast.conversation).toContainText(answerOf(thread, thread.turns));
  await expect(holdfast.thread(new RegExp(`^${thread.name}, idle`))).toBeVisible();
}

function promptIn(holdfast: Holdfast, thread: LongThread, turn: number): Locator {
  return holdfast.article("You").filter({ hasText: promptOf(thread, turn) });
}

/** Where it is once the list stands still: the browser goes on scrolling for some frames after a turn of the wheel. */
async function restingTopOf(row: Locator): Promise<number> {
  for (let before = await topOf(row); ; ) {
    await frames(row.page(), 10);
    const now = await topOf(row);
    if (now === before) return now;
    before = now;
  }
}

function frames(page: Page, count: number): Promise<void> {
  return page.evaluate(async (count) => {
    const world = globalThis as unknown as { requestAnimationFrame(callback: () => void): void };
    for (let frame = 0; frame < count; frame += 1) {
      await new Promise<void>((resolve) => world.requestAnimationFrame(resolve));
    }
  }, count);
}

async function topOf(row: Locator): Promise<number> {
  const box = await row.boundingBox();
  if (box === null) throw new Error("the row is not drawn");
  return Math.round(box.y);
}

/** With the wheel, as far as it takes until the row is in view; what is drawn is looked at after each turn of it. */
async function wheelUpTo(holdfast: Holdfast, row: Locator): Promise<void> {
  await holdfast.conversation.hover();
  while (!(await isInView(row))) {
    await holdfast.page.mouse.wheel(0, -400);
    await frames(holdfast.page, 10);
  }
}

interface PageElement {
  getBoundingClientRect(): { top: number; bottom: number };
  closest(selector: string): PageElement | null;
}

/** A row far away is not drawn at all. */
function isInView(row: Locator): Promise<boolean> {
  return row.evaluateAll((rows) =>
    (rows as unknown as PageElement[]).some((each) => {
      const log = each.closest('[role="log"]')?.getBoundingClientRect();
      const { top, bottom } = each.getBoundingClientRect();
      return log !== undefined && bottom > log.top && top < log.bottom;
    }),
  );
}

test("it opens at its end with its newest turns, and older ones come above what is read without moving it", async ({
  holdfast,
  long,
}) => {
  await expect(promptIn(holdfast, long, turns)).toBeInViewport();
  await expect(holdfast.button("Jump to latest")).toHaveCount(0);
  const { pages, movedPx } = await climb(holdfast.page, promptOf(long, 1));
  expect(pages).toBeGreaterThanOrEqual(turns / page - 1);
  expect(pages).toBeLessThanOrEqual(turns / page);
  expect(movedPx).toBeLessThan(1);
  await expect(promptIn(holdfast, long, 1)).toBeInViewport();
  await expect(holdfast.button("Load older turns")).toHaveCount(0);
  await holdfast.button("Jump to latest").click();
  await expect(promptIn(holdfast, long, turns)).toBeInViewport();
});

test("the place in it is kept while another thread is looked at", async ({ holdfast, long, short }) => {
  const row = promptIn(holdfast, long, 140);
  await wheelUpTo(holdfast, row);
  const top = await restingTopOf(row);
  await open(holdfast, short);
  await expect(promptIn(holdfast, short, 2)).toBeInViewport();
  await holdfast.thread(/^The long one/).click();
  await expect(row).toBeInViewport();
  expect(await restingTopOf(row)).toBe(top);
});

test.describe("when codex keeps no thread that nobody looks at", () => {
  test.use({ codexHomeOptions: { topLines: ["thread_unload_delay_secs = 1"] } });

  test("the place in it is found again, though it is opened with its newest turns only", async ({
    holdfast,
    long,
    short,
  }) => {
    const row = promptIn(holdfast, long, 110);
    await wheelUpTo(holdfast, row);
    const top = await restingTopOf(row);
    await open(holdfast, short);
    await expect(holdfast.thread(/^The long one, not loaded/)).toBeVisible();
    await holdfast.thread(/^The long one/).click();
    await expect(row).toBeInViewport();
    await expect(holdfast.conversation.page().getByText("Going back to where you were…")).toHaveCount(0);
    expect(Math.abs((await restingTopOf(row)) - top)).toBeLessThanOrEqual(1);
    await expect(holdfast.button("Jump to latest")).toBeVisible();
  });
});

test("a turn that goes on below moves nothing for one who reads further up", async ({
  holdfast,
  long,
  model,
}) => {
  const paragraphs = Array.from({ length: 40 }, (_, index) => `Paragraph ${index} of the new answer.\n\n`);
  model.queue(
    reply(partOf("It begins.\n\n"), [model.hold("reading")], streamed("", [...paragraphs, "Half."])),
  );
  await holdfast.send("And now?");
  await expect(holdfast.conversation).toContainText("It begins.");
  const row = promptIn(holdfast, long, 147);
  await wheelUpTo(holdfast, row);
  const top = await restingTopOf(row);
  const jump = holdfast.page.getByRole("button", { name: /^Jump to latest/ });
  await expect(jump).toHaveAccessibleName(/still going on/);
  model.gate("reading").release();
  await expect(holdfast.thread(/^The long one, idle/)).toBeVisible();
  await expect(jump).not.toHaveAccessibleName(/still going on/);
  expect(await restingTopOf(row)).toBe(top);
  await jump.click();
  await expect(holdfast.conversation).toContainText("Paragraph 39 of the new answer.");
  await expect(jump).toHaveCount(0);

  // One's own message is what one wants to see, wherever one has been reading.
  await wheelUpTo(holdfast, row);
  await expect(jump).toBeVisible();
  model.queue(reply(partOf("Nothing more."), [model.hold("after")]));
  await holdfast.send("And after that?");
  await expect(holdfast.article("You").filter({ hasText: "And after that?" })).toBeInViewport();
  await expect(jump).toHaveCount(0);
});

test("words of any of its turns find it, and the inspector says of how many turns it lists changes", async ({
  holdfast,
  long,
  short,
}) => {
  await open(holdfast, short);
  await holdfast.page.getByLabel("Find a thread").fill(promptOf(long, 17));
  // Not the row that leads to a search for these words, which has them in its name.
  const hit = holdfast.sidebar.getByRole("treeitem", { name: /^The long one/ });
  await hit.click();
  await expect(promptIn(holdfast, long, turns)).toBeInViewport();

  await holdfast.tab("Changes").click();
  const changes = holdfast.page.getByRole("tabpanel", { name: "Changes" });
  await expect(
    changes.getByRole("heading", { name: /^\d+ files changed in the turns that are loaded$/ }),
  ).toBeVisible();
  // Each of these turns has added a line.
  const added = async () =>
    Number(await changes.locator("[data-drawn^='+']").first().getAttribute("data-drawn"));
  const loaded = await added();
  expect(loaded).toBeLessThanOrEqual(page / 4 + 1);
  await changes.getByRole("button", { name: "Load older turns" }).click();
  await expect.poll(added).toBeGreaterThan(loaded);
});
