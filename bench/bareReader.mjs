// The floor of reading: takes the notifications of one turn in each of some threads from an app-server, parses each and counts
// the deltas. Prints what this took, as JSON. Arguments: the socket's path, the folder of the threads, how many there are.

import { createConnection } from "node:net";
import { WebSocket } from "ws";

const [socketPath = "", folder = "", count = "1"] = process.argv.slice(2);
const threads = Number(count);
const socket = new WebSocket("ws://localhost/", {
  createConnection: () => createConnection({ path: socketPath }),
  perMessageDeflate: false,
  maxPayload: 512 * 1024 * 1024,
});
/** @type {string[]} */
const started = [];
let deltas = 0;
let bytes = 0;
let ended = 0;
let cpuBegin = process.cpuUsage();
let begin = performance.now();
const send = (/** @type {object} */ message) => socket.send(JSON.stringify(message));

socket.on("open", () => {
  send({
    id: "initialize",
    method: "initialize",
    params: {
      clientInfo: { name: "reader", title: "reader", version: "0" },
      capabilities: { experimentalApi: true },
    },
  });
});
socket.on("message", (/** @type {Buffer} */ data) => {
  const message = JSON.parse(String(data));
  bytes += data.byteLength;
  if (message.id === "initialize") {
    send({ method: "initialized" });
    for (let index = 0; index < threads; index += 1) {
      send({ id: `start ${index}`, method: "thread/start", params: { cwd: folder } });
    }
  } else if (typeof message.id === "string" && message.id.startsWith("start ")) {
    started.push(message.result.thread.id);
    if (started.length === threads) speakAll();
  } else if (
    message.method === "item/agentMessage/delta" ||
    message.method === "item/commandExecution/outputDelta"
  ) {
    deltas += 1;
  } else if (message.method === "turn/completed") {
    ended += 1;
    if (ended === threads) tell();
  }
});

function speakAll() {
  cpuBegin = process.cpuUsage();
  begin = performance.now();
  bytes = 0;
  const input = [{ type: "text", text: "Speak.", text_elements: [] }];
  for (const threadId of started) send({ id: 3, method: "turn/start", params: { threadId, input } });
}

function tell() {
  const used = process.cpuUsage(cpuBegin);
  const cpuMs = (used.user + used.system) / 1000;
  process.stdout.write(`${JSON.stringify({ cpuMs, tookMs: performance.now() - begin, deltas, bytes })}\n`);
  socket.close();
}
