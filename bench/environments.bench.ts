// What it costs to go through an environment: connecting, coming back after the line was cut, one answer, and the output of a
// process beside a reader that only takes the messages from the socket. In turn, so that what the machine does meanwhile hits
// both.

import { tmpdir } from "node:os";
import WebSocket from "ws";
import { systemClock } from "../main/clock";
import { Environment } from "../main/environments/client/environment";
import { connectExecutor } from "../main/environments/client/executorConnection";
import type { ProcessSpec } from "../main/environments/client/executorProcess";
import { toFileUri } from "../main/environments/client/fileUri";
import { noRecords } from "../main/environments/client/records";
import { startExecServer } from "../main/environments/client/testExecServer";
import { TestLine } from "../main/environments/client/testLine";
import { makeRegistry } from "../main/environments/registries/makeRegistry";
import { silentLog } from "../main/log";
import type { Measurement } from "./measurement";

const runs = 10;
const floods = 5;
const floodMiB = 32;
const flood: ProcessSpec = {
  argv: ["/bin/sh", "-c", `head -c ${floodMiB * 1024 * 1024} /dev/zero | tr '\\0' x`],
  cwd: toFileUri(tmpdir()),
  env: {},
  inherits: "core",
  terminal: false,
  input: false,
};

const measurement: Measurement = {
  title:
    "Environments: connecting, coming back, one answer, and the output of a process beside a bare reader",
  async measure() {
    const server = await startExecServer();
    const line = await TestLine.open(server.url);
    const samples: Record<"connect" | "resume" | "probe" | "flood" | "bare", number[]> = {
      connect: [],
      resume: [],
      probe: [],
      flood: [],
      bare: [],
    };
    try {
      for (let run = 0; run < runs; run += 1) {
        const environment = environmentAt(line.url);
        samples.connect.push(await timeMs(() => environment.info()));
        samples.probe.push((await environment.probe()).latencyMs);
        await line.cut();
        samples.resume.push(await timeMs(() => environment.files.facts(toFileUri("/"))));
        await environment.close();
      }
      for (let run = 0; run < floods; run += 1) {
        samples.flood.push(floodMiB / (await throughEnvironment(server.url)));
        samples.bare.push(floodMiB / (await throughBareReader(server.url)));
      }
    } finally {
      await line.close();
      await server.stop();
    }
    return [
      { name: "first use, until the executor has said what it is", unit: "ms", samples: samples.connect },
      { name: "the line is cut: until the next answer", unit: "ms", samples: samples.resume },
      { name: "one answer", unit: "ms", samples: samples.probe },
      { name: "output of a process, MiB", unit: "per second", samples: samples.flood },
      { name: "the same with a bare reader, MiB", unit: "per second", samples: samples.bare },
    ];
  },
};

export default measurement;

function environmentAt(url: string): Environment {
  const registry = makeRegistry({ kind: "fixed", url }, { clock: systemClock, env: async () => ({}) });
  return new Environment({
    environmentId: "bench",
    clock: systemClock,
    log: silentLog,
    random: Math.random,
    registry: () => registry,
    credentials: { get: async () => null },
    connect: connectExecutor,
    records: noRecords,
    onState: () => {},
  });
}

async function timeMs(task: () => Promise<unknown>): Promise<number> {
  const begun = performance.now();
  await task();
  return performance.now() - begun;
}

/** In seconds. */
async function throughEnvironment(url: string): Promise<number> {
  const environment = environmentAt(url);
  await environment.info();
  let bytes = 0;
  const begun = performance.now();
  await new Promise<void>((resolve, reject) => {
    const starting = environment.start(flood, (event) => {
      if (event.type === "output") bytes += event.bytes.length;
      if (event.type === "closed") resolve();
      if (event.type === "lost") reject(event.fault);
    });
    starting.catch(reject);
  });
  const seconds = (performance.now() - begun) / 1000;
  await environment.close();
  return checked(bytes, seconds);
}

/** Takes the same messages, and does no more with them than to read the text. */
async function throughBareReader(url: string): Promise<number> {
  const socket = new WebSocket(url, { perMessageDeflate: false });
  await new Promise((resolve, reject) => socket.once("open", resolve).once("error", reject));
  const { argv, cwd, env } = flood;
  const say = (message: object) => socket.send(JSON.stringify(message));
  let bytes = 0;
  let begun = 0;
  const done = new Promise<void>((resolve) => {
    socket.on("message", (data) => {
      const { id, method, params } = JSON.parse(String(data));
      if (id === 1) {
        say({ method: "initialized", params: {} });
        begun = performance.now();
        say({ id: 2, method: "process/start", params: { processId: "1", argv, cwd, env, tty: false } });
      }
      if (method === "process/output") bytes += Buffer.byteLength(params.chunk, "base64");
      if (method === "process/closed") resolve();
    });
  });
  say({ id: 1, method: "initialize", params: { clientName: "bare" } });
  await done;
  const seconds = (performance.now() - begun) / 1000;
  socket.close();
  return checked(bytes, seconds);
}

function checked(bytes: number, seconds: number): number {
  if (bytes !== floodMiB * 1024 * 1024) throw new Error(`${bytes} bytes came of ${floodMiB} MiB`);
  return seconds;
}
