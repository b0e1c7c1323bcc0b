import { afterEach, beforeEach, expect, it } from "vitest";
import { makeTestLedger, type TestLedger } from "./testLedger";

let test: TestLedger;

beforeEach(() => {
  test = makeTestLedger();
});

afterEach(() => {
  test.remove();
});

it("environments are there after a restart, in the order in which they were added, whatever their names are", () => {
  const { environments } = test.ledger;
  const first = environments.add({ name: "z\0\ud800", registry: { kind: "local" } });
  const second = environments.add({ name: "a", registry: { kind: "file", path: "/tmp/a.json" } });
  environments.change({ environmentId: second, name: "b", registry: { kind: "file", path: "/tmp/b.json" } });
  expect(test.reopen().environments.list()).toEqual([
    { environmentId: first, name: "z\0\ud800", registry: { kind: "local" } },
    { environmentId: second, name: "b", registry: { kind: "file", path: "/tmp/b.json" } },
  ]);
});

it("one that is removed takes its tokens along, and no others", () => {
  const { environments, environmentTokens } = test.ledger;
  const gone = environments.add({ name: "gone", registry: { kind: "local" } });
  const kept = environments.add({ name: "kept", registry: { kind: "local" } });
  const sealed = Uint8Array.of(0, 255, 7);
  environmentTokens.add({ environmentId: gone, name: "token", sealed });
  environmentTokens.add({ environmentId: kept, name: "token", sealed: null });
  environmentTokens.replace({ environmentId: kept, name: "token", sealed });
  environmentTokens.add({ environmentId: kept, name: "other\0", sealed: null });
  environments.remove(gone);
  const tokens = test.reopen().environmentTokens.list();
  expect(tokens.map((token) => ({ ...token, sealed: token.sealed && [...token.sealed] }))).toEqual([
    { environmentId: kept, name: "token", sealed: [0, 255, 7] },
    { environmentId: kept, name: "other\0", sealed: null },
  ]);
  test.ledger.environmentTokens.remove(kept, "other\0");
  expect(test.ledger.environmentTokens.list()).toHaveLength(1);
});
