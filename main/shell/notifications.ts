// The desktop's notifications. Each is held here for as long as it is shown: one that is forgotten loses its click.

import { Notification } from "electron";
import type { NotificationCard } from "../attention/attention";
import type { Log } from "../log";

export interface NotificationEvents {
  clicked(id: string): void;
  chosen(id: string, decisionId: string): void;
  closed(id: string): void;
}

/** Elsewhere a click leads to the card, where the same decisions are. */
const hasButtons = process.platform === "darwin" || process.platform === "win32";

export class Notifications {
  readonly #shown = new Map<string, Notification>();
  readonly #log: Log;
  readonly #events: NotificationEvents;

  constructor(log: Log, events: NotificationEvents) {
    this.#log = log;
    this.#events = events;
  }

  static get areSupported(): boolean {
    return Notification.isSupported();
  }

  show(card: NotificationCard): void {
    if (!Notifications.areSupported) return;
    const { id, title, body, decisions, sound } = card;
    this.withdraw(id);
    const notification = new Notification({
      title,
      body,
      silent: !sound,
      actions: hasButtons ? decisions.map(({ label }) => ({ type: "button", text: label })) : [],
    });
    const once = (then: () => void) => () => {
      if (this.#shown.get(id) !== notification) return;
      this.#shown.delete(id);
      then();
    };
    notification.on(
      "click",
      once(() => this.#events.clicked(id)),
    );
    notification.on(
      "close",
      once(() => this.#events.closed(id)),
    );
    notification.on("action", (_event, index) => {
      const decision = decisions[index];
      if (decision) once(() => this.#events.chosen(id, decision.id))();
    });
    notification.on("failed", (_event, error) => {
      this.#log.warn("A notification could not be shown", { error });
      once(() => this.#events.closed(id))();
    });
    this.#shown.set(id, notification);
    notification.show();
  }

  withdraw(id: string): void {
    const notification = this.#shown.get(id);
    // First, so that its closing is not taken for the person's.
    this.#shown.delete(id);
    notification?.close();
  }
}
