import { RotateCcw } from "lucide-react";
import type { ReactNode } from "react";
import { IconButton } from "../ui/IconButton";

export interface SettingRowProps {
  title: string;
  description?: ReactNode;
  /** Which setting it is, so that it can be gone to. */
  id?: string;
  /** It is not at its default: puts it back. */
  onReset?: (() => void) | undefined;
  /** Why what was entered last was not taken. */
  error?: ReactNode;
  children: ReactNode;
}

/** A setting with its words at the left and its control at the right. */
export function SettingRow({ title, description, id, onReset, error, children }: SettingRowProps) {
  return (
    <div data-setting={id} className="group/row grid gap-1 rounded-s">
      <div className="flex flex-wrap items-center gap-x-3 gap-y-1.5">
        <div className="grid min-w-48 flex-1">
          <span className="font-medium">{title}</span>
          {description !== undefined && <span className="text-s text-pretty text-ink-3">{description}</span>}
        </div>
        <div className="flex max-w-full shrink-0 items-center gap-1">
          <div data-control className="flex items-center">
            {children}
          </div>
          {/* Its place is kept, so that the control stays where it is. */}
          <span className="size-6 shrink-0">
            {onReset && (
              <IconButton
                label={`Reset to default: ${title}`}
                size="s"
                side="left"
                icon={<RotateCcw size={13} />}
                onClick={onReset}
              />
            )}
          </span>
        </div>
      </div>
      {error}
    </div>
  );
}

export interface SettingGroupProps {
  title?: string | undefined;
  /** Which setting it is, where it is one as a whole. */
  id?: string;
  children: ReactNode;
}

export function SettingGroup({ title, id, children }: SettingGroupProps) {
  return (
    <section data-setting={id} className="mb-7 grid gap-4 last:mb-0">
      {title !== undefined && <h3 className="text-xs font-semibold text-ink-3">{title}</h3>}
      {children}
    </section>
  );
}
