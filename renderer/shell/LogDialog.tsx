import { Copy, FolderOpen, RotateCw } from "lucide-react";
import { useCallback, useEffect, useRef, useState } from "react";
import type { CallParams } from "../../preload/contract";
import type { FaultView } from "../../preload/contract/fault";
import { AnsiText } from "../conversation/ansi/AnsiText";
import { stripAnsi } from "../conversation/ansi/ansi";
import { faultOf } from "../state/callFault";
import { call } from "../state/connection";
import { copyText, reveal } from "../state/threadActions";
import { Button } from "../ui/Button";
import { Dialog } from "../ui/Dialog";
import { Notice } from "../ui/Notice";
import { Spinner } from "../ui/Spinner";

export interface LogDialogProps {
  log: CallParams<"logs.tail">;
  title: string;
  onClose: () => void;
}

type Tail =
  | { state: "reading" }
  | { state: "read"; path: string; text: string }
  | { state: "failed"; fault: FaultView };

export function LogDialog({ log, title, onClose }: LogDialogProps) {
  const [tail, setTail] = useState<Tail>({ state: "reading" });
  const end = useRef<HTMLElement>(null);
  const read = useCallback(async () => {
    try {
      setTail({ state: "read", ...(await call("logs.tail", log)) });
    } catch (error) {
      setTail({ state: "failed", fault: faultOf(error) });
    }
  }, [log]);
  useEffect(() => {
    void read();
  }, [read]);
  // The end of a log is what one opens it for.
  useEffect(() => {
    if (tail.state === "read" && end.current) end.current.scrollTop = end.current.scrollHeight;
  }, [tail]);
  return (
    <Dialog
      open
      onClose={onClose}
      title={title}
      width="l"
      footer={
        tail.state === "read" && (
          <>
            <span
              className="mr-auto min-w-0 self-center truncate font-mono text-xs text-ink-3"
              title={tail.path}
            >
              {tail.path}
            </span>
            <Button icon={<RotateCw aria-hidden size={14} />} onClick={() => void read()}>
              Read again
            </Button>
            <Button icon={<FolderOpen aria-hidden size={14} />} onClick={() => void reveal(tail.path)}>
              Reveal file
            </Button>
            <Button
              icon={<Copy aria-hidden size={14} />}
              onClick={() => void copyText(stripAnsi(tail.text), "Log")}
            >
              Copy
            </Button>
          </>
        )
      }
    >
      {tail.state === "reading" && (
        <p role="status" className="flex animate-late items-center gap-2 text-ink-2">
          <Spinner /> Reading…
        </p>
      )}
      {tail.state === "failed" && (
        <Notice tone="error" title={tail.fault.message} hint={tail.fault.hint} detail={tail.fault.detail} />
      )}
      {tail.state === "read" && (
        <section
          ref={end}
          // biome-ignore lint/a11y/noNoninteractiveTabindex: it scrolls, and the keyboard must be able to
          tabIndex={0}
          aria-label={title}
          className="h-[52vh] overflow-auto rounded-s border border-line bg-canvas p-3"
        >
          <pre className="font-mono text-xs whitespace-pre-wrap text-ink-2 selectable">
            {tail.text === "" ? "The log is empty." : <AnsiText text={tail.text} />}
          </pre>
        </section>
      )}
    </Dialog>
  );
}
