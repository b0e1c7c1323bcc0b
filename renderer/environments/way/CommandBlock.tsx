import { CopyButton } from "../../conversation/CopyButton";

/** A command for the person to run somewhere. Null: it waits for what it needs. */
export function CommandBlock({
  label,
  command,
  waits,
}: {
  label: string;
  command: string | null;
  waits: string;
}) {
  return (
    <div className="flex items-start gap-1 rounded-s border border-line bg-canvas py-1.5 pr-1.5 pl-2.5">
      {command === null ? (
        <p className="min-w-0 flex-1 text-s leading-6 text-ink-3">{waits}</p>
      ) : (
        <>
          {/* biome-ignore lint/a11y/useSemanticElements: not a group of fields */}
          <pre
            // biome-ignore lint/a11y/noNoninteractiveTabindex: it scrolls with the keyboard
            tabIndex={0}
            role="group"
            aria-label={label}
            className="min-w-0 flex-1 overflow-x-auto font-mono text-s leading-6 text-ink selectable"
          >
            {command}
          </pre>
          <CopyButton label={`Copy: ${label}`} text={() => command} />
        </>
      )}
    </div>
  );
}
