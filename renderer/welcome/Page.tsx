import type { ReactNode } from "react";
import { cx } from "../ui/cx";

/** A page in the middle pane: one column, as high as it needs, scrolled when it must. */
export function Page({ children, wide = false }: { children: ReactNode; wide?: boolean }) {
  return (
    <div className="min-h-0 flex-1 overflow-y-auto">
      <div className="grid min-h-full grid-cols-1 content-center px-6 py-8">
        <div className={cx("mx-auto grid w-full grid-cols-1 gap-6", wide ? "max-w-160" : "max-w-120")}>
          {children}
        </div>
      </div>
    </div>
  );
}

export interface PageHeadProps {
  /** Above the title. */
  icon?: ReactNode;
  /** Before the title, in its line. */
  beside?: ReactNode;
  title: string;
  children?: ReactNode;
}

export function PageHead({ icon, beside, title, children }: PageHeadProps) {
  return (
    <header className="grid grid-cols-1 gap-2">
      {icon}
      <div className="flex items-center gap-2.5">
        {beside}
        <h1 className="text-2xl font-semibold tracking-[-0.02em] text-balance">{title}</h1>
      </div>
      {children !== undefined && <div className="text-l text-pretty text-ink-2">{children}</div>}
    </header>
  );
}

export interface PageSectionProps {
  title: string;
  description?: ReactNode;
  children: ReactNode;
}

export function PageSection({ title, description, children }: PageSectionProps) {
  return (
    <section className="grid grid-cols-1 gap-2.5">
      <div>
        <h2 className="font-semibold">{title}</h2>
        {description !== undefined && <p className="text-pretty text-ink-2">{description}</p>}
      </div>
      {children}
    </section>
  );
}
