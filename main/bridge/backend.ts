// What the bridge serves: the calls of the contract that are not the shell's own, and the topics. Implemented by
// main/app.ts out of the parts; the bridge knows nothing of what stands behind it.

import type { CallName, CallParams, CallResult } from "../../preload/contract";
import type { AppChange, AppSnapshot } from "../../preload/contract/app";
import type { RunChange, RunSnapshot } from "../../preload/contract/cells";
import type { TerminalChange, TerminalSnapshot } from "../../preload/contract/terminals";
import type { ThreadChange, ThreadSnapshot } from "../../preload/contract/thread";

/** Calls that need a window, a dialog or the desktop: main/shell answers them. */
export type ShellCall =
  | "attention.desktop"
  | "workspaces.pick"
  | "workspaces.locate"
  | "attachments.pick"
  | "attachments.save"
  | "attachments.thumbnail"
  | "codex.pick"
  | "environments.pickFile"
  | "exports.start"
  | "exports.copy"
  | "shell.openLink"
  | "shell.reveal"
  | "shell.copy"
  | "logs.tail"
  | "diagnostics.save"
  | "window.remember"
  | "window.openNew"
  | "window.close"
  | "window.drawn"
  | "window.layout"
  | "app.quit"
  | "app.about";

/** Answered by the bridge itself. */
export type BridgeCall = "subscribe" | "unsubscribe";

export type BackendCall = Exclude<CallName, ShellCall | BridgeCall>;

/** Handlers throw a Fault for expected failures; anything else that is thrown is logged and reported as `unexpected`. */
export type Handlers<Names extends CallName> = {
  [Name in Names]: (params: CallParams<Name>) => Promise<CallResult<Name>>;
};

/**
 * Takes the changes of one topic as they happen. `urgent`: an item, a turn or a request ended or began, so a person is
 * waiting for it: flush now instead of at the next frame.
 */
export type Listener<Change> = (changes: Change[], urgent: boolean) => void;

export interface OpenTopic<Snapshot> {
  /** True at the moment of opening; every later change reaches the listener. No change is in both. */
  snapshot: Snapshot;
  /** Ends the subscription. A thread that nobody shows may be unloaded. Safe to call twice. */
  close(): void;
}

export interface Topics {
  openApp(listener: Listener<AppChange>): OpenTopic<AppSnapshot>;
  /** Asks for the thread to be loaded if it is not; never waits for that. Throws Fault `thread_unknown`. */
  openThread(key: string, listener: Listener<ThreadChange>): OpenTopic<ThreadSnapshot>;
  /** Throws Fault `run_unknown`. */
  openRun(runId: string, listener: Listener<RunChange>): OpenTopic<RunSnapshot>;
  /** Throws Fault `terminal_unknown`. `now`: the same again, for a window that could not keep up. */
  openTerminal(
    terminalId: string,
    listener: Listener<TerminalChange>,
  ): OpenTopic<TerminalSnapshot> & { now(): TerminalSnapshot };
}

export interface Backend {
  handlers: Handlers<BackendCall>;
  topics: Topics;
}
