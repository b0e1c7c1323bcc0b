// Messages over the standard input and output of a codex process: the fallback for versions that cannot listen on a socket.
//
// Races settled here:
// - codex goes away while we write: the pipe's error (EPIPE) is an event on the stream, and an unheard one would end the
//   whole app. It ends the transport, as the end of the output does; whichever comes first counts, the other is ignored.
// - codex writes its last message and ends: Node closes our end of its input at once, with the message still in the pipe. So
//   only an error on the input or the end of the output is the end.
// - The output ends in the middle of a message: reported in the reason; the piece is not handed over.
// - Closing while codex still writes: its output is read to the end and thrown away, so that a full pipe does not keep codex
//   from ending.
// Closing ends codex's input, which makes codex end its tools and itself. The process belongs to the caller.

import type { Readable, Writable } from "node:stream";
import type { Log } from "../log";
import { LineSplitter } from "./lineSplitter";
import type { Transport, TransportClosed, TransportHandlers } from "./transport";

export interface StdioStreams {
  stdin: Writable;
  stdout: Readable;
}

export function createStdioTransport(
  streams: StdioStreams,
  handlers: TransportHandlers,
  log: Log,
): Transport {
  const { stdin, stdout } = streams;
  let isOpen = true;
  const splitter = new LineSplitter({
    onLine(line) {
      if (isOpen) handlers.onMessage(line);
    },
    onOversizedLine: (bytes) =>
      log.error("message from codex dropped: longer than a string can be", { bytes }),
  });

  const closed = (reason: TransportClosed) => {
    if (!isOpen) return;
    isOpen = false;
    const { lines, bytes, recent } = splitter.noise;
    if (lines > 0)
      log.warn("codex's output had lines that are no messages", { lines, bytes, recent: recent.slice(-3) });
    handlers.onClosed(reason);
  };
  const outputEnded = () => {
    if (!isOpen) return;
    const end = splitter.end();
    const detail =
      end.kind === "clean"
        ? "codex ended its output"
        : `codex ended its output in the middle of a message, after ${end.bytes} bytes of it`;
    closed({ by: "codex", detail });
  };

  stdout.on("data", (chunk: Buffer) => {
    if (isOpen) splitter.push(chunk);
  });
  stdout.on("end", outputEnded);
  stdout.on("close", outputEnded);
  stdout.on("error", (cause) =>
    closed({ by: "failure", detail: `codex's output broke: ${cause.message}`, cause }),
  );
  stdin.on("error", (cause) =>
    closed({ by: "failure", detail: `codex's input broke: ${cause.message}`, cause }),
  );

  return {
    send(text) {
      if (!isOpen || !stdin.writable) return false;
      stdin.write(`${text}\n`);
      return true;
    },
    close() {
      if (!isOpen) return;
      closed({ by: "holdfast" });
      stdin.end();
    },
    get bufferedBytes() {
      return stdin.writableLength;
    },
  };
}
