// Coming back to a thread: the row at the top of the view is where it was, to the pixel, however often one leaves.

import { test as base, expect, type Holdfast } from "./support/app";
import { answerOf, type LongThread, makeLongThread } from "./support/longThread";
import { partOf, reply, streamed } from "./support/modelServer";
import { restingTopRow, type TopRow } from "./support/topRow";

const times = 4;

const test = base.extend<{ tall: LongThread; plain: LongThread }>({
  tall: async ({ codexHome, sandbox, model }, use) => {
    const made = {
      codexHome: codexHome.path,
      cwd: sandbox.workspace,
      model,
      turns: 10,
      name: "The tall one",
    };
    await use(await makeLongThread({ ...made, more: tallText }));
  },
  plain: async ({ codexHome, sandbox, model }, use) => {
    const made = {
      codexHome: codexHome.path,
      cwd: sandbox.workspace,
      model,
      turns: 14,
      name: "The plain one",
    };
    await use(await makeLongThread(made));
  },
  holdfast: async ({ sandbox, codexHome, tall, plain }, use) => {
    const holdfast = await sandbox.launch({ environment: { CODEX_HOME: codexHome.path } });
    await open(holdfast, plain);
    await open(holdfast, tall);
    await use(holdfast);
  },
});

/** Some screens, with code that is coloured after it has been drawn, an image and a table. */
function tallText(turn: number): string {
  const paragraphs = (count: number) =>
    Array.from(
      { length: count },
      (_, index) =>
        `Paragraph ${index} of ${turn}: ${"a bucket holds what it holds, ".repeat(3 + ((index * turn) % 9))}`,
    );
  const code = Array.from({ length: 20 }, (_, line) => `export const limit${line} = { rate: ${line} };`);
  return [
    ...paragraphs(12),
    `\`\`\`ts\n${code.join("\n")}\n\`\`\``,
    `![A bucket](bucket-${turn}.png)`,
    "| rate | burst |\n|---|---|\n| 50 | 200 |\n| 51 | 200 |",
    ...paragraphs(6),
  ].join("\n\n");
}

async function open(holdfast: Holdfast, thread: LongThread): Promise<void> {
  await holdfast.thread(new RegExp(`^${thread.name}`)).click();
  await expect(holdfast.conversation).toContainText(answerOf(thread, thread.turns));
  await expect(holdfast.thread(new RegExp(`^${thread.name}, idle`))).toBeVisible();
}

async function wheelUp(holdfast: Holdfast, px: number): Promise<void> {
  await holdfast.conversation.hover();
  for (let left = px; left > 0; left -= 300) await holdfast.page.mouse.wheel(0, -Math.min(300, left));
}

/** Goes to a thread that is there, or to a new one, and comes back. */
async function leaveAndReturn(holdfast: Holdfast, thread: LongThread, to: LongThread | null): Promise<void> {
  if (to) await holdfast.thread(new RegExp(`^${to.name}`)).click();
  else await holdfast.page.keyboard.press("Control+n");
  await expect(holdfast.thread(new RegExp(`^${thread.name}`))).not.toHaveAttribute("aria-selected", "true");
  await holdfast.thread(new RegExp(`^${thread.name}`)).click();
  await expect(holdfast.conversation).toContainText(thread.name);
}

test("in a thread of tall answers nothing drifts, however far up one is", async ({
  holdfast,
  tall,
  plain,
}) => {
  // It comes back twelve times, and waits each time until nothing moves any more.
  test.setTimeout(180_000);
  let last: TopRow | null = null;
  for (const upPx of [333, 1_500, 4_100]) {
    await wheelUp(holdfast, upPx);
    const place = await restingTopRow(holdfast.page);
    // From a place that was come back to, one goes on as from anywhere else.
    expect(place).not.toEqual(last);
    for (let time = 0; time < times; time += 1) {
      await leaveAndReturn(holdfast, tall, time % 2 === 0 ? plain : null);
      expect(await restingTopRow(holdfast.page), `${upPx} px further up`).toEqual(place);
    }
    last = place;
  }
});

test("in a thread of short turns nothing drifts", async ({ holdfast, tall, plain }) => {
  await open(holdfast, plain);
  await wheelUp(holdfast, 1_234);
  const place = await restingTopRow(holdfast.page);
  for (let time = 0; time < times; time += 1) {
    await leaveAndReturn(holdfast, plain, time % 2 === 0 ? tall : null);
    expect(await restingTopRow(holdfast.page)).toEqual(place);
  }

  // One press each, although what is on the way has not been measured yet.
  const left = () =>
    holdfast.conversation.evaluate(({ scrollTop, scrollHeight, clientHeight }) => ({
      above: scrollTop,
      below: Math.round(scrollHeight - clientHeight - scrollTop),
    }));
  await holdfast.conversation.focus();
  await holdfast.page.keyboard.press("Home");
  await restingTopRow(holdfast.page);
  expect((await left()).above).toBe(0);
  await holdfast.page.keyboard.press("End");
  await restingTopRow(holdfast.page);
  expect((await left()).below).toBeLessThanOrEqual(1);
});

test("while a turn runs nothing drifts, and what came meanwhile is below", async ({
  holdfast,
  tall,
  plain,
  model,
}) => {
  const lines = Array.from({ length: 30 }, (_, index) => `New paragraph ${index}.\n\n`);
  model.queue(
    reply(
      partOf(lines.join("")),
      [model.hold("away")],
      partOf("In between.\n\n"),
      [model.hold("end")],
      streamed("", ["It ends."]),
    ),
  );
  await holdfast.send("And now?");
  await expect(holdfast.conversation).toContainText("New paragraph 29.");
  await wheelUp(holdfast, 2_300);
  const place = await restingTopRow(holdfast.page);
  await leaveAndReturn(holdfast, tall, plain);
  expect(await restingTopRow(holdfast.page)).toEqual(place);
  model.gate("away").release();
  for (let time = 0; time < times; time += 1) {
    await leaveAndReturn(holdfast, tall, time % 2 === 0 ? null : plain);
    expect(await restingTopRow(holdfast.page)).toEqual(place);
  }
  model.gate("end").release();
  await expect(holdfast.thread(/^The tall one, idle/)).toBeVisible();
  expect(await restingTopRow(holdfast.page)).toEqual(place);
});

test("with another width of the window, it is the same row at the same height", async ({
  holdfast,
  tall,
  plain,
}) => {
  await wheelUp(holdfast, 2_900);
  const place = await restingTopRow(holdfast.page);
  await holdfast.thread(/^The plain one/).click();
  await expect(holdfast.conversation).toContainText(answerOf(plain, plain.turns));
  const sizeOf = () =>
    holdfast.page.evaluate(() => {
      const world = globalThis as unknown as { outerWidth: number; outerHeight: number; innerWidth: number };
      return { outer: world.outerWidth, height: world.outerHeight, inner: world.innerWidth };
    });
  const before = await sizeOf();
  await holdfast.app.evaluate(
    ({ BrowserWindow }, { width, height }) => BrowserWindow.getAllWindows()[0]?.setSize(width, height),
    { width: before.outer - 260, height: before.height - 90 },
  );
  await expect.poll(async () => (await sizeOf()).inner).toBe(before.inner - 260);
  await holdfast.thread(new RegExp(`^${tall.name}`)).click();
  await expect(holdfast.conversation).toContainText(tall.name);
  expect(await restingTopRow(holdfast.page)).toEqual(place);
  for (let time = 0; time < times; time += 1) {
    await leaveAndReturn(holdfast, tall, plain);
    expect(await restingTopRow(holdfast.page)).toEqual(place);
  }
});
