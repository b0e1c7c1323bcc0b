import { Search } from "lucide-react";
import { useRef, useState } from "react";
import { Dialog } from "../ui/Dialog";
import { keyText } from "../ui/keys";
import { TextField } from "../ui/TextField";
import { type SheetRow, sheetSections } from "./sheet";

export function ShortcutSheet({ open, onClose }: { open: boolean; onClose: () => void }) {
  const field = useRef<HTMLInputElement>(null);
  return (
    <Dialog open={open} onClose={onClose} title="Keyboard shortcuts" width="l" initialFocus={field}>
      {open && <Sheet field={field} />}
    </Dialog>
  );
}

function Sheet({ field }: { field: React.RefObject<HTMLInputElement | null> }) {
  const [wanted, setWanted] = useState("");
  const sections = sheetSections(wanted);
  const count = sections.reduce((sum, { rows }) => sum + rows.length, 0);
  return (
    <>
      <TextField
        ref={field}
        label="Find an action or a key"
        hideLabel
        placeholder="An action, a place or a key"
        before={<Search aria-hidden size={14} />}
        value={wanted}
        onChange={setWanted}
        className="mb-4"
      />
      <p role="status" className="sr-only">
        {count} {count === 1 ? "entry" : "entries"}
      </p>
      {count === 0 && <p className="py-6 text-center text-ink-3">No action and no key is called that.</p>}
      <div className="columns-2 gap-8 max-mid:columns-1">
        {sections.map((section) => (
          <section key={section.title} className="mb-5 break-inside-avoid">
            <h3 className="mb-1 text-xs font-semibold text-ink-3">{section.title}</h3>
            <dl>
              {section.rows.map((row) => (
                <div
                  key={row.words}
                  className="flex min-h-7 items-center gap-3 border-b border-line last:border-0"
                >
                  <dt className="flex-1">{row.words}</dt>
                  <dd className="flex flex-wrap justify-end gap-1.5">
                    <Keys row={row} />
                  </dd>
                </div>
              ))}
            </dl>
          </section>
        ))}
      </div>
    </>
  );
}

function Keys({ row }: { row: SheetRow }) {
  // What has no key of its own is one step away.
  if (row.keys.length === 0) return <span className="text-xs text-ink-3">in the palette</span>;
  return row.keys.map((keys) => (
    <kbd
      key={keys}
      className="rounded-xs border border-line bg-canvas px-1 text-xs leading-[18px] whitespace-nowrap text-ink-2"
    >
      {row.typed ? keys : keyText(keys)}
    </kbd>
  ));
}
