// Holdfast's home has gone while Holdfast lives: it is said, and what Holdfast has started is ended, as nothing of it is on
// record any more: nobody could find it after this Holdfast. The windows stay, with what has been written in them.

import type { Clock } from "../clock";
import { Fault } from "../fault";
import type { Log } from "../log";
import { markHome } from "../supervisor/homeMark";
import { HomeWatch } from "../supervisor/homeWatch";
import type { AppTopic } from "./appTopic";
import { type Ending, endWhatRuns } from "./shutDown";

export function watchHome(
  core: Ending & { app: AppTopic },
  { home, clock, log }: { home: string; clock: Clock; log: Log },
): HomeWatch {
  const mark = markHome(home, core.ledger.path, log);
  return new HomeWatch({ home: mark, clock, onGone: () => void homeGone(core, home, log) });
}

async function homeGone(core: Ending & { app: AppTopic }, home: string, log: Log): Promise<void> {
  const fault = new Fault("home_gone", `The folder of Holdfast's own data is not there any more: ${home}`, {
    hint: "Copy what you have not sent, then quit Holdfast and start it again.",
  });
  log.error("the home has gone; what runs is ended", { home });
  core.app.notice("home", {
    tone: "error",
    text: `${fault.message}. It was removed or moved, or another one is in its place. What was running is ended, since nothing can be kept any more.`,
    hint: fault.hint ?? null,
    detail: null,
  });
  await endWhatRuns(core, fault, log);
}
