// The page of environments: the list of them, and beside it the one that is shown.

import { PanelLeftClose, PanelLeftOpen } from "lucide-react";
import { useRef } from "react";
import { PaneHead } from "../shell/PaneHead";
import { useApp } from "../state/appStore";
import { changeLayout, useLayout } from "../state/uiStore";
import { IconButton } from "../ui/IconButton";
import { ListOver } from "../ui/ListOver";
import { Splitter } from "../ui/Splitter";
import { useKeyboardStays } from "../ui/useKeyboardStays";
import { useWidth } from "../ui/useWidth";
import { EnvironmentHead } from "./EnvironmentHead";
import { EnvironmentTabs } from "./EnvironmentTabs";
import { shownOf } from "./environmentLook";
import { environmentsStore } from "./environmentsStore";
import { EnvironmentList } from "./list/EnvironmentList";
import { Start } from "./Start";

const closeList = () => environmentsStore.setState({ listOver: false });
const listLimits = { minPx: 180, usualPx: 240, mostPx: 420 };
const restMinPx = 420;

export function EnvironmentsPage() {
  const wanted = useLayout((layout) => layout.environments.environmentId);
  const panes = useLayout((layout) => layout.environmentPanes);
  // One that is gone gives way to the first; without any, the page says what they are for.
  const shown = useApp(({ environments }) => shownOf(environments, wanted));
  const page = useRef<HTMLDivElement>(null);
  const { box, widthPx } = useWidth(1000);
  const listOver = environmentsStore((store) => store.listOver);
  useKeyboardStays(page);
  const isNarrow = widthPx < listLimits.minPx + restMinPx;
  const listMaxPx = Math.max(listLimits.minPx, Math.min(listLimits.mostPx, widthPx - restMinPx));
  const hasList = shown !== undefined;
  const listShown = hasList && (isNarrow ? listOver : panes.listOpen);
  const shownId = shown?.environmentId ?? null;
  const toggleList = () => {
    if (isNarrow) environmentsStore.setState({ listOver: !listOver });
    else changeLayout({ environmentPanes: { ...panes, listOpen: !panes.listOpen } });
  };
  return (
    <div ref={page} className="flex min-h-0 flex-1 flex-col">
      <PaneHead inspector={false}>
        {hasList && (
          <IconButton
            label={listShown ? "Hide the list of environments" : "Show the list of environments"}
            aria-expanded={listShown}
            icon={listShown ? <PanelLeftClose size={16} /> : <PanelLeftOpen size={16} />}
            onClick={toggleList}
            className="-ml-2"
          />
        )}
        {shown ? (
          <EnvironmentHead environment={shown} />
        ) : (
          <h1 className="truncate text-l font-semibold tracking-[-0.01em]">Environments</h1>
        )}
      </PaneHead>
      <div ref={box} className="relative flex min-h-0 flex-1">
        {listShown && !isNarrow && (
          <>
            <div
              id="environments-list"
              className="shrink-0"
              style={{ width: Math.min(panes.listPx, listMaxPx) }}
            >
              <EnvironmentList shownId={shownId} />
            </div>
            <Splitter
              label="Width of the list of environments"
              controls="environments-list"
              pane="left"
              valuePx={Math.min(panes.listPx, listMaxPx)}
              minPx={listLimits.minPx}
              maxPx={listMaxPx}
              usualPx={listLimits.usualPx}
              onChange={(listPx) => changeLayout({ environmentPanes: { ...panes, listPx } })}
            />
          </>
        )}
        <div data-pane="environment" className="flex min-w-0 flex-1 flex-col">
          {shown ? <EnvironmentTabs key={shown.environmentId} environment={shown} /> : <Start />}
        </div>
        {isNarrow && listShown && (
          <ListOver onClose={closeList}>
            <EnvironmentList shownId={shownId} />
          </ListOver>
        )}
      </div>
    </div>
  );
}
