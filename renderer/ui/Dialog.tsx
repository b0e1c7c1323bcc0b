import { Dialog as Base } from "@base-ui/react/dialog";
import { X } from "lucide-react";
import { type ReactNode, type RefObject, useRef } from "react";
import { confirmStore } from "../state/confirm";
import { cx } from "./cx";
import { IconButton } from "./IconButton";
import { take } from "./takenEvents";
import { useAskedClose, WrittenIn } from "./written";

export const backdropClass =
  "fixed inset-0 z-40 bg-scrim transition-opacity duration-100 data-ending-style:opacity-0 data-starting-style:opacity-0";

export const popupClass =
  "fixed left-1/2 z-40 flex w-[calc(100vw-32px)] -translate-x-1/2 flex-col overflow-hidden rounded-l border border-line bg-raised text-ink shadow-modal transition-[opacity,scale] duration-100 ease-out data-ending-style:scale-[0.985] data-ending-style:opacity-0 data-starting-style:scale-[0.985] data-starting-style:opacity-0";

export interface DialogProps {
  open: boolean;
  onClose: () => void;
  title: string;
  description?: ReactNode;
  children: ReactNode;
  footer?: ReactNode;
  width?: "s" | "m" | "l";
  /** Something is written in it that only the person could write again: it is not closed without a question. */
  written?: boolean;
  /** False: whoever opens it gives the keyboard to something in it. */
  initialFocus?: RefObject<HTMLElement | null> | (() => HTMLElement | null | false);
}

const widths = { s: "max-w-105", m: "max-w-140", l: "max-w-190" };

export function Dialog({
  open,
  onClose,
  title,
  description,
  children,
  footer,
  width = "m",
  written = false,
  initialFocus,
}: DialogProps) {
  // The keyboard starts on the dialog itself, so that nothing is pressed or hinted at by accident.
  const popup = useRef<HTMLDivElement>(null);
  const { places, close } = useAskedClose(written, onClose);
  return (
    <Base.Root
      open={open}
      onOpenChange={(next, { event }) => {
        // What a question over it is answered with is not meant for it.
        if (next || confirmStore.getState().open !== null || !take(event)) return;
        close();
      }}
    >
      <Base.Portal>
        <Base.Backdrop className={backdropClass} />
        <Base.Popup
          ref={popup}
          initialFocus={initialFocus ?? popup}
          className={cx(
            popupClass,
            widths[width],
            "outline-none focus-visible:outline-none top-[8vh] max-h-[84vh]",
          )}
        >
          <header className="flex items-center gap-2 border-b border-line py-2 pr-2 pl-5">
            <Base.Title className="flex-1 text-l font-semibold">{title}</Base.Title>
            <Base.Close render={<IconButton label="Close" shortcut="escape" icon={<X size={16} />} />} />
          </header>
          <div className="min-h-0 flex-1 overflow-y-auto p-5">
            {description !== undefined && (
              <Base.Description className="mb-4 text-ink-2">{description}</Base.Description>
            )}
            <WrittenIn value={places}>{children}</WrittenIn>
          </div>
          {footer !== undefined && (
            <footer className="flex justify-end gap-2 border-t border-line px-5 py-3">{footer}</footer>
          )}
        </Base.Popup>
      </Base.Portal>
    </Base.Root>
  );
}
