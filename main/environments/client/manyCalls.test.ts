// More is asked of an executor at once than it can have under way.

import { expect, it } from "vitest";
import { systemClock } from "../../clock";
import { silentLog } from "../../log";
import { connectExecutor } from "./executorConnection";
import type { ProcessSpec } from "./executorProcess";
import { LiveEnvironments } from "./liveEnvironments";
import { noRecords } from "./records";
import { mostUnderWay } from "./sessionCalls";
import { startExecServer } from "./testExecServer";
import { controlledClient, type TestExecutorLine } from "./testExecutor";

const nextRound = () => new Promise((resolve) => setImmediate(resolve));

const paths = (line: TestExecutorLine | undefined) =>
  line?.sent.flatMap(({ params }) => (params.path === undefined ? [] : [params.path]));

const numbers = (from: number, to: number) => Array.from({ length: to - from }, (_, index) => from + index);

async function line(lines: TestExecutorLine[], index: number): Promise<TestExecutorLine> {
  for (;;) {
    const opened = lines[index];
    if (opened?.sent.some(({ method }) => method === "initialized")) return opened;
    await nextRound();
  }
}

it("so many are under way, and the others wait in their order, also over a lost connection", async () => {
  const { client, clock, lines } = controlledClient();
  const session = await client.get();
  const count = mostUnderWay + 10;
  const answered: number[] = [];
  const calls = numbers(0, count).map((path) =>
    session.calls.call("fs/readDirectory", { path }).then(() => answered.push(path)),
  );
  const first = await line(lines, 0);
  expect(paths(first)).toEqual(numbers(0, mostUnderWay));
  const ids = first.sent.filter(({ method }) => method === "fs/readDirectory").map(({ id }) => id);
  for (const id of ids.slice(0, 3)) first.say({ id, result: {} });
  await nextRound();
  expect(answered).toEqual([0, 1, 2]);
  expect(paths(first)).toEqual(numbers(0, mostUnderWay + 3));
  first.cut();
  const second = await line(lines, 1);
  await nextRound();
  expect(paths(second)).toEqual(numbers(3, mostUnderWay + 3));
  while (answered.length < count) {
    for (const { id, method } of second.sent)
      if (method === "fs/readDirectory") second.say({ id, result: {} });
    await nextRound();
  }
  await Promise.all(calls);
  expect(paths(second)).toEqual(numbers(3, count));
  client.close();
  expect(clock.pendingCount).toBe(0);
});

it("one that waits until its time is over was certainly not sent", async () => {
  const { client, clock, lines } = controlledClient();
  const session = await client.get();
  const removals = numbers(0, mostUnderWay + 1).map((path) => session.calls.call("fs/remove", { path }));
  const outcomes = Promise.allSettled(removals);
  clock.advance(120_000);
  const faults = (await outcomes).map((outcome) => (outcome.status === "rejected" ? outcome.reason : null));
  expect(faults.map(({ code }) => code)).toEqual(faults.map(() => "deadline"));
  expect(faults.filter(({ hint }) => hint === undefined)).toHaveLength(1);
  expect(paths(lines[0])).toEqual(numbers(0, mostUnderWay));
  client.close();
  expect(clock.pendingCount).toBe(0);
});

it("what many processes have missed is read a few at a time", async () => {
  const { client, lines } = controlledClient();
  const session = await client.get();
  const first = await line(lines, 0);
  const starting = numbers(0, 3 * mostUnderWay).map(() => session.start(spec, () => {}));
  const ids = new Set<unknown>();
  while (ids.size < starting.length) {
    for (const { id, method, params } of first.sent) {
      if (method !== "process/start" || ids.has(params.processId)) continue;
      ids.add(params.processId);
      first.say({ id, result: { processId: params.processId } });
    }
    await nextRound();
  }
  await Promise.all(starting);
  first.cut();
  const second = await line(lines, 1);
  const answered = new Set<number>();
  while (answered.size < starting.length) {
    await nextRound();
    const open = second.sent.filter(({ id, method }) => method === "process/read" && !answered.has(id));
    expect(open.length).toBeLessThanOrEqual(mostUnderWay);
    for (const { id } of open) {
      answered.add(id);
      second.say({ id, result: { chunks: [], nextSeq: 1, exited: false, closed: false } });
    }
  }
  while (client.state.phase !== "connected") await nextRound();
  client.close();
});

it("an exec-server starts as many processes as are asked of it at once", async () => {
  const executor = await startExecServer();
  const environments = new LiveEnvironments({
    clock: systemClock,
    log: silentLog,
    random: Math.random,
    credentials: () => ({ get: async () => null }),
    connect: connectExecutor,
    records: noRecords,
    env: async () => ({}),
    onState: () => {},
  });
  const environment = environments.set("box", { kind: "fixed", url: executor.url });
  const printed = await Promise.all(
    numbers(0, 300).map(
      (number) =>
        new Promise<string>((resolve, reject) => {
          let text = "";
          environment
            .start({ ...spec, argv: ["/bin/sh", "-c", `echo ${number}; echo ${number} >&2`] }, (event) => {
              if (event.type === "output") text += event.bytes;
              if (event.type === "closed") resolve(text);
              if (event.type === "lost") reject(event.fault);
            })
            .catch(reject);
        }),
    ),
  );
  expect(printed).toEqual(numbers(0, 300).map((number) => `${number}\n${number}\n`));
  await environments.closeAll();
  await executor.stop();
});

const spec: ProcessSpec = {
  argv: ["/bin/true"],
  cwd: "file:///",
  env: {},
  inherits: "none",
  terminal: false,
  input: false,
};
