// A tooltip. It only repeats what a control is called, with its shortcut: everything in it is also in the accessible name.

import { Tooltip } from "@base-ui/react/tooltip";
import { type ReactElement, type ReactNode, useRef } from "react";
import { keyText } from "./keys";

export type Side = "top" | "bottom" | "left" | "right";

export interface HintProps {
  text: ReactNode;
  shortcut?: string;
  side?: Side;
  /** The control that it belongs to: one element that takes a ref and props. */
  children: ReactElement<Record<string, unknown>>;
}

export function Hint({ text, shortcut, side = "bottom", children }: HintProps) {
  const actions = useRef<Tooltip.Root.Actions>(null);
  return (
    <Tooltip.Root
      actionsRef={actions}
      onOpenChange={(open, details) => {
        if (open || details.reason !== "escape-key") return;
        // The key is meant for what the hint is in, whoever closes that; the hint goes besides.
        details.cancel();
        details.allowPropagation();
        actions.current?.close();
      }}
    >
      <Tooltip.Trigger render={children} />
      <Tooltip.Portal>
        {/* It repeats what the control is called: to assistive technology it would be the same twice. */}
        <Tooltip.Positioner aria-hidden side={side} sideOffset={6} collisionPadding={6} className="z-50">
          <Tooltip.Popup className="flex max-w-80 items-center gap-2 rounded-s bg-tip px-2 py-1 text-s text-tip-ink shadow-pop transition-opacity data-ending-style:opacity-0 data-instant:transition-none data-starting-style:opacity-0">
            <span className="min-w-0 break-words">{text}</span>
            {shortcut !== undefined && (
              <span aria-hidden className="font-mono text-xs text-tip-ink-2">
                {keyText(shortcut)}
              </span>
            )}
          </Tooltip.Popup>
        </Tooltip.Positioner>
      </Tooltip.Portal>
    </Tooltip.Root>
  );
}

/** Once around the whole window: after one hint was shown, the next one beside it comes at once. */
export function HintProvider({ children }: { children: ReactNode }) {
  return (
    <Tooltip.Provider delay={500} closeDelay={0} timeout={300}>
      {children}
    </Tooltip.Provider>
  );
}
