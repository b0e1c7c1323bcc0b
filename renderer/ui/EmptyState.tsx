import type { ReactNode } from "react";
import { cx } from "./cx";
import { Said } from "./Said";

export interface EmptyStateProps {
  icon?: ReactNode;
  title: string;
  children?: ReactNode;
  actions?: ReactNode;
  /** In a pane at the side: smaller, and at the top. */
  compact?: boolean;
}

/** What a place says while there is nothing in it. */
export function EmptyState({ icon, title, children, actions, compact = false }: EmptyStateProps) {
  return (
    <div
      className={cx(
        "mx-auto flex max-w-96 flex-col items-center gap-2 text-center",
        compact ? "px-4 py-8" : "p-8",
      )}
    >
      {icon !== undefined && <div className="mb-1 text-ink-3">{icon}</div>}
      <p className={cx("font-semibold text-balance", compact ? "text-m" : "text-l")}>
        <Said>{title}</Said>
      </p>
      {children !== undefined && (
        <div className="text-m text-pretty text-ink-2">
          <Said>{children}</Said>
        </div>
      )}
      {actions !== undefined && <div className="mt-2 flex flex-wrap justify-center gap-2">{actions}</div>}
    </div>
  );
}
