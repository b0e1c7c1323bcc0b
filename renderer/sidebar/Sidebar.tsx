import { FolderPlus, Plug, Settings, SquarePen } from "lucide-react";
import { useEffect } from "react";
import { useApp } from "../state/appStore";
import { goToCodex, newThread, openWorkspace, workspaceForNew } from "../state/navigation";
import { showDialog, useLayout } from "../state/uiStore";
import { Brand } from "../ui/Brand";
import { Button } from "../ui/Button";
import { cx } from "../ui/cx";
import { Drawn } from "../ui/Drawn";
import { EmptyState } from "../ui/EmptyState";
import { Hint } from "../ui/Hint";
import { IconButton } from "../ui/IconButton";
import { Kbd } from "../ui/Kbd";
import { ariaKeys } from "../ui/keys";
import { CellsEntry } from "./CellsEntry";
import { EnvironmentsEntry } from "./EnvironmentsEntry";
import { followList } from "./listStore";
import { NeedsYou } from "./NeedsYou";
import { SearchField } from "./SearchField";
import { ThreadTree } from "./ThreadTree";
import { useContentSearch } from "./useContentSearch";
import { useListLooks } from "./useListLooks";

export function Sidebar() {
  const hasWorkspaces = useApp((app) => app.workspaces.length > 0);
  const shownId = useLayout((layout) => layout.workspaceId);
  const forNew = useApp((app) => workspaceForNew(app.workspaces, shownId));
  const onCodex = useLayout((layout) => layout.page === "codex");
  useEffect(followList, []);
  useContentSearch();
  useListLooks();
  return (
    <nav aria-label="Workspaces" data-pane="sidebar" className="flex h-full min-h-0 flex-col bg-panel">
      <div className="flex h-(--h-head) shrink-0 items-center gap-2 pr-3 pl-3.5">
        <Brand size={18} />
        <span className="font-semibold tracking-[-0.01em]">Holdfast</span>
        <IconButton
          label="codex: servers, skills, models, usage"
          shortcut="mod+shift+x"
          size="s"
          icon={<Plug size={15} />}
          aria-current={onCodex ? "page" : undefined}
          className={cx("ml-auto", onCodex && "bg-sel text-ink")}
          onClick={() => goToCodex()}
        />
        <Hint text="Command palette" shortcut="mod+k">
          <button
            type="button"
            aria-label="Command palette"
            aria-keyshortcuts={ariaKeys("mod+k")}
            onClick={() => showDialog({ kind: "palette" })}
            className="flex rounded-xs"
          >
            <Kbd keys="mod+k" />
          </button>
        </Hint>
      </div>
      <div className="flex shrink-0 px-3 pb-2">
        <Button
          tone={hasWorkspaces ? "primary" : "default"}
          icon={<SquarePen aria-hidden size={14} />}
          className="h-(--h-row) min-w-0 flex-1"
          aria-description={forNew ? `in ${forNew.name}` : undefined}
          title={forNew ? `New thread in ${forNew.path}` : undefined}
          aria-keyshortcuts={ariaKeys("mod+n")}
          disabled={!hasWorkspaces}
          onClick={() => void newThread()}
        >
          <span className="flex min-w-0">
            <span className="shrink-0">New thread</span>
            {forNew && (
              <Drawn text={`in ${forNew.name}`} className="ml-1 max-w-36 truncate font-normal opacity-85" />
            )}
          </span>
        </Button>
      </div>
      <CellsEntry />
      <EnvironmentsEntry />
      {hasWorkspaces ? (
        <>
          <SearchField />
          <div className="h-1 shrink-0" />
          <NeedsYou />
          <ThreadTree />
        </>
      ) : (
        <div className="min-h-0 flex-1 overflow-y-auto">
          <EmptyState compact title="No workspaces yet">
            A workspace is a folder that agents work in. Open one, or drop it onto this window.
          </EmptyState>
        </div>
      )}
      <div className="flex h-10 shrink-0 items-center gap-1 border-t border-line px-2">
        <Button
          tone="quiet"
          icon={<FolderPlus aria-hidden size={15} />}
          aria-keyshortcuts={ariaKeys("mod+o")}
          className="flex-1 justify-start px-2"
          onClick={() => void openWorkspace()}
        >
          Open workspace
        </Button>
        <IconButton
          label="Settings"
          shortcut="mod+,"
          side="top"
          icon={<Settings size={15} />}
          onClick={() => showDialog({ kind: "settings", section: "general" })}
        />
      </div>
    </nav>
  );
}
