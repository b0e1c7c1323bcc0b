// Menus: one that hangs on a button, and one that is opened at a place (a right click, Shift+F10 on a row).

import { Menu as Base } from "@base-ui/react/menu";
import { Check } from "lucide-react";
import { type ReactElement, type ReactNode, type RefObject, useRef } from "react";
import { cx } from "./cx";
import { keyText } from "./keys";

const popup =
  "min-w-44 max-w-90 overflow-y-auto max-h-[min(var(--available-height),30rem)] rounded-m border border-line bg-raised p-1 text-ink shadow-pop outline-none transition-opacity duration-75 data-ending-style:opacity-0 data-starting-style:opacity-0";
const row =
  "flex h-7 items-center gap-2 rounded-s px-2 text-m outline-none data-disabled:text-ink-3 data-highlighted:bg-hover";

export interface MenuButtonProps {
  /** The button that opens it: one element that takes a ref and props. */
  button: ReactElement;
  children: ReactNode;
  side?: "top" | "bottom";
  align?: "start" | "center" | "end";
}

export function MenuButton({ button, children, side = "bottom", align = "start" }: MenuButtonProps) {
  return (
    <Base.Root modal={false}>
      <Base.Trigger render={button} />
      <Base.Portal>
        <Base.Positioner
          side={side}
          align={align}
          sideOffset={4}
          collisionPadding={8}
          className="z-50 outline-none"
        >
          <Base.Popup className={popup}>{children}</Base.Popup>
        </Base.Positioner>
      </Base.Portal>
    </Base.Root>
  );
}

export interface MenuPlace {
  x: number;
  y: number;
}

export interface PlacedMenuProps {
  /** Where it is open; null: closed. */
  place: MenuPlace | null;
  onClose: () => void;
  label: string;
  children: ReactNode;
  /** Where the keyboard goes when the menu has closed. */
  returnFocus?: RefObject<HTMLElement | null>;
}

export function PlacedMenu({ place, onClose, label, children, returnFocus }: PlacedMenuProps) {
  const popupElement = useRef<HTMLDivElement>(null);
  // It goes a moment after it was closed: a dialog or a field that the chosen item has opened may have the keyboard by then.
  const whereToGo = () => {
    const at = document.activeElement;
    const isStillHere = at === null || at === document.body || popupElement.current?.contains(at) === true;
    return isStillHere && (returnFocus?.current ?? true);
  };
  const anchor = place && {
    getBoundingClientRect: () => DOMRect.fromRect({ x: place.x, y: place.y, width: 0, height: 0 }),
  };
  return (
    <Base.Root open={place !== null} onOpenChange={(open) => !open && onClose()} modal={false}>
      <Base.Portal>
        <Base.Positioner
          anchor={anchor}
          side="bottom"
          align="start"
          sideOffset={2}
          collisionPadding={8}
          className="z-50 outline-none"
        >
          <Base.Popup ref={popupElement} aria-label={label} finalFocus={whereToGo} className={popup}>
            {children}
          </Base.Popup>
        </Base.Positioner>
      </Base.Portal>
    </Base.Root>
  );
}

export interface MenuItemProps {
  children: ReactNode;
  onSelect: () => void;
  icon?: ReactNode;
  shortcut?: string;
  tone?: "default" | "danger";
  disabled?: boolean;
  /** Why it is disabled, or what it will do: a second line. */
  description?: ReactNode;
}

export function MenuItem({
  children,
  onSelect,
  icon,
  shortcut,
  tone = "default",
  disabled = false,
  description,
}: MenuItemProps) {
  return (
    <Base.Item
      disabled={disabled}
      onClick={onSelect}
      className={cx(
        row,
        description !== undefined && "h-auto items-start py-1",
        tone === "danger" && "text-bad",
      )}
    >
      {icon !== undefined && <span className="grid w-4 shrink-0 place-items-center text-ink-3">{icon}</span>}
      <span className="grid min-w-0 flex-1">
        <span className="truncate">{children}</span>
        {description !== undefined && <span className="text-s text-ink-3">{description}</span>}
      </span>
      {shortcut !== undefined && (
        <span aria-hidden className="pl-4 font-mono text-xs text-ink-3">
          {keyText(shortcut)}
        </span>
      )}
    </Base.Item>
  );
}

export function MenuSeparator() {
  return <Base.Separator className="-mx-1 my-1 h-px bg-line" />;
}

export function MenuGroup({ label, children }: { label: string; children: ReactNode }) {
  return (
    <Base.Group>
      <Base.GroupLabel className="px-2 pt-1.5 pb-0.5 text-xs font-semibold text-ink-3">
        {label}
      </Base.GroupLabel>
      {children}
    </Base.Group>
  );
}

export interface MenuChoice<Value extends string> {
  value: Value;
  label: string;
  description?: string;
}

export interface MenuChoicesProps<Value extends string> {
  label: string;
  value: Value;
  choices: readonly MenuChoice<Value>[];
  onChange: (value: Value) => void;
  disabled?: boolean;
}

/** One of several, inside a menu. */
export function MenuChoices<Value extends string>({
  label,
  value,
  choices,
  onChange,
  disabled = false,
}: MenuChoicesProps<Value>) {
  return (
    <MenuGroup label={label}>
      <Base.RadioGroup value={value} onValueChange={(next: Value) => onChange(next)}>
        {choices.map((choice) => (
          <Base.RadioItem
            key={choice.value}
            value={choice.value}
            closeOnClick
            disabled={disabled}
            className={cx(row, choice.description !== undefined && "h-auto items-start py-1")}
          >
            <span className="grid h-5 w-4 shrink-0 place-items-center">
              <Base.RadioItemIndicator>
                <Check size={14} className="text-accent" />
              </Base.RadioItemIndicator>
            </span>
            <span className="grid min-w-0">
              <span className="truncate">{choice.label}</span>
              {choice.description !== undefined && (
                <span className="text-s text-pretty text-ink-3">{choice.description}</span>
              )}
            </span>
          </Base.RadioItem>
        ))}
      </Base.RadioGroup>
    </MenuGroup>
  );
}
