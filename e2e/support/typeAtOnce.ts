// Two windows in which one types at the same moment: main gives both their letters in one tick, so that neither page can have
// heard of the other's when it gets its own, however slow the machine is.

import type { Holdfast } from "./app";

/** Into the field of each that has the focus there. */
export async function typeAtOnce(...typed: [Holdfast, string][]): Promise<void> {
  const [first] = typed;
  if (!first) return;
  const windows = await Promise.all(typed.map(([{ app, page }]) => app.browserWindow(page)));
  const texts = typed.map(([, text]) => text);
  await first[0].app.evaluate(
    async (_, given) => {
      await Promise.all(given.windows.map((own, at) => own.webContents.insertText(given.texts[at] ?? "")));
    },
    { windows, texts },
  );
}
