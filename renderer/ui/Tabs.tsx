import { Tabs as Base } from "@base-ui/react/tabs";
import type { ReactNode } from "react";
import { cx } from "./cx";

export interface TabSpec {
  id: string;
  label: string;
  /** A count beside the label; it is also part of the accessible name. */
  count?: number;
  tone?: "plain" | "warn";
  panel: ReactNode;
}

export interface TabsProps {
  /** The accessible name of the list of tabs. */
  label: string;
  tabs: readonly TabSpec[];
  value: string;
  onChange: (id: string) => void;
  panelClassName?: string;
}

/** Tabs along the top of a pane, as high as the other heads. The arrow keys move and show at once. */
export function Tabs({ label, tabs, value, onChange, panelClassName }: TabsProps) {
  return (
    <Base.Root
      value={value}
      onValueChange={(next) => onChange(String(next))}
      className="flex min-h-0 flex-1 flex-col"
    >
      <Base.List
        aria-label={label}
        activateOnFocus
        className="flex h-(--h-head) shrink-0 items-stretch gap-1 overflow-x-auto border-b border-line px-3 [scrollbar-width:none]"
      >
        {tabs.map((tab) => (
          <Base.Tab
            key={tab.id}
            value={tab.id}
            className="ring-inset relative flex shrink-0 items-center gap-1 px-1.5 text-s text-ink-2 transition-colors after:absolute after:inset-x-0 after:bottom-0 after:h-0.5 after:rounded-t-full after:bg-transparent hover:text-ink data-active:text-ink data-active:after:bg-accent"
          >
            {/* Both weights take the room of the heavier one, so that choosing a tab moves nothing. */}
            <span
              data-text={tab.label}
              className="grid after:invisible after:h-0 after:overflow-hidden after:font-semibold after:content-[attr(data-text)/''] in-data-active:font-semibold"
            >
              {tab.label}
            </span>
            {tab.count !== undefined && tab.count > 0 && (
              <span
                className={cx(
                  "min-w-4 rounded-full px-1 text-center text-xs leading-4 font-semibold tabular",
                  tab.tone === "warn" ? "bg-warn-soft text-warn" : "bg-hover text-ink-2",
                )}
              >
                {tab.count}
              </span>
            )}
          </Base.Tab>
        ))}
      </Base.List>
      {tabs.map((tab) => (
        <Base.Panel
          key={tab.id}
          value={tab.id}
          className={cx("ring-inset min-h-0 flex-1 overflow-y-auto", panelClassName)}
        >
          {tab.panel}
        </Base.Panel>
      ))}
    </Base.Root>
  );
}
