import { afterEach, beforeEach, expect, it } from "vitest";
import { makeTestLedger, type TestLedger } from "../ledger/testLedger";
import { silentLog } from "../log";
import { Workspaces } from "./workspaces";

let test: TestLedger;
let workspaces: Workspaces;

beforeEach(() => {
  test = makeTestLedger();
  workspaces = new Workspaces({
    ledger: test.ledger.workspaces,
    log: silentLog,
    demoPath: "/data/demo/workspace",
    changed() {},
  });
});

afterEach(() => {
  test.remove();
});

it("what is of the demo is its workspace and the worktrees of that, also when it is on the list no more", () => {
  const own = workspaces.add({ path: "/home/ada/engine", name: "engine", parentId: null });
  const demo = workspaces.add({ path: "/data/demo/workspace", name: "Demo", parentId: null });
  const ofOwn = workspaces.add({ path: "/data/worktrees/a", name: "a", parentId: own.id });
  const ofDemo = workspaces.add({ path: "/data/worktrees/b", name: "b", parentId: demo.id });
  expect([own, demo, ofOwn, ofDemo].map((each) => each.demo)).toEqual([false, true, false, true]);
  workspaces.remove(demo.id);
  expect(workspaces.list().map(({ id, demo }) => [id, demo])).toEqual([
    [own.id, false],
    [ofOwn.id, false],
    [ofDemo.id, true],
  ]);
});
