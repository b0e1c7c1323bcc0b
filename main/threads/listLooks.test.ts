import { expect, it } from "vitest";
import { ManualClock } from "../clock";
import { ListLooks } from "./listLooks";

function looks(connected: string[]) {
  const clock = new ManualClock();
  const refreshed: string[] = [];
  const list = { refresh: async (workspaceId: string) => void refreshed.push(workspaceId) };
  return { clock, refreshed, looks: new ListLooks({ clock, list, connected: () => connected }) };
}

it("one look lists the threads of every workspace that is connected", () => {
  const bench = looks(["a", "b"]);
  bench.looks.look();
  expect(bench.refreshed).toEqual(["a", "b"]);
});

it("many looks at once are one, and one more when some seconds have gone by", () => {
  const bench = looks(["a"]);
  for (let times = 0; times < 5; times += 1) bench.looks.look();
  expect(bench.refreshed).toEqual(["a"]);
  bench.clock.advance(2_999);
  expect(bench.refreshed).toEqual(["a"]);
  bench.clock.advance(1);
  expect(bench.refreshed).toEqual(["a", "a"]);
});

it("nothing is looked at while nobody comes", () => {
  const bench = looks(["a"]);
  bench.clock.advance(3_600_000);
  expect(bench.refreshed).toEqual([]);
});
