import { Copy } from "lucide-react";
import { call } from "../state/connection";
import { attempt, toast } from "../state/toasts";
import { Button } from "./Button";
import { Fold } from "./Fold";

/** Technical detail of a fault: folded away, and to be copied into a report. */
export function Details({ text }: { text: string }) {
  const copy = async () => {
    if (await attempt(call("shell.copy", { text }))) toast("Details copied", { tone: "ok" });
  };
  return (
    <Fold summary="Details">
      <div className="mt-1 grid gap-1.5">
        <pre className="max-h-60 overflow-auto rounded-s border border-line bg-canvas p-2 font-mono text-xs whitespace-pre-wrap text-ink-2 selectable">
          {text}
        </pre>
        <div>
          <Button size="s" icon={<Copy size={13} />} onClick={copy}>
            Copy details
          </Button>
        </div>
      </div>
    </Fold>
  );
}
