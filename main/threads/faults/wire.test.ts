// What comes over codex's output that is no message, or no whole one: bytes as a pipe brings them, through the real reader,
// to a real conversation.

import { PassThrough } from "node:stream";
import { expect } from "vitest";
import { createStdioTransport } from "../../codex/stdioTransport";
import { silentLog } from "../../log";
import { agentItem, codexTurn, resumed } from "../testCodexData";
import { begin, bench, codex, later, opened, past, shown, T } from "../testRuntime";
import { settle } from "../testThreads";
import { ends, faults, prepareFaults, recordIs } from "./testFaults";

prepareFaults();

/** From now on what the connected codex says can also be written as bytes. */
function output() {
  const [stdin, stdout] = [new PassThrough(), new PassThrough()];
  const { transport } = codex();
  createStdioTransport(
    { stdin, stdout },
    {
      onMessage: (text) => transport.handlers?.onMessage(text),
      onClosed: (reason) => transport.end(reason),
    },
    silentLog,
  );
  return {
    async write(...chunks: (string | Buffer)[]) {
      for (const chunk of chunks) stdout.write(chunk);
      await settle();
      await settle();
    },
    async end() {
      stdout.end();
      await settle();
      await settle();
    },
  };
}

const line = (message: object) => `${JSON.stringify(message)}\n`;
const delta = (words: string) =>
  line({
    method: "item/agentMessage/delta",
    params: { threadId: T, turnId: "t2", itemId: "m", delta: words },
  });
const started = line({
  method: "item/started",
  params: { threadId: T, turnId: "t2", item: agentItem("m", ""), startedAtMs: 1 },
});
const completed = (words: string) =>
  line({
    method: "item/completed",
    params: { threadId: T, turnId: "t2", item: agentItem("m", words), completedAtMs: 1 },
  });

/** A turn runs, and its message has begun. */
async function talking() {
  const window = await opened();
  const wire = output();
  begin("t2");
  await wire.write(started);
  return { window, wire, text: () => window.texts.at(-1) };
}

const finished = () => {
  recordIs([codexTurn("t2", "completed", [agentItem("m", "Hello")])]);
  ends("t2");
};

faults("noise before codex's first answer", [
  ...[
    ["a coloured banner", "\u001b[1;32mmise\u001b[0m using node 20.1.0\n"],
    ["a window title", "\u001b]0;codex\u0007\n"],
    ["blank lines", "\n\r\n   \n"],
    ["a page of a login shell's greetings", "Welcome!\n".repeat(500)],
    ["a mark of byte order", "\ufeff"],
    ["a setting of the terminal, glued to the answer", "\u001b[?2004h"],
  ].map(([what = "", noise = ""]) => ({
    name: `${what}: passed over, and the answer is heard`,
    async play() {
      bench.hold("thread/resume");
      const window = await opened();
      const wire = output();
      const { id } = codex().only("thread/resume");
      recordIs([]);
      await wire.write(noise, line({ id, result: resumed(T, [past]) }));
      expect(window.texts).toEqual(shown);
      expect(window.head.residency).toBe("loaded");
    },
  })),
]);

faults("noise in the middle of the stream", [
  ...[
    ["the words of taskkill", "SUCCESS: The process with PID 4711 has been terminated.\r\n"],
    [
      "the same in Chinese, in bytes of code page 936",
      Buffer.from([0xb3, 0xc9, 0xb9, 0xa6, 0x3a, 0x20, 0xd2, 0xd1, 0x0a]),
    ],
    ["lone bytes that are no text at all", Buffer.from([0xff, 0xfe, 0x00, 0xc3, 0x28, 0x0a])],
    ["a list that is JSON but no message", "[1, 2, 3]\n"],
    ["an object that says nothing", "{}\n"],
    ["an object that never ends", '{"method":"item/agentMessage/delta","params":{"delta":"x\n'],
    ["a setting of the terminal, glued to the next message", "\u001b[?2004h"],
  ].map(([what, noise = ""]) => ({
    name: `${what}: what is around it is heard, and the connection stays`,
    async play() {
      const { wire, text } = await talking();
      await wire.write(delta("Hel"), noise, delta("lo"));
      expect(text()).toBe("agent running: Hello");
      expect(bench.connection).not.toBeNull();
      await wire.write(completed("Hello"));
      finished();
    },
  })),
  {
    name: "lines that end as on Windows: heard like any others",
    async play() {
      const { wire, text } = await talking();
      await wire.write(delta("Hel").replace("\n", "\r\n"), delta("lo").replace("\n", "\r\n"));
      expect(text()).toBe("agent running: Hello");
      finished();
    },
  },
  {
    name: "a broken answer fails the request that it answers, and no other",
    async play() {
      const { window, wire } = await talking();
      bench.hold("thread/turns/list");
      const older = bench.connection?.client.request("thread/turns/list", { threadId: T });
      const read = bench.connection?.client.request("thread/loaded/list", {});
      const [broken, whole] = [codex().last("thread/turns/list").id, codex().last("thread/loaded/list").id];
      const failed = expect(older).rejects.toMatchObject({ code: "malformed_answer" });
      await wire.write(
        `{"id":${broken},"result":{"data":[}}\n`,
        line({ id: whole, result: { data: [], nextCursor: null } }),
      );
      await failed;
      expect(await read).toEqual({ data: [], nextCursor: null });
      expect(window.head.run?.turnId).toBe("t2");
      finished();
    },
  },
]);

const inPieces = (bytes: Buffer, size: number) =>
  Array.from({ length: Math.ceil(bytes.length / size) }, (_, at) =>
    bytes.subarray(at * size, (at + 1) * size),
  );

faults("messages that do not come whole", [
  {
    name: "byte by byte, through the middle of characters: the words are whole",
    async play() {
      const { wire, text } = await talking();
      const words = "Grüße 🦀 – 你好";
      await wire.write(...inPieces(Buffer.from(delta(words)), 1));
      expect(text()).toBe(`agent running: ${words}`);
      finished();
    },
  },
  {
    name: "a message of far more than 64 KiB in pieces of 7 bytes: whole, and everything behind it is heard",
    async play() {
      const { wire, text } = await talking();
      const words = "größer als vierundsechzig ".repeat(10_000);
      await wire.write(...inPieces(Buffer.from(completed(words)), 7));
      expect(text()).toBe(`agent completed: ${words}`);
      finished();
    },
  },
  {
    name: "many in one piece, with the beginning of one more: each is heard once, the last when it is whole",
    async play() {
      const { wire, text } = await talking();
      const last = delta("!");
      await wire.write(delta("Hel") + delta("lo") + last.slice(0, 9));
      expect(text()).toBe("agent running: Hello");
      await wire.write(last.slice(9));
      expect(text()).toBe("agent running: Hello!");
      finished();
    },
  },
  {
    name: "the end of the output in the middle of one: the connection is lost, nothing hangs, and what was shown stays with its mark",
    async play() {
      const { window, wire, text } = await talking();
      const pending = bench.connection?.client.request("thread/loaded/list", {});
      const lost = expect(pending).rejects.toMatchObject({ code: "connection_lost" });
      await wire.write(delta("Hel"), delta("lo").slice(0, 20));
      await wire.end();
      await lost;
      expect(bench.connection).toBeNull();
      expect(text()).toBe("agent running: Hel[…]");
      await bench.cut();
      recordIs([codexTurn("t2", "completed", [agentItem("m", "Hello")])]);
      await bench.reconnect();
      await later(1_000);
      expect(window.texts.at(-1)).toBe("agent completed: Hello");
    },
  },
]);
