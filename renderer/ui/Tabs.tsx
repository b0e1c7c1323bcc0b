import { Tabs as Base } from "@base-ui/react/tabs";
import type { ReactNode } from "react";
import { cx } from "./cx";
import { Drawn } from "./Drawn";

export interface TabSpec {
  id: string;
  label: string;
  /** Stands for the label where there is no room for all of them. */
  icon: ReactNode;
  /** A count at the corner of the label. It describes the tab and is no part of its name, which stays the same. */
  count?: number;
  /** What is counted, where the label does not say it: "3 files changed in the working tree". */
  countWords?: string;
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
  /** The keyboard starts on the chosen one when the page is opened. */
  isFirstStop?: boolean;
}

const mostCounted = 99;

/**
 * Tabs along the top of a pane, as high as the other heads. The arrow keys move and show at once. In a small pane the
 * labels are smaller, and in one that is smaller still all but the chosen one are icons; a count takes no room, so that it
 * moves nothing.
 */
export function Tabs({ label, tabs, value, onChange, panelClassName, isFirstStop = false }: TabsProps) {
  return (
    <Base.Root
      value={value}
      onValueChange={(next) => onChange(String(next))}
      className="@container flex min-h-0 flex-1 flex-col"
    >
      <Base.List
        aria-label={label}
        activateOnFocus
        className="flex h-(--h-head) shrink-0 items-stretch overflow-x-auto border-b border-line px-1 [scrollbar-width:none] @[21rem]:px-1.5 @[26rem]:gap-1 @[26rem]:px-2.5"
      >
        {tabs.map((tab) => (
          <Base.Tab
            key={tab.id}
            value={tab.id}
            data-tab={tab.id}
            data-pane-stop={(isFirstStop && tab.id === value) || undefined}
            aria-label={tab.label}
            title={tab.count && tab.countWords ? `${tab.label}: ${tab.countWords}` : tab.label}
            aria-description={tab.count ? (tab.countWords ?? String(tab.count)) : undefined}
            className="group ring-inset relative flex min-w-max flex-1 items-center justify-center px-0.5 text-xs font-medium text-ink-2 transition-colors after:absolute after:inset-x-1 after:bottom-0 after:h-0.5 after:rounded-t-full after:bg-transparent hover:text-ink data-active:text-ink data-active:after:bg-accent @[21rem]:px-1 @[26rem]:flex-none @[26rem]:px-1.5 @[26rem]:text-s"
          >
            <span className="@max-[21rem]:hidden @max-[21rem]:group-data-active:inline">{tab.label}</span>
            <span aria-hidden className="hidden @max-[21rem]:block @max-[21rem]:group-data-active:hidden">
              {tab.icon}
            </span>
            {tab.count !== undefined && tab.count > 0 && (
              <Drawn
                text={tab.count > mostCounted ? `${mostCounted}+` : String(tab.count)}
                className={cx(
                  "absolute top-1 right-0 min-w-3.5 rounded-full px-1 text-center text-[10px] leading-3.5 font-semibold tabular",
                  tab.tone === "warn" ? "bg-warn-soft text-warn" : "bg-accent-soft text-accent",
                )}
              />
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
