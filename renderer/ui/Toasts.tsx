import { CircleAlert, CircleCheck, Info, TriangleAlert, X } from "lucide-react";
import { useEffect, useState } from "react";
import { dismissToast, type Toast, toastStore } from "../state/toasts";
import { Button } from "./Button";
import { Details } from "./Details";
import { IconButton } from "./IconButton";
import { Said } from "./Said";

const icons = {
  info: <Info size={16} className="text-accent" />,
  ok: <CircleCheck size={16} className="text-ok" />,
  warning: <TriangleAlert size={16} className="text-warn" />,
  error: <CircleAlert size={16} className="text-bad" />,
};

/** On a busy machine a part of it passes before it is drawn. */
const shownMs = { info: 6_000, ok: 6_000, warning: 10_000 };

/** At the right, above the status bar and the composer, whose buttons they do not cover. What went wrong stays until it is dismissed; the rest goes by itself. */
export function Toasts() {
  const toasts = toastStore((store) => store.toasts);
  return (
    <section
      aria-label="Notifications"
      className="pointer-events-none fixed right-3 bottom-[calc(var(--h-bar)+var(--h-composer,0px)+12px)] z-60 flex w-90 max-w-[calc(100vw-24px)] flex-col gap-2"
    >
      {toasts.map((toast) => (
        <ToastCard key={toast.id} toast={toast} />
      ))}
    </section>
  );
}

function ToastCard({ toast }: { toast: Toast }) {
  const [held, setHeld] = useState(false);
  const { id, tone } = toast;
  const forMs = tone === "error" ? null : (toast.shownMs ?? shownMs[tone]);
  useEffect(() => {
    if (forMs === null || held) return;
    const timer = setTimeout(() => dismissToast(id), forMs);
    return () => clearTimeout(timer);
  }, [id, forMs, held]);
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: being looked at only keeps it from going away by itself
    <div
      role={tone === "error" ? "alert" : "status"}
      onPointerEnter={() => setHeld(true)}
      onPointerLeave={() => setHeld(false)}
      onFocus={() => setHeld(true)}
      onBlur={() => setHeld(false)}
      className="pointer-events-auto flex animate-appear gap-2.5 rounded-m border border-line bg-raised px-3 py-2.5 shadow-pop"
    >
      <span aria-hidden className="mt-0.5 shrink-0">
        {icons[tone]}
      </span>
      <div className="grid min-w-0 flex-1 gap-1">
        <p className="font-medium text-pretty break-words selectable">
          <Said>{toast.text}</Said>
        </p>
        {toast.hint && (
          <p className="text-s text-pretty text-ink-2 selectable">
            <Said>{toast.hint}</Said>
          </p>
        )}
        {toast.detail && <Details text={toast.detail} />}
        {toast.actions.length > 0 && (
          <div className="mt-1 flex flex-wrap gap-2">
            {toast.actions.map(({ label, run }) => (
              <Button
                key={label}
                size="s"
                onClick={() => {
                  dismissToast(id);
                  run();
                }}
              >
                {label}
              </Button>
            ))}
          </div>
        )}
      </div>
      <IconButton
        label="Dismiss"
        size="s"
        icon={<X size={14} />}
        onClick={() => dismissToast(id)}
        className="-mt-0.5 -mr-1"
      />
    </div>
  );
}
