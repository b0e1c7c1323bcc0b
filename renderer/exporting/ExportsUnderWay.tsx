import { byteWords, count } from "../conversation/time/durations";
import { Button } from "../ui/Button";
import { Spinner } from "../ui/Spinner";
import { cancelExport, exportStore } from "./exports";

/** In the status bar, while threads are written into files. */
export function ExportsUnderWay() {
  const running = exportStore((store) => store.running);
  return running.map(({ exportId, view, cancelling }) => (
    <span
      key={exportId}
      role="status"
      aria-label="Export"
      className="flex min-w-0 shrink items-center gap-1.5 text-ink-2"
    >
      <Spinner />
      <span className="min-w-0 truncate">
        Exporting{view && ` “${view.title}”: ${count(view.turns, "turn")}, ${byteWords(view.bytes)}`}
      </span>
      <Button size="s" tone="quiet" busy={cancelling} onClick={() => void cancelExport(exportId)}>
        Cancel
      </Button>
    </span>
  ));
}
