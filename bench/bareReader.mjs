// The floor of reading: takes one turn's notifications from an app-server, parses each and counts the deltas. Prints the
// CPU time that this took, in ms, and the count. Arguments: the socket's path, the folder of the thread.

import { createConnection } from "node:net";
import { WebSocket } from "ws";

const [socketPath = "", folder = ""] = process.argv.slice(2);
const socket = new WebSocket("ws://localhost/", {
  createConnection: () => createConnection({ path: socketPath }),
  perMessageDeflate: false,
  maxPayload: 512 * 1024 * 1024,
});
let deltas = 0;
let begin = process.cpuUsage();
const send = (/** @type {object} */ message) => socket.send(JSON.stringify(message));

socket.on("open", () => {
  send({
    id: 1,
    method: "initialize",
    params: {
      clientInfo: { name: "reader", title: "reader", version: "0" },
      capabilities: { experimentalApi: true },
    },
  });
});
socket.on("message", (data) => {
  const message = JSON.parse(String(data));
  if (message.id === 1) {
    send({ method: "initialized" });
    send({ id: 2, method: "thread/start", params: { cwd: folder } });
  } else if (message.id === 2) {
    begin = process.cpuUsage();
    const input = [{ type: "text", text: "Speak.", text_elements: [] }];
    send({ id: 3, method: "turn/start", params: { threadId: message.result.thread.id, input } });
  } else if (message.method === "item/agentMessage/delta") {
    deltas += 1;
  } else if (message.method === "turn/completed") {
    const used = process.cpuUsage(begin);
    process.stdout.write(`${JSON.stringify({ cpuMs: (used.user + used.system) / 1000, deltas })}\n`);
    socket.close();
  }
});
