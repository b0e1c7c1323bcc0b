import type { Settings } from "../../preload/contract/settings";
import { call } from "../state/connection";
import { attempt } from "../state/toasts";

/** The new value comes back as a change of the app's state, so nothing is shown that main has not taken. */
export function changeSettings(change: Partial<Settings>): void {
  void attempt(call("settings.set", change));
}
