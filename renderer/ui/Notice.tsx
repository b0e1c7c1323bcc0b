import { CircleAlert, Info, TriangleAlert, X } from "lucide-react";
import type { ReactNode } from "react";
import { cx } from "./cx";
import { Details } from "./Details";
import { IconButton } from "./IconButton";
import { Said } from "./Said";

const looks = {
  info: { box: "border-line bg-raised", icon: <Info size={16} className="text-accent" /> },
  warning: { box: "border-warn/40 bg-warn-soft", icon: <TriangleAlert size={16} className="text-warn" /> },
  error: { box: "border-bad/40 bg-bad-soft", icon: <CircleAlert size={16} className="text-bad" /> },
};

export interface NoticeProps {
  tone: keyof typeof looks;
  title: ReactNode;
  hint?: string | null;
  /** Technical detail, folded and copyable. */
  detail?: string | null;
  actions?: ReactNode;
  onDismiss?: () => void;
  /** Spoken when it appears. Leave out for what was there from the start. */
  live?: boolean;
  className?: string;
}

/** Says what happened and what can be done, in the place that it belongs to. */
export function Notice({
  tone,
  title,
  hint,
  detail,
  actions,
  onDismiss,
  live = false,
  className,
}: NoticeProps) {
  const look = looks[tone];
  return (
    <div
      role={live ? (tone === "error" ? "alert" : "status") : "note"}
      className={cx("flex gap-2.5 rounded-m border px-3 py-2.5 text-ink", look.box, className)}
    >
      <span aria-hidden className="mt-0.5 shrink-0">
        {look.icon}
      </span>
      <div className="grid min-w-0 flex-1 gap-1">
        <p className="font-medium text-pretty break-words selectable">
          <Said>{title}</Said>
        </p>
        {hint && (
          <p className="text-pretty text-ink-2 selectable">
            <Said>{hint}</Said>
          </p>
        )}
        {detail && <Details text={detail} />}
        {actions !== undefined && <div className="mt-1 flex flex-wrap gap-2">{actions}</div>}
      </div>
      {onDismiss && (
        <IconButton
          label="Dismiss"
          size="s"
          icon={<X size={14} />}
          onClick={onDismiss}
          className="-mt-0.5 -mr-1"
        />
      )}
    </div>
  );
}
