// What is owed and could not be done yet, and the way to try it now. It belongs to the app, not to the shown thread.
//
// Race: a row goes away under the keyboard, because what it stood for has succeeded, by hand or by itself. The keyboard
// then stays in its place: on the row that has come to it, or on the panel when none is left.

import { Leaf } from "lucide-react";
import { useEffect, useId, useLayoutEffect, useRef, useState } from "react";
import type { CleanupView } from "../../preload/contract/app";
import type { FaultView } from "../../preload/contract/fault";
import { useApp } from "../state/appStore";
import { retryEverything } from "../state/cleanups";
import { Button } from "../ui/Button";
import { EmptyState } from "../ui/EmptyState";
import { rowAfter } from "../ui/rowAfter";
import { CleanupRow } from "./CleanupRow";
import { pendingWords } from "./cleanupWords";
import { PlaceFault } from "./PlaceFault";

export function Cleanup() {
  const cleanups = useApp((app) => app.cleanups);
  const panel = useRef<HTMLElement>(null);
  const headingId = useId();
  useKeyboardStays(panel, cleanups);
  return (
    <section
      ref={panel}
      tabIndex={-1}
      aria-label="Cleanup"
      className="outline-none focus-visible:outline-none"
    >
      {cleanups.length === 0 ? (
        <EmptyState compact icon={<Leaf aria-hidden size={20} />} title="Nothing is waiting to be cleaned up">
          A process that does not end, or a folder that cannot be removed yet, will show here until it is
          gone.
        </EmptyState>
      ) : (
        <div className="grid grid-cols-[minmax(0,1fr)] gap-2 px-4 py-3.5">
          <Head id={headingId} cleanups={cleanups} />
          <ul aria-labelledby={headingId} className="grid grid-cols-[minmax(0,1fr)] gap-2">
            {cleanups.map((cleanup) => (
              <CleanupRow key={cleanup.id} cleanup={cleanup} />
            ))}
          </ul>
        </div>
      )}
    </section>
  );
}

function Head({ id, cleanups }: { id: string; cleanups: readonly CleanupView[] }) {
  const [busy, setBusy] = useState(false);
  const [fault, setFault] = useState<FaultView | null>(null);
  const retryAll = async () => {
    setBusy(true);
    setFault(null);
    setFault(await retryEverything(cleanups));
    setBusy(false);
  };
  return (
    <>
      {/* As high with the button as without it. */}
      <div className="flex h-6 items-center justify-between gap-3">
        <h2 id={id} className="text-xs font-semibold tracking-[0.02em] text-ink-3 tabular">
          {pendingWords(cleanups.length)}
        </h2>
        {cleanups.length > 1 && (
          <Button size="s" busy={busy} onClick={() => void retryAll()}>
            Retry all
          </Button>
        )}
      </div>
      {fault && <PlaceFault fault={fault} live />}
    </>
  );
}

function useKeyboardStays(panel: { current: HTMLElement | null }, cleanups: readonly CleanupView[]): void {
  const rowIds = useRef<readonly string[]>([]);
  const heldBy = useRef<string | null>(null);
  useEffect(() => {
    const place = panel.current;
    if (!place) return;
    const moved = (event: FocusEvent) => {
      const row = event.target instanceof Element ? event.target.closest<HTMLElement>("[data-row]") : null;
      heldBy.current = row && place.contains(row) ? (row.dataset.row ?? null) : null;
    };
    // A row that goes away takes the keyboard with it without a word: until the next `focusin`, it was there.
    document.addEventListener("focusin", moved);
    return () => document.removeEventListener("focusin", moved);
  }, [panel]);
  useLayoutEffect(() => {
    const before = rowIds.current;
    const now = cleanups.map(({ id }) => id);
    rowIds.current = now;
    const held = heldBy.current;
    if (held === null || now.includes(held) || document.activeElement !== document.body) return;
    const next = rowAfter(held, before, now);
    const row = next === null ? null : panel.current?.querySelector(`[data-row="${CSS.escape(next)}"]`);
    heldBy.current = null;
    (row?.querySelector<HTMLElement>("[data-row-stop]") ?? panel.current)?.focus();
  }, [panel, cleanups]);
}
