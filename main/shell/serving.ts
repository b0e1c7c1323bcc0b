// Answers the pages of all windows. Loaded while the first window is being drawn.

import { calls } from "../../preload/contract";
import type { Handlers } from "../bridge/backend";
import { PortServer, type WindowCall } from "../bridge/portServer";
import type { Clock } from "../clock";
import type { Log } from "../log";
import type { AppWindow, Serve } from "./appWindow";
import type { Services } from "./services";
import { type ShellCallOptions, shellCalls } from "./shellCalls";

export interface ServingOptions {
  clock: Clock;
  log: Log;
  services: Services;
  /** What the calls of this window need of the desktop. */
  desktopOf(window: AppWindow): Omit<ShellCallOptions, "backend" | "facts">;
}

export function serving({ clock, log, services, desktopOf }: ServingOptions): Serve {
  const { backend } = services;
  const backendHandlers = bound(backend.handlers);
  return (port, window, closed) => {
    const handlers = {
      ...backendHandlers,
      ...shellCalls({ ...desktopOf(window), backend, facts: services }),
    };
    return new PortServer({ port, closed, handlers, topics: backend.topics, clock, log });
  };
}

/** Handlers that keep their object, wherever they are put. */
function bound<Names extends WindowCall>(handlers: Handlers<Names>): Handlers<Names> {
  const names = (Object.keys(calls) as WindowCall[]).filter((name) => name in handlers) as Names[];
  const entries = names.map((name) => [name, handlers[name].bind(handlers)]);
  return Object.fromEntries(entries) as Handlers<Names>;
}
