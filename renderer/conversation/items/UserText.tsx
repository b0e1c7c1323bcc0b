import { Button } from "../../ui/Button";
import { cx } from "../../ui/cx";
import { useKeptFold } from "./Article";
import { SaidComments, useSaidComments } from "./SaidComments";

/** A longer prompt (a pasted log) is folded to its beginning. */
const foldedUnits = 1_600;
const foldedLines = 18;

export interface UserTextProps {
  text: string;
  dim?: boolean;
  /** It was not the person who wrote it, but another agent or a script. */
  byOther?: boolean;
}

/** What was written to the agent, exactly: no markdown, every blank and line end kept. Comments on lines are drawn as such. */
export function UserText({ text, dim = false, byOther = false }: UserTextProps) {
  const comments = useSaidComments(text);
  return (
    <div
      className={cx(
        "rounded-l rounded-br-[3px] px-3.5 py-2 text-l selectable",
        byOther ? "border border-line bg-raised" : "bg-accent-soft",
        dim && "opacity-75",
      )}
    >
      {comments === null ? <Written text={text} /> : <SaidComments comments={comments} />}
    </div>
  );
}

function Written({ text }: { text: string }) {
  const [open, setOpen] = useKeptFold("prompt", false);
  const short = beginningOf(text);
  const long = short.length < text.length;
  return (
    <div className="break-words whitespace-pre-wrap">
      {open ? text : short}
      {long && (
        <div className="-mb-0.5 -ml-2">
          {!open && <span className="pl-2 text-ink-3">…</span>}
          <Button size="s" tone="quiet" aria-expanded={open} onClick={() => setOpen(!open)}>
            {open ? "Show less" : "Show all of it"}
          </Button>
        </div>
      )}
    </div>
  );
}

function beginningOf(text: string): string {
  let end = 0;
  for (let lines = 0; lines < foldedLines; lines++) {
    const next = text.indexOf("\n", end);
    if (next === -1) return text.length <= foldedUnits * 1.2 ? text : text.slice(0, foldedUnits);
    end = next + 1;
  }
  const cut = Math.min(end - 1, foldedUnits);
  return text.length <= cut * 1.2 ? text : text.slice(0, cut);
}
