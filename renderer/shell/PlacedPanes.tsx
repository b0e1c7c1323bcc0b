// The three panes: beside each other where there is room, the outer ones over the middle where there is not.

import { type ReactNode, useEffect, useRef } from "react";
import { threadStore } from "../state/threadStore";
import { changeLayout, closeOverlay, uiStore, useLayout } from "../state/uiStore";
import { Splitter } from "../ui/Splitter";
import { useEscapeCloses } from "../ui/useEscapeCloses";
import { inspectorLimits, paneWidths, roomOf, sidebarLimits, useWindowWidth } from "./panes";
import { useKeyboardFindsPage } from "./useKeyboardFindsPage";

export interface PlacedPanesProps {
  sidebar: ReactNode;
  middle: ReactNode;
  /** Null where there is nothing to inspect. */
  inspector: ReactNode | null;
}

export function PlacedPanes({ sidebar, middle, inspector }: PlacedPanesProps) {
  const windowPx = useWindowWidth();
  const sidebarPx = useLayout((layout) => layout.sidebarPx);
  const inspectorPx = useLayout((layout) => layout.inspectorPx);
  const sidebarOpen = useLayout((layout) => layout.sidebarOpen);
  const inspectorOpen = useLayout((layout) => layout.inspectorOpen) && inspector !== null;
  const overlay = uiStore((store) => store.overlay);
  const main = useRef<HTMLElement>(null);
  const page = useLayout((layout) => layout.page);
  const thread = threadStore((store) => (store.shown.phase === "none" ? "" : store.shown.key));
  useKeyboardFindsPage(main, page === "threads" ? `thread ${thread}` : page);
  const room = roomOf(windowPx);
  const widths = paneWidths({ sidebarPx, inspectorPx, sidebarOpen, inspectorOpen }, windowPx);
  return (
    <div className="relative flex min-h-0 flex-1">
      {widths.sidebarPx > 0 && (
        <div id="pane-sidebar" className="min-w-0 shrink-0" style={{ width: widths.sidebarPx }}>
          {sidebar}
        </div>
      )}
      {/* The edges are parts of the middle, so that nothing lies outside the landmarks. */}
      <main ref={main} tabIndex={-1} className="flex min-w-0 flex-1 focus-visible:outline-none">
        {widths.sidebarPx > 0 && (
          <Splitter
            label="Width of the sidebar"
            controls="pane-sidebar"
            pane="left"
            valuePx={widths.sidebarPx}
            minPx={sidebarLimits.minPx}
            maxPx={widths.sidebarMaxPx}
            usualPx={sidebarLimits.usualPx}
            onChange={(px) => changeLayout({ sidebarPx: px })}
          />
        )}
        <div className="flex min-w-0 flex-1 flex-col">{middle}</div>
        {widths.inspectorPx > 0 && (
          <Splitter
            label="Width of the inspector"
            controls="pane-inspector"
            pane="right"
            valuePx={widths.inspectorPx}
            minPx={inspectorLimits.minPx}
            maxPx={widths.inspectorMaxPx}
            usualPx={inspectorLimits.usualPx}
            onChange={(px) => changeLayout({ inspectorPx: px })}
          />
        )}
      </main>
      {widths.inspectorPx > 0 && (
        <aside
          id="pane-inspector"
          aria-label="Inspector"
          data-pane="inspector"
          className="flex min-h-0 min-w-0 shrink-0 flex-col bg-panel"
          style={{ width: widths.inspectorPx }}
        >
          {inspector}
        </aside>
      )}
      {room === "narrow" && overlay === "sidebar" && (
        <Overlay side="left" widthPx={Math.min(sidebarLimits.usualPx + 32, windowPx - 48)}>
          {sidebar}
        </Overlay>
      )}
      {room !== "wide" && overlay === "inspector" && inspector !== null && (
        <Overlay side="right" widthPx={Math.min(inspectorLimits.usualPx + 16, windowPx - 48)}>
          <aside
            aria-label="Inspector"
            data-pane="inspector"
            className="flex h-full min-h-0 flex-col bg-panel"
          >
            {inspector}
          </aside>
        </Overlay>
      )}
    </div>
  );
}

interface OverlayProps {
  side: "left" | "right";
  widthPx: number;
  children: ReactNode;
}

/** A pane over the middle. Escape, a click beside it and going to a thread close it; the keyboard returns to where it was. */
function Overlay({ side, widthPx, children }: OverlayProps) {
  const box = useRef<HTMLDivElement>(null);
  useEscapeCloses(closeOverlay);
  useEffect(() => {
    const before = document.activeElement;
    if (!box.current?.contains(before)) box.current?.focus();
    return () => {
      if (before instanceof HTMLElement && before.isConnected) before.focus();
    };
  }, []);
  return (
    <div className="absolute inset-0 z-30">
      <button
        type="button"
        tabIndex={-1}
        aria-label="Close the pane"
        onClick={closeOverlay}
        className="absolute inset-0 animate-fade bg-scrim"
      />
      <div
        ref={box}
        tabIndex={-1}
        className={
          side === "left"
            ? "absolute inset-y-0 left-0 border-r border-line shadow-modal focus-visible:outline-none"
            : "absolute inset-y-0 right-0 border-l border-line shadow-modal focus-visible:outline-none"
        }
        style={{ width: widthPx }}
      >
        {children}
      </div>
    </div>
  );
}
