import { RotateCw } from "lucide-react";
import type { ReactNode } from "react";
import { Section } from "../inspector/Section";
import { Button } from "../ui/Button";
import { IconButton } from "../ui/IconButton";
import { Notice } from "../ui/Notice";
import { Spinner } from "../ui/Spinner";
import type { Loaded } from "./loaded";

export interface AskedPartProps {
  title: string;
  loaded: Loaded<unknown> & { reload(): void };
  /** By hand, where that is more than asking once more. */
  onReload?: () => void;
  /** Stands for the fault, where that is nothing that went wrong. */
  instead?: ReactNode;
  /** Further buttons at the end of the heading's line. */
  actions?: ReactNode;
  children: ReactNode;
}

/** A part of a page that main was asked for: what is known stays while it is asked for again, or when that fails. */
export function AskedPart({ title, loaded, onReload, instead, actions, children }: AskedPartProps) {
  const { value, fault, loading, reload } = loaded;
  const again = onReload ?? reload;
  return (
    <Section
      title={title}
      aside={
        <span className="-my-1 flex items-center gap-1">
          {actions}
          <span className="grid size-6 place-items-center">
            {loading ? (
              <span role="status" aria-label={`${title}: asking codex`} className="grid">
                <Spinner />
              </span>
            ) : (
              <IconButton
                size="s"
                label={`Ask again: ${title}`}
                icon={<RotateCw size={13} />}
                onClick={again}
              />
            )}
          </span>
        </span>
      }
    >
      {fault !== null &&
        (instead ?? (
          <Notice
            live
            tone="error"
            title={fault.message}
            hint={value === null ? fault.hint : "What is shown is what was known before."}
            detail={fault.detail}
            actions={
              <Button size="s" busy={loading} onClick={again}>
                Retry
              </Button>
            }
          />
        ))}
      {value === null && fault === null && (
        <p className="flex min-h-6 animate-late items-center gap-2 text-s text-ink-2">Asking codex…</p>
      )}
      {value !== null && children}
    </Section>
  );
}
