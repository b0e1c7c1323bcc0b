// Answers what a window asks of terminals.

import type { Terminals } from "../terminals/terminals";
import type { BackendCall, Handlers } from "./backend";

type TerminalCall = Extract<BackendCall, `terminals.${string}`>;

const done = { done: true } as const;

export function terminalHandlers(terminals: Terminals): Handlers<TerminalCall> {
  return {
    async "terminals.open"(request) {
      return { terminalId: terminals.start(request) };
    },
    async "terminals.write"({ terminalId, bytes }) {
      await terminals.write(terminalId, bytes);
      return done;
    },
    async "terminals.resize"({ terminalId, columns, rows }) {
      await terminals.resize(terminalId, { columns, rows });
      return done;
    },
    async "terminals.rename"({ terminalId, name }) {
      terminals.rename(terminalId, name);
      return done;
    },
    async "terminals.interrupt"({ terminalId }) {
      await terminals.interrupt(terminalId);
      return done;
    },
    async "terminals.end"({ terminalId }) {
      await terminals.end(terminalId);
      return done;
    },
    async "terminals.close"({ terminalId }) {
      await terminals.close(terminalId);
      return done;
    },
  };
}
