import { Dialog } from "../ui/Dialog";
import { keyText } from "../ui/keys";
import type { CommandGroup } from "./command";
import { commands } from "./commands";
import { placeShortcuts } from "./placeShortcuts";

const groups: CommandGroup[] = ["Threads", "Cells", "Environments", "Workspaces", "Window", "Holdfast"];

export function ShortcutSheet({ open, onClose }: { open: boolean; onClose: () => void }) {
  const sections = [
    ...groups.map((group) => ({
      title: group,
      rows: commands
        .filter((command) => command.group === group && command.shortcuts)
        .map((command) => ({ words: command.title, keys: command.shortcuts ?? [] })),
    })),
    ...placeShortcuts,
  ].filter((section) => section.rows.length > 0);
  return (
    <Dialog open={open} onClose={onClose} title="Keyboard shortcuts" width="l" isText>
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
                  <dd className="flex gap-1.5">
                    {row.keys.map((keys) => (
                      <kbd
                        key={keys}
                        className="rounded-xs border border-line bg-canvas px-1 text-xs leading-[18px] text-ink-2"
                      >
                        {keyText(keys)}
                      </kbd>
                    ))}
                  </dd>
                </div>
              ))}
            </dl>
          </section>
        ))}
      </div>
    </Dialog>
  );
}
