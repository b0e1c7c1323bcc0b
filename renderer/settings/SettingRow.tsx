import type { ReactNode } from "react";

export interface SettingRowProps {
  title: string;
  description?: ReactNode;
  children: ReactNode;
}

/** A setting with its words at the left and its control at the right. */
export function SettingRow({ title, description, children }: SettingRowProps) {
  return (
    <div className="flex flex-wrap items-center gap-x-4 gap-y-1.5">
      <div className="grid min-w-48 flex-1">
        <span className="font-medium">{title}</span>
        {description !== undefined && <span className="text-s text-pretty text-ink-3">{description}</span>}
      </div>
      <div className="flex shrink-0 items-center">{children}</div>
    </div>
  );
}

export function SettingGroup({ title, children }: { title?: string; children: ReactNode }) {
  return (
    <section className="mb-7 grid gap-4 last:mb-0">
      {title !== undefined && <h3 className="text-xs font-semibold text-ink-3">{title}</h3>}
      {children}
    </section>
  );
}
