// Sessions that run with what they have read before: each can be started again, at once where nothing runs in it.

import { useApp, useRows } from "../../state/appStore";
import { restartSession } from "../../state/threadActions";
import { busyStates } from "../../state/words";
import { Button } from "../../ui/Button";

export function RestartNotice() {
  const workspaces = useApp((app) => app.workspaces);
  const busy = useRows((rows) =>
    [...rows.values()]
      .filter(({ state }) => busyStates.has(state))
      .map(({ workspaceId }) => workspaceId)
      .sort()
      .join(" "),
  ).split(" ");
  const live = workspaces.filter(({ demo, session }) => !demo && session.state === "connected");
  if (live.length === 0) return null;
  const idle = live.filter(({ id }) => !busy.includes(id));
  return (
    <div className="grid w-full gap-1.5">
      {live.map(({ id, name }) => {
        const isBusy = busy.includes(id);
        return (
          <div key={id} className="flex items-center gap-2 text-s">
            <span className="min-w-0 flex-1 truncate">
              {name}
              <span className="text-ink-3">
                {isBusy ? " · a turn runs; restart it when that is done" : ""}
              </span>
            </span>
            <Button size="s" disabled={isBusy} onClick={() => void restartSession(id)}>
              {`Restart codex in ${name}`}
            </Button>
          </div>
        );
      })}
      {idle.length > 1 && (
        <div>
          <Button
            size="s"
            onClick={() => {
              for (const { id } of idle) void restartSession(id);
            }}
          >
            {`Restart all ${idle.length} in which nothing runs`}
          </Button>
        </div>
      )}
    </div>
  );
}
