// Holdfast dies while codex deletes or archives a thread: what the person asked for is done at the next start, or said.

import { beforeEach, expect, it } from "vitest";
import { silentLog } from "../log";
import { Cleanups } from "../supervisor/cleanups";
import { settle } from "./testThreads";
import { begin, bench, codex, opened, P, prepareBench, row } from "./testTree";

prepareBench();

let cleanups: Cleanups;
let told: string[];

/** As at each start. */
function keepOnRecord(): void {
  cleanups = new Cleanups({
    ledger: bench.ledger.cleanups,
    clock: bench.clock,
    log: silentLog,
    random: () => 0.5,
    changed: () => {},
  });
  bench.threads.actions.keepOnRecord({
    cleanups,
    tell: (_about, { text, hint }) => told.push(`${text} ${hint}`),
  });
}

beforeEach(() => {
  told = [];
  keepOnRecord();
});

const owed = () => cleanups.list().map(({ id }) => id);

/** It is asked for, codex does not answer, and Holdfast dies and starts again. */
async function cutOff(action: "delete" | "archive"): Promise<void> {
  bench.hold(`thread/${action}`);
  await opened(P);
  const { actions } = bench.threads;
  void (action === "delete" ? actions.delete(P) : actions.archive(P, false)).catch(() => {});
  await settle();
  codex().only(`thread/${action}`);
  await bench.restart({ codexLives: true });
  keepOnRecord();
  expect(owed()).toEqual([`${action}:${P}`]);
  expect(row(P)).not.toBeNull();
}

it("codex had deleted it: it is gone here, too", async () => {
  await cutOff("delete");
  bench.rule("thread/delete", () => new Error(`thread not found: ${P}`));
  expect(await cleanups.retry(`delete:${P}`)).toBeNull();
  expect([row(P), owed(), told]).toEqual([null, [], []]);
});

it("codex had not: it is deleted now, once", async () => {
  await cutOff("delete");
  bench.rule("thread/delete", () => ({}));
  const both = [cleanups.retry(`delete:${P}`), cleanups.retry(`delete:${P}`)];
  expect(await Promise.all(both)).toEqual([null, null]);
  codex().only("thread/delete");
  expect([row(P), owed(), told]).toEqual([null, [], []]);
});

it("it is at work by then: it stays, and that is said", async () => {
  await cutOff("delete");
  await opened(P);
  begin(P, "t1");
  expect(await cleanups.retry(`delete:${P}`)).toBeNull();
  expect(codex().all("thread/delete")).toEqual([]);
  expect(row(P)?.state).toBe("running");
  expect(told).toEqual([
    expect.stringMatching(/was to be deleted when Holdfast went away, and is not\. A turn is/),
  ]);
  expect(owed()).toEqual([]);
});

it("codex is not there yet: it is owed until it is", async () => {
  await cutOff("delete");
  bench.hold("thread/delete");
  const tried = cleanups.retry(`delete:${P}`);
  await settle();
  await bench.cut();
  expect((await tried)?.retryable).toBe(true);
  expect([owed(), told]).toEqual([[`delete:${P}`], []]);
  bench.rule("thread/delete", () => ({}));
  await bench.reconnect();
  expect(await cleanups.retry(`delete:${P}`)).toBeNull();
  expect([row(P), owed()]).toEqual([null, []]);
});

it("one that was being archived is archived", async () => {
  await cutOff("archive");
  bench.rule("thread/archive", () => new Error(`no rollout found for thread id ${P}`));
  expect(await cleanups.retry(`archive:${P}`)).toBeNull();
  expect([row(P)?.archived, owed()]).toEqual([true, []]);
});

it("what is asked for twice at once is done once, and both hear what came of it", async () => {
  bench.hold("thread/archive");
  await opened(P);
  const archive = () =>
    bench.threads.actions.archive(P, false).then(
      () => "archived",
      () => "refused",
    );
  const both = [archive(), archive()];
  await settle();
  codex().only("thread/archive").refuse("not now");
  expect(await Promise.all(both)).toEqual(["refused", "refused"]);
  expect(owed()).toEqual([]);
});

it("what codex refuses while somebody waits for it is heard by them, and not owed", async () => {
  bench.rule("thread/delete", () => new Error("not now"));
  await opened(P);
  await expect(bench.threads.actions.delete(P)).rejects.toMatchObject({ message: expect.anything() });
  expect(owed()).toEqual([]);
});
