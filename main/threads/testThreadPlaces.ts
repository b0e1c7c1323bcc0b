// For tests of where threads work: one thread with a past, and environments that codex can be told of.

import { beforeEach } from "vitest";
import type { Fault } from "../fault";
import { codexTurn, resumed, userItem } from "./testCodexData";
import { bench, codex, type opened, prepareBench, T } from "./testDelivery";
import { TestPlaces } from "./testPlaces";

export let places: TestPlaces;
export const folder = "/srv/engine";
export const inBox = { environmentId: "box", cwd: folder };
export const past = [codexTurn("t1", "completed", [userItem("u", "Hello")])];

/** As `prepareBench` does, and with an environment "box" for each test of the file. */
export function preparePlaces(): void {
  prepareBench();
  beforeEach(() => {
    places = new TestPlaces(bench);
    places.place("box", { token: "a secret" });
    bench.rule("thread/resume", () => resumed(T, past, { thread: { environments: places.load() } }));
    bench.rule("turn/start", ({ params }) => places.select(params.environments) ?? { turn: codexTurn("t2") });
    bench.rule("thread/loaded/list", () => ({ data: [T], nextCursor: null }));
  });
}

export const choose = (choice: { environmentId: string; cwd: string } | null, key = T) =>
  bench.threads.environments.choose(key, choice);
export const refused = (work: Promise<unknown>) =>
  work.then(
    () => null,
    (fault: Fault) => fault.code,
  );
export const undelivered = (window: Awaited<ReturnType<typeof opened>>) =>
  window.head.submissions.map(({ text, state, fault }) => `${text}: ${state}, ${fault?.code}`);
export const kept = (key = T) => bench.ledger.threadEnvironments.list().get(key) ?? null;
export const added = () => codex().all("environment/add");

export function agentOf(parentThreadId: string, threadId: string): void {
  bench.threads.rows.child({
    threadId,
    parentThreadId,
    workspaceId: bench.workspaceId,
    profileId: "user",
    name: "Kid",
    atMs: 1,
  });
}

export function tokenOf(environmentId: string, token: string): void {
  const environment = places.set.get(environmentId);
  if (environment) environment.located = { ...environment.located, token };
}

export function identityOf(environmentId: string, identity: string): void {
  const environment = places.set.get(environmentId);
  if (environment) environment.located = { ...environment.located, identity };
}
