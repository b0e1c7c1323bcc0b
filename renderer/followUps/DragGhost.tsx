import { createPortal } from "react-dom";

/** What is being dragged, beside the pointer. */
export function DragGhost({ x, y, text }: { x: number; y: number; text: string }) {
  return createPortal(
    <div
      aria-hidden
      style={{ translate: `${x + 10}px ${y + 8}px` }}
      className="pointer-events-none fixed top-0 left-0 z-60 max-w-60 truncate rounded-s border border-line-strong bg-raised px-2 py-1 text-s shadow-pop"
    >
      {text}
    </div>,
    document.body,
  );
}
