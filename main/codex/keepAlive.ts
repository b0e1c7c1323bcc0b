// Notices that the other end of a WebSocket has gone without a word: a machine asleep, a cable pulled, a tunnel that hangs.
//
// Race: the answer to a ping waits behind a long message that is still coming in. So every byte is a sign of life, not only
// the answer.

import type WebSocket from "ws";
import type { Clock, Timer } from "../clock";

export interface KeepAliveTimes {
  /** How often the other end is asked. */
  everyMs: number;
  /** So long without a byte after it was asked, and it has gone. */
  patienceMs: number;
}

/** To be called before the socket opens. Ends by itself when it closes. `gone` is called at most once. */
export function keepAlive(
  socket: WebSocket,
  clock: Clock,
  { everyMs, patienceMs }: KeepAliveTimes,
  gone: (error: Error) => void,
): void {
  let timer: Timer | null = null;
  socket.once("upgrade", ({ socket: line }) => {
    const wait = () => {
      timer = clock.after(everyMs, ask);
    };
    const ask = () => {
      const before = line.bytesRead;
      socket.ping();
      timer = clock.after(patienceMs, () => {
        if (line.bytesRead !== before) wait();
        else gone(new Error(`nothing was heard for ${patienceMs / 1000} s`));
      });
    };
    wait();
  });
  socket.once("close", () => timer?.cancel());
}
