import { Activity, ChevronUp, FlaskConical, Plug, RotateCw, ScrollText } from "lucide-react";
import { count } from "../conversation/time/durations";
import { ExportsUnderWay } from "../exporting/ExportsUnderWay";
import { pendingWords } from "../inspector/cleanupWords";
import { appStore, useApp, useWorkspace } from "../state/appStore";
import { goToCodex } from "../state/navigation";
import { goToRuns } from "../state/runActions";
import { send } from "../state/signals";
import { restartSession } from "../state/threadActions";
import { threadStore } from "../state/threadStore";
import { showDialog, useLayout } from "../state/uiStore";
import { isUnderWay, sessionLook } from "../state/words";
import { MenuButton, MenuItem } from "../ui/Menu";
import { StatusDot } from "../ui/StatusDot";
import { LimitStatus } from "./LimitStatus";

/** The workspace that the window shows: that of the shown thread, or the one that was chosen last. */
export function useShownWorkspace() {
  const chosen = useLayout((layout) => layout.workspaceId);
  const ofThread = threadStore((store) =>
    store.shown.phase === "shown" ? store.shown.copy.head.workspaceId : null,
  );
  return useWorkspace(ofThread ?? chosen);
}

export function StatusBar() {
  return (
    <footer
      data-pane="status"
      className="flex h-(--h-bar) shrink-0 items-center gap-3 border-t border-line bg-panel px-1.5 text-xs text-ink-2 tabular"
    >
      <SessionStatus />
      <span className="flex-1" />
      <ExportsUnderWay />
      <Scripts />
      <PendingCleanup />
      <Sessions />
      <LimitStatus />
      <AccountStatus />
    </footer>
  );
}

function SessionStatus() {
  const workspace = useShownWorkspace();
  const detached = appStore((store) => store.detached);
  const codexMissing = useApp((app) => app.codex.state === "missing");
  const look = detached
    ? { tone: "bad" as const, word: "disconnected from Holdfast" }
    : codexMissing
      ? { tone: "bad" as const, word: "codex not found" }
      : workspace
        ? sessionLook(workspace.session)
        : { tone: "hollow" as const, word: "no workspace" };
  const fault =
    workspace && (workspace.session.state === "disconnected" || workspace.session.state === "reconnecting")
      ? workspace.session.fault
      : null;
  return (
    <output aria-label="Session" className="flex min-w-0 items-center">
      {workspace ? (
        <MenuButton
          side="top"
          button={
            <button
              type="button"
              title={fault?.message ?? `codex in ${workspace.name}`}
              className="ring-inset flex h-5 min-w-0 items-center gap-1.5 rounded-xs px-1.5 transition-colors hover:bg-hover data-popup-open:bg-hover"
            >
              <StatusDot tone={look.tone} className={look.tone === "busy" ? "size-2.5" : "size-[7px]"} />
              <span className="truncate">{look.word}</span>
              <ChevronUp aria-hidden size={11} className="shrink-0 text-ink-3" />
            </button>
          }
        >
          <SessionMenu workspaceId={workspace.id} name={workspace.name} />
        </MenuButton>
      ) : (
        <span className="flex items-center gap-1.5 px-1.5">
          <StatusDot tone={look.tone} className="size-[7px]" />
          {look.word}
        </span>
      )}
    </output>
  );
}

function SessionMenu({ workspaceId, name }: { workspaceId: string; name: string }) {
  const workspace = useWorkspace(workspaceId);
  const connected = workspace?.session.state === "connected" ? workspace.session : null;
  return (
    <>
      <div className="px-2 pt-1 pb-1.5 text-s text-ink-3">
        <div className="font-medium text-ink">{name}</div>
        {connected && (
          <div className="tabular">
            codex {connected.codexVersion} · process {connected.pid}
          </div>
        )}
        {connected?.endsWithApp && (
          <div className="max-w-72 text-pretty">
            This codex cannot be left running on its own: it ends when Holdfast does.
          </div>
        )}
      </div>
      <MenuItem icon={<RotateCw size={14} />} onSelect={() => void restartSession(workspaceId)}>
        Restart codex
      </MenuItem>
      <MenuItem
        icon={<ScrollText size={14} />}
        onSelect={() =>
          showDialog({ kind: "log", log: { log: "session", workspaceId }, title: `Log of codex in ${name}` })
        }
      >
        Show log
      </MenuItem>
      <MenuItem icon={<Plug size={14} />} shortcut="mod+shift+x" onSelect={() => goToCodex()}>
        Servers, skills, models, usage
      </MenuItem>
      <MenuItem
        icon={<Activity size={14} />}
        shortcut="mod+shift+d"
        onSelect={() => goToCodex("diagnostics")}
      >
        Diagnostics
      </MenuItem>
    </>
  );
}

/** Nothing at all while none runs. */
function Scripts() {
  const running = useApp((app) => app.runs.filter((run) => isUnderWay(run.state)).length);
  if (running === 0) return null;
  return (
    <output aria-label="Scripts" className="flex shrink-0">
      <button
        type="button"
        title={running === 1 ? "Show its run" : "Show the runs"}
        onClick={goToRuns}
        className="ring-inset flex h-5 items-center gap-1.5 rounded-xs px-1.5 whitespace-nowrap transition-colors hover:bg-hover"
      >
        <StatusDot tone="busy" className="size-2.5" />
        {count(running, "script")} running
      </button>
    </output>
  );
}

/** Nothing at all while nothing is owed. */
function PendingCleanup() {
  const owed = useApp((app) => app.cleanups.length);
  if (owed === 0) return null;
  return (
    <output aria-label="Pending cleanup" className="flex shrink-0">
      <button
        type="button"
        title="Show what is waiting to be cleaned up"
        onClick={() => send("show-cleanup")}
        className="ring-inset flex h-5 items-center gap-1.5 rounded-xs px-1.5 whitespace-nowrap text-warn transition-colors hover:bg-hover"
      >
        <StatusDot tone="warn" className="size-[7px]" />
        {pendingWords(owed)}
      </button>
    </output>
  );
}

function Sessions() {
  const live = useApp((app) => app.workspaces.filter((each) => each.session.state === "connected").length);
  const demo = useShownWorkspace()?.demo ?? false;
  return (
    <>
      {demo && (
        <span className="flex items-center gap-1.5 whitespace-nowrap text-accent">
          <FlaskConical aria-hidden size={12} />
          Demo: answers come from a script, not from a model
        </span>
      )}
      {live > 1 && <span className="whitespace-nowrap max-mid:hidden">{live} sessions</span>}
    </>
  );
}

function AccountStatus() {
  const account = useApp((app) => app.account);
  const localModel = useApp((app) => app.settings.localModel);
  const words = localModel
    ? `local model · ${localModel.model}`
    : account.state === "signed in"
      ? [account.label, account.plan].filter(Boolean).join(" · ")
      : account.state === "not needed" && account.provider
        ? `model provider · ${account.provider}`
        : account.state === "signed out"
          ? "signed out"
          : null;
  if (words === null) return null;
  return (
    <button
      type="button"
      title="Account settings"
      onClick={() => showDialog({ kind: "settings", section: "account" })}
      className="ring-inset h-5 max-w-80 truncate rounded-xs px-1.5 transition-colors hover:bg-hover max-mid:hidden"
    >
      {words}
    </button>
  );
}
