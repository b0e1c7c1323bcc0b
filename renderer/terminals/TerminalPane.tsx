// One terminal: how it stands, what can be asked of it, and its screen.

import { CircleStop, OctagonX, X } from "lucide-react";
import type { TerminalRow } from "../../preload/contract/terminals";
import { Button } from "../ui/Button";
import { Later, LaterPart } from "../ui/later";
import { Status } from "../ui/StatusDot";
import { useWidth } from "../ui/useWidth";
import { endTerminal, interruptTerminal } from "./actions";
import type { TerminalScreenProps } from "./TerminalScreen";
import { isOver, sizeWords, terminalLook } from "./terminalWords";

const screen = new LaterPart<TerminalScreenProps>(
  async () => (await import("./TerminalScreen")).TerminalScreen,
);

export interface TerminalPaneProps {
  row: TerminalRow;
  name: string;
  /** Its environment has lost its connection, and is being connected to again. */
  isReconnecting: boolean;
  onClose: () => void;
  onLeave: () => void;
}

export function TerminalPane({ row, name, isReconnecting, onClose, onLeave }: TerminalPaneProps) {
  const { box, widthPx } = useWidth(0);
  const { tone, words } = terminalLook(row, isReconnecting);
  const over = isOver(row);
  return (
    <div ref={box} className="flex min-w-0 flex-1 flex-col">
      <div className="flex min-h-(--h-head) shrink-0 flex-wrap items-center gap-x-3 gap-y-1 px-4 py-2">
        <div role="status" aria-label="Terminal" className="min-w-0 flex-1 basis-48">
          <Status tone={tone} word={words} wraps />
          {row.cwd !== null && (
            <p className="truncate font-mono text-xs text-ink-3 selectable" title={row.cwd}>
              {row.cwd}
            </p>
          )}
        </div>
        <div className="flex flex-wrap gap-2">
          <Button
            size="s"
            icon={<CircleStop aria-hidden size={13} />}
            title="As Ctrl+C does"
            disabled={over}
            onClick={() => void interruptTerminal(row.terminalId)}
          >
            Interrupt
          </Button>
          <Button
            size="s"
            icon={<OctagonX aria-hidden size={13} />}
            title="Ends it with what it has started"
            disabled={over}
            busy={row.ending}
            onClick={() => void endTerminal(row.terminalId)}
          >
            End
          </Button>
          <Button size="s" icon={<X aria-hidden size={13} />} once onClick={onClose}>
            Close
          </Button>
        </div>
      </div>
      {widthPx > 0 && (
        <Later
          part={screen}
          props={{ row, label: `Terminal: ${name}`, fontPx: fontPxFor(row.columns, widthPx), onLeave }}
        />
      )}
      <p className="shrink-0 px-4 py-2 text-xs text-ink-3">{sizeWords(row)}. Shift+Escape leaves it.</p>
    </div>
  );
}

/** The largest of our sizes at which all columns are seen; a character of the font is three fifths as wide as it is high. */
function fontPxFor(columns: number, widthPx: number): number {
  // The margin, the edge, the padding and the bar.
  const aroundPx = 2 * (16 + 1 + 8) + 14;
  const fits = (fontPx: number) => columns * fontPx * 0.6 + aroundPx <= widthPx;
  return [14, 13, 12].find(fits) ?? 11;
}
