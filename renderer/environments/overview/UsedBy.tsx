import { useMemo } from "react";
import { isInEnvironment, isTerminalOpen } from "../../../preload/contract/terminals";
import { Section } from "../../inspector/Section";
import { useApp, useRows, useThreadRow } from "../../state/appStore";
import { goToThread } from "../../state/navigation";
import { changeLayout, uiStore } from "../../state/uiStore";
import { lookOf } from "../../state/words";
import { StatusDot } from "../../ui/StatusDot";
import { TitleText } from "../../ui/TitleText";

const separator = "\n";
const rowClass =
  "ring-inset flex min-h-(--h-row) w-full items-center gap-2 rounded-s px-2 text-left transition-colors hover:bg-hover";

/** The threads whose commands run there, and its terminals: the way to each of them. */
export function UsedBy({ environmentId }: { environmentId: string }) {
  const ids = useRows((rows) =>
    [...rows.values()]
      .filter((row) => row.environmentId === environmentId)
      .sort((a, b) => b.updatedAtMs - a.updatedAtMs)
      .map((row) => row.threadId)
      .join(separator),
  );
  const threadIds = useMemo(() => (ids === "" ? [] : ids.split(separator)), [ids]);
  const allTerminals = useApp((app) => app.terminals);
  const terminals = allTerminals.filter((row) => isInEnvironment(row, environmentId) && isTerminalOpen(row));
  return (
    <Section title="Used by">
      {threadIds.length === 0 && terminals.length === 0 ? (
        <p className="text-ink-3">
          No thread and no terminal. Where the commands of a thread run is chosen below its message field.
        </p>
      ) : (
        <ul aria-label="Used by" className="-mx-2 grid grid-cols-1">
          {threadIds.map((threadId) => (
            <li key={threadId}>
              <Thread threadId={threadId} />
            </li>
          ))}
          {terminals.map(({ terminalId, command }) => (
            <li key={terminalId}>
              <button
                type="button"
                title={command ?? undefined}
                className={rowClass}
                onClick={() => showTerminal(terminalId)}
              >
                <StatusDot tone="ok" />
                <span className="min-w-0 flex-1 truncate font-mono text-s">{command ?? "shell"}</span>
                <span className="text-s text-ink-3">terminal</span>
              </button>
            </li>
          ))}
        </ul>
      )}
    </Section>
  );
}

function Thread({ threadId }: { threadId: string }) {
  const row = useThreadRow(threadId);
  const workspace = useApp((app) => app.workspaces.find((each) => each.id === row?.workspaceId)?.name);
  if (!row) return null;
  return (
    <button type="button" className={rowClass} onClick={() => goToThread(row.workspaceId, threadId)}>
      <StatusDot tone={lookOf(row).tone} />
      <span className="flex min-w-0 flex-1">
        <TitleText title={row.title} />
      </span>
      <span className="max-w-60 truncate text-s text-ink-3">
        {row.archived ? "archived" : row.state}
        {workspace !== undefined && ` · ${workspace}`}
      </span>
    </button>
  );
}

function showTerminal(terminalId: string): void {
  const { environments } = uiStore.getState().layout;
  changeLayout({ environments: { ...environments, tab: "terminal", terminalId } });
}
