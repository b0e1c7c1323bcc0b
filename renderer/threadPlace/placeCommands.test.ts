import { expect, test } from "vitest";
import type { EnvironmentView, ThreadEnvironment } from "../../preload/contract/environments";
import { placeCommands } from "./placeCommands";

function environment(environmentId: string, registry: EnvironmentView["registry"]): EnvironmentView {
  return {
    environmentId,
    name: environmentId,
    registry,
    tokens: [],
    connection: { state: "not connected", fault: null },
    info: null,
    check: null,
    refreshing: false,
    server: null,
  };
}

const box = environment("build-box", { kind: "file", path: "/etc/box.json" });
const local = environment("own", { kind: "local" });
const place: ThreadEnvironment = {
  environmentId: "build-box",
  name: "build-box",
  cwd: "/srv/app",
  state: "connected",
  executorGone: false,
  fault: null,
};
const done: string[] = [];
const actions = {
  runIn: ({ environmentId }: EnvironmentView) => done.push(environmentId),
  runHere: () => done.push("here"),
  addOne: () => done.push("add"),
};
const titles = (...given: Parameters<typeof placeCommands>) =>
  placeCommands(...given).map(({ title }) => title);

test("each environment can be chosen; what asks for a folder first says so", () => {
  expect(titles(null, false, [box, local], actions)).toEqual([
    "Run this thread on build-box…",
    "Run this thread on own",
  ]);
});

test("a thread that runs elsewhere can come back, and change its folder", () => {
  expect(titles(place, false, [box], actions)).toEqual([
    "Run this thread in another folder on build-box…",
    "Run this thread on this machine",
  ]);
});

test("one whose environment was removed can come back although there is no other", () => {
  expect(titles({ ...place, name: null }, false, [], actions)).toEqual(["Run this thread on this machine"]);
});

test("without an environment there is the way to one", () => {
  expect(titles(null, false, [], actions)).toEqual(["Run this thread elsewhere…"]);
});

test("nothing is offered while the thread has to stay where it is", () => {
  expect(placeCommands(place, true, [box, local], actions)).toEqual([]);
});

test("each does what it says", () => {
  for (const command of [
    ...placeCommands(place, false, [box, local], actions),
    ...placeCommands(null, false, [], actions),
  ])
    command.run();
  expect(done).toEqual(["build-box", "own", "here", "add"]);
});
