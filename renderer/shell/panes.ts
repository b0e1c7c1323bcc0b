// How the three panes share the window's width. Pure sums at the top; what opens and closes them below.

import { useSyncExternalStore } from "react";
import type { Layout } from "../../preload/contract/layout";
import { send, sendSoon } from "../state/signals";
import { changeLayout, uiStore } from "../state/uiStore";
import { clamp } from "../ui/Splitter";

/** `wide`: three panes beside each other. `mid`: the inspector lies over the middle. `narrow`: the sidebar does too. */
export type Room = "wide" | "mid" | "narrow";

export const sidebarLimits = { minPx: 200, usualPx: 268, mostPx: 480 };
export const inspectorLimits = { minPx: 280, usualPx: 344, mostPx: 720 };
const middleMinPx = 440;

export function roomOf(windowPx: number): Room {
  if (windowPx < 640) return "narrow";
  return windowPx < 900 ? "mid" : "wide";
}

export interface PaneWidths {
  /** 0: not beside the middle. */
  sidebarPx: number;
  inspectorPx: number;
  sidebarMaxPx: number;
  inspectorMaxPx: number;
}

/** The widths that are drawn. What was chosen is kept as it is, so that a window made wide again looks as before. */
export function paneWidths(
  layout: Pick<Layout, "sidebarPx" | "inspectorPx" | "sidebarOpen" | "inspectorOpen">,
  windowPx: number,
): PaneWidths {
  const room = roomOf(windowPx);
  const hasSidebar = layout.sidebarOpen && room !== "narrow";
  const hasInspector = layout.inspectorOpen && room === "wide";
  const sidebarLeast = hasSidebar ? sidebarLimits.minPx : 0;
  const inspectorMaxPx = clamp(
    windowPx - middleMinPx - sidebarLeast,
    inspectorLimits.minPx,
    inspectorLimits.mostPx,
  );
  const inspectorPx = hasInspector ? clamp(layout.inspectorPx, inspectorLimits.minPx, inspectorMaxPx) : 0;
  const sidebarMaxPx = clamp(windowPx - middleMinPx - inspectorPx, sidebarLimits.minPx, sidebarLimits.mostPx);
  const sidebarPx = hasSidebar ? clamp(layout.sidebarPx, sidebarLimits.minPx, sidebarMaxPx) : 0;
  return { sidebarPx, inspectorPx, sidebarMaxPx, inspectorMaxPx };
}

function onResize(listener: () => void): () => void {
  window.addEventListener("resize", listener);
  return () => window.removeEventListener("resize", listener);
}

export function useWindowWidth(): number {
  return useSyncExternalStore(onResize, () => window.innerWidth);
}

export function useRoom(): Room {
  return useSyncExternalStore(onResize, () => roomOf(window.innerWidth));
}

export function toggleSidebar(): void {
  const { layout, overlay } = uiStore.getState();
  if (roomOf(window.innerWidth) === "narrow") {
    uiStore.setState({ overlay: overlay === "sidebar" ? null : "sidebar" });
  } else changeLayout({ sidebarOpen: !layout.sidebarOpen });
}

export function toggleInspector(): void {
  const { layout, overlay } = uiStore.getState();
  uiStore.setState({ inspectorAsked: false });
  if (roomOf(window.innerWidth) !== "wide") {
    uiStore.setState({ overlay: overlay === "inspector" ? null : "inspector" });
  } else changeLayout({ inspectorOpen: !layout.inspectorOpen });
}

/** Makes the sidebar visible, for something in it that is asked for by name. */
export function showSidebar(): void {
  if (roomOf(window.innerWidth) === "narrow") uiStore.setState({ overlay: "sidebar" });
  else if (!uiStore.getState().layout.sidebarOpen) changeLayout({ sidebarOpen: true });
}

/** Makes the inspector visible, with or without a thread, and hands it the keyboard. Only the page of threads has one. */
export function showInspectorTab(inspectorTab: string): void {
  const wide = roomOf(window.innerWidth) === "wide";
  const place = { inspectorTab, page: "threads" } as const;
  changeLayout(wide ? { ...place, inspectorOpen: true } : place);
  uiStore.setState(wide ? { inspectorAsked: true } : { inspectorAsked: true, overlay: "inspector" });
  sendSoon("focus-inspector");
}

const paneOrder = [
  "sidebar",
  "conversation",
  "composer",
  "changes-list",
  "changes",
  "search",
  "cells-list",
  "cells-script",
  "cells-run",
  "environments-list",
  "environment",
  "codex",
  "terminals",
  "inspector",
  "status",
] as const;

const firstStop =
  'a[href], button:not([tabindex="-1"]), input, textarea, [contenteditable="true"], [tabindex]:not([tabindex="-1"])';

/**
 * Panes mark themselves with `data-pane`. Each pane that is on screen is one stop; what asks the person something in it comes
 * first.
 */
export function focusNextPane(by: 1 | -1): void {
  const panes = paneOrder
    .map((name) => document.querySelector<HTMLElement>(`[data-pane="${name}"]`))
    .filter((pane) => pane !== null && pane.offsetParent !== null);
  const from = panes.findIndex((pane) => pane?.contains(document.activeElement));
  for (let step = 1; step <= panes.length; step += 1) {
    const index = from === -1 && by === -1 ? panes.length - step : from + by * step;
    const pane = panes[((index % panes.length) + panes.length) % panes.length];
    if (!pane) continue;
    if (pane.dataset.pane === "composer") {
      send("focus-composer");
      if (pane.contains(document.activeElement)) return;
    }
    const stop =
      firstShown(pane, "[data-pane-first]") ??
      firstShown(pane, "[data-pane-stop]") ??
      firstShown(pane, firstStop);
    if (!stop) continue;
    stop.focus();
    if (pane.contains(document.activeElement)) return;
  }
}

/** What is there for a wider pane only cannot take the keyboard now. */
function firstShown(pane: HTMLElement, selector: string): HTMLElement | undefined {
  return [...pane.querySelectorAll<HTMLElement>(selector)].find((stop) => stop.offsetParent !== null);
}
