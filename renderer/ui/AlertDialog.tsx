import { AlertDialog as Base } from "@base-ui/react/alert-dialog";
import { type ReactNode, useRef } from "react";
import { Button } from "./Button";
import { cx } from "./cx";
import { backdropClass, popupClass } from "./Dialog";
import { take } from "./takenEvents";
import { useKeyboardBack } from "./useKeyboardBack";

export interface AlertDialogProps {
  open: boolean;
  title: string;
  children: ReactNode;
  /** A verb: what will be done. */
  confirmLabel: string;
  cancelLabel?: string;
  tone?: "default" | "danger";
  onConfirm: () => void;
  onCancel: () => void;
}

/** Asks before something that cannot be taken back. The keyboard starts on the harmless answer. */
export function AlertDialog({
  open,
  title,
  children,
  confirmLabel,
  cancelLabel = "Cancel",
  tone = "default",
  onConfirm,
  onCancel,
}: AlertDialogProps) {
  const cancel = useRef<HTMLButtonElement>(null);
  const popup = useRef<HTMLDivElement>(null);
  const whereToGo = useKeyboardBack(popup, open);
  return (
    <Base.Root open={open} onOpenChange={(next, { event }) => !next && take(event) && onCancel()}>
      <Base.Portal>
        <Base.Backdrop className={backdropClass} />
        <Base.Popup
          ref={popup}
          initialFocus={cancel}
          finalFocus={whereToGo}
          className={cx(popupClass, "top-[20vh] max-w-105 gap-2 p-5")}
        >
          <Base.Title className="text-l font-semibold text-balance">{title}</Base.Title>
          <Base.Description render={<div />} className="text-ink-2 text-pretty">
            {children}
          </Base.Description>
          <div className="mt-3 flex justify-end gap-2">
            <Button ref={cancel} onClick={onCancel}>
              {cancelLabel}
            </Button>
            <Button tone={tone === "danger" ? "danger" : "primary"} onClick={onConfirm}>
              {confirmLabel}
            </Button>
          </div>
        </Base.Popup>
      </Base.Portal>
    </Base.Root>
  );
}
