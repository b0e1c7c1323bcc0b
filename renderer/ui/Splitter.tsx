// The edge between two panes. It is 1 px to the eye, 9 px to the pointer, and a separator with a value to the keyboard:
// arrows move it, Shift makes the step larger, Home and End go to the ends, Enter and a double click go back to the usual size.

import { type KeyboardEvent, type PointerEvent, useRef } from "react";
import { cx } from "./cx";

export interface SplitterProps {
  label: string;
  /** Width (height, of a pane at the bottom) of the pane that it resizes. */
  valuePx: number;
  minPx: number;
  maxPx: number;
  usualPx: number;
  /** Which side of the splitter the pane is on. */
  pane: "left" | "right" | "bottom";
  controls: string;
  onChange: (valuePx: number) => void;
}

const stepPx = 8;
const largeStepPx = 64;

export function clamp(value: number, min: number, max: number): number {
  return Math.min(Math.max(value, min), Math.max(min, max));
}

/** Where a key takes the splitter; null: the key is not its own. */
export function splitterKey(
  press: { key: string; shiftKey: boolean },
  { valuePx, minPx, maxPx, usualPx, pane }: Omit<SplitterProps, "label" | "onChange" | "controls">,
): number | null {
  const step = (press.shiftKey ? largeStepPx : stepPx) * (pane === "left" ? 1 : -1);
  switch (press.key) {
    case pane === "bottom" ? "ArrowDown" : "ArrowRight":
      return clamp(valuePx + step, minPx, maxPx);
    case pane === "bottom" ? "ArrowUp" : "ArrowLeft":
      return clamp(valuePx - step, minPx, maxPx);
    case "Home":
      return minPx;
    case "End":
      return maxPx;
    case "Enter":
      return clamp(usualPx, minPx, maxPx);
    default:
      return null;
  }
}

export function Splitter(props: SplitterProps) {
  const { label, valuePx, minPx, maxPx, usualPx, pane, controls, onChange } = props;
  const drag = useRef<{ startAt: number; startPx: number } | null>(null);
  const isRow = pane === "bottom";
  const placeOf = (event: PointerEvent) => (isRow ? event.clientY : event.clientX);

  const move = (event: PointerEvent) => {
    if (!drag.current) return;
    const by = (placeOf(event) - drag.current.startAt) * (pane === "left" ? 1 : -1);
    onChange(clamp(drag.current.startPx + by, minPx, maxPx));
  };
  const press = (event: KeyboardEvent) => {
    const next = splitterKey(event, props);
    if (next === null) return;
    event.preventDefault();
    onChange(next);
  };

  return (
    <div className={cx("relative z-10 shrink-0", isRow ? "h-0" : "w-0")}>
      {/* biome-ignore lint/a11y/useSemanticElements: a separator that moves is a widget; <hr> cannot be one */}
      <div
        role="separator"
        tabIndex={0}
        aria-label={label}
        aria-orientation={isRow ? "horizontal" : "vertical"}
        aria-controls={controls}
        aria-valuenow={Math.round(valuePx)}
        aria-valuemin={minPx}
        aria-valuemax={Math.round(maxPx)}
        onPointerDown={(event) => {
          if (event.button !== 0) return;
          event.currentTarget.setPointerCapture(event.pointerId);
          drag.current = { startAt: placeOf(event), startPx: valuePx };
        }}
        onPointerMove={move}
        onPointerUp={() => {
          drag.current = null;
        }}
        onPointerCancel={() => {
          drag.current = null;
        }}
        onDoubleClick={() => onChange(clamp(usualPx, minPx, maxPx))}
        onKeyDown={press}
        className={cx(
          "group absolute touch-none outline-none focus-visible:outline-none",
          isRow
            ? "inset-x-0 -top-[5px] h-[9px] cursor-row-resize"
            : "inset-y-0 -left-[5px] w-[9px] cursor-col-resize",
        )}
      >
        <span
          className={cx(
            "absolute bg-line transition-colors group-hover:bg-line-strong group-focus-visible:bg-focus group-active:bg-accent",
            isRow
              ? "inset-x-0 top-1 h-px group-focus-visible:top-[3px] group-focus-visible:h-[3px]"
              : "inset-y-0 left-1 w-px group-focus-visible:left-[3px] group-focus-visible:w-[3px]",
          )}
        />
      </div>
    </div>
  );
}
