// What the part that tells the person of things is given of the rest of main.

import type { Settings } from "../../preload/contract/settings";
import { Attention, type NotificationCard, type Place } from "../attention/attention";
import type { Front } from "../attention/attentionMachine";
import { type Outlook, outlookOf } from "../attention/outlook";
import type { Clock } from "../clock";
import type { Log } from "../log";
import type { Threads } from "../threads/threads";
import type { AppTopic } from "./appTopic";

/** What the window in front shows; null: none is in front. */
export interface LookedAt {
  threadKey: string | null;
  runId: string | null;
}

/** The desktop, as far as it tells the person something and brings them back. */
export interface Desktop {
  inFront(): LookedAt | null;
  showNotification(card: NotificationCard): void;
  withdrawNotification(id: string): void;
  open(place: Place): void;
  /** Throws Fault `login_item_failed`. */
  openAtLogin(isOn: boolean): void;
}

/** The rest of main, as far as it is needed for that. */
export interface AttentionSource {
  clock: Clock;
  settings: Settings;
  threads: Threads;
  app: AppTopic;
}

export function attentionOf(core: AttentionSource, desktop: Desktop, log: Log): Attention {
  const front = (): Front => {
    const looked = desktop.inFront();
    if (looked === null) return { focused: false };
    const threadId = looked.threadKey && core.threads.idOf(looked.threadKey);
    return { focused: true, threadId, runId: looked.runId };
  };
  return new Attention({
    clock: core.clock,
    log,
    settings: () => core.settings.notifications,
    thread: (threadId) => {
      const row = core.threads.rows.get(threadId);
      return row && { title: row.title, workspaceId: row.workspaceId, isAgent: row.parentThreadId !== null };
    },
    lineOf: (threadId) => core.threads.rows.lineOf(threadId),
    hasWorkspace: (workspaceId) => core.app.workspace(workspaceId) !== null,
    hasRun: (runId) => core.app.state.runs.some((run) => run.runId === runId),
    front,
    show: (card) => desktop.showNotification(card),
    withdraw: (id) => desktop.withdrawNotification(id),
    open: (place) => desktop.open(place),
    answer: (answer) => core.threads.answer(answer),
    tell: (about, text, hint) => core.app.notice(about, { tone: "info", text, hint, detail: null }),
  });
}

export function outlookNow({ app, threads }: Pick<AttentionSource, "app" | "threads">): Outlook {
  return outlookOf(app.state.waiting, app.state.cellQuestions, threads.rows.all);
}
