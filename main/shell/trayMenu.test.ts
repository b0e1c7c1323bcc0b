import { describe, expect, it } from "vitest";
import type { Place } from "../attention/attention";
import type { OutlookEntry } from "../attention/outlook";
import { trayMenuTemplate, trayWords } from "./trayMenu";

const place = (threadId: string): Place => ({ kind: "thread", workspaceId: "w", threadId, requestKey: null });
const entry = (label: string): OutlookEntry => ({ label, place: place(label) });

function menu(needsYou: OutlookEntry[], running: OutlookEntry[]) {
  const done: unknown[] = [];
  const template = trayMenuTemplate({
    outlook: { needsYou, running },
    open: (where) => done.push(where),
    newThread: () => done.push("new thread"),
    showHoldfast: () => done.push("show"),
    quit: () => done.push("quit"),
  });
  const click = (label: string) => {
    const item = template.find((each) => each.label === label);
    if (!item?.click) throw new Error(`There is no entry ${label}.`);
    (item.click as () => void)();
  };
  return { labels: template.map((item) => item.label ?? "-"), click, done };
}

describe("the tray's menu", () => {
  it("has what needs the person and what runs, each leading there", () => {
    const { labels, click, done } = menu([entry("A & B: Asks")], [entry("C")]);
    expect(labels).toEqual([
      "Needs you (1)",
      "A && B: Asks",
      "-",
      "Running (1)",
      "C",
      "-",
      "New Thread",
      "Show Holdfast",
      "-",
      "Quit Holdfast",
    ]);
    for (const label of ["A && B: Asks", "C", "New Thread", "Show Holdfast", "Quit Holdfast"]) click(label);
    expect(done).toEqual([place("A & B: Asks"), place("C"), "new thread", "show", "quit"]);
  });

  it("stays short", () => {
    const many = Array.from({ length: 30 }, (_, index) => entry(`Thread ${index}`));
    const { labels, click, done } = menu([], many);
    expect(labels).toHaveLength(15);
    click("22 more…");
    expect(done).toEqual(["show"]);
  });

  it("says in a few words how things are", () => {
    expect(trayWords({ needsYou: [], running: [] })).toBe("Holdfast");
    expect(trayWords({ needsYou: [entry("a")], running: [entry("b")] })).toBe(
      "Holdfast: 1 needs you, 1 running",
    );
  });
});
