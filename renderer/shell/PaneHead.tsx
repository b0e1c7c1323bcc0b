import { PanelLeft, PanelRight } from "lucide-react";
import type { ReactNode } from "react";
import { uiStore, useLayout } from "../state/uiStore";
import { IconButton } from "../ui/IconButton";
import { AppNotices } from "./Banners";
import { toggleInspector, toggleSidebar, useRoom } from "./panes";

/**
 * The head of the middle pane: what is in it, between the two buttons for the panes beside it. Below it stands what main has to
 * say, whatever the middle shows.
 */
export function PaneHead({ children, inspector = true }: { children: ReactNode; inspector?: boolean }) {
  const room = useRoom();
  const overlay = uiStore((store) => store.overlay);
  const sidebarOpen = useLayout((layout) => layout.sidebarOpen);
  const inspectorOpen = useLayout((layout) => layout.inspectorOpen);
  const asked = uiStore((store) => store.inspectorAsked);
  const sidebarShown = room === "narrow" ? overlay === "sidebar" : sidebarOpen;
  const inspectorShown = room === "wide" ? inspectorOpen : overlay === "inspector";
  return (
    <>
      <header className="@container flex h-(--h-head) shrink-0 items-center border-b border-line px-2">
        <IconButton
          label={sidebarShown ? "Hide the sidebar" : "Show the sidebar"}
          shortcut="mod+b"
          aria-expanded={sidebarShown}
          icon={<PanelLeft size={16} />}
          onClick={toggleSidebar}
        />
        <div className="mx-2 flex min-w-0 flex-1 items-center gap-2.5">{children}</div>
        {(inspector || asked) && (
          <IconButton
            label={inspectorShown ? "Hide the inspector" : "Show the inspector"}
            shortcut="mod+alt+b"
            aria-expanded={inspectorShown}
            icon={<PanelRight size={16} />}
            onClick={toggleInspector}
          />
        )}
      </header>
      <AppNotices />
    </>
  );
}
