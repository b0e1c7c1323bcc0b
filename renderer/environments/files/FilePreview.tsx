import { Copy, RotateCw, SquareArrowOutUpRight, X } from "lucide-react";
import { useMemo } from "react";
import "../../conversation/highlight/tokens.css";
import { byteWords } from "../../conversation/time/durations";
import { useTicking } from "../../conversation/time/useNow";
import { FileLines } from "../../files/FileLines";
import { linesOf } from "../../files/fileText";
import { openInEditor } from "../../files/openInEditor";
import { useApp } from "../../state/appStore";
import { copyText } from "../../state/threadActions";
import { Button } from "../../ui/Button";
import { IconButton } from "../../ui/IconButton";
import { Notice } from "../../ui/Notice";
import { Spinner } from "../../ui/Spinner";
import { whenWords } from "../environmentLook";
import type { FileContent, OpenFile } from "./browser";
import { closeFile, openFile } from "./filesStore";

export interface FilePreviewProps {
  environmentId: string;
  file: OpenFile;
  /** Its folder, when another one is shown beside it. */
  elsewhere: string | null;
}

/** The text of a file, as far as it is one. */
export function FilePreview({ environmentId, file, elsewhere }: FilePreviewProps) {
  const isHere = useApp(({ environments }) =>
    environments.some((each) => each.environmentId === environmentId && each.registry.kind === "local"),
  );
  return (
    <section aria-label={`File ${file.name}`} className="flex min-h-0 flex-1 flex-col">
      <div className="flex h-9 shrink-0 items-center gap-2 border-b border-line pr-1.5 pl-3">
        <h2 className="min-w-0 truncate font-medium" title={file.path}>
          {file.name}
        </h2>
        {elsewhere !== null && (
          <span className="min-w-0 shrink-[20] truncate text-s text-ink-3" title={elsewhere}>
            in <span className="font-mono">{elsewhere}</span>
          </span>
        )}
        {file.phase === "read" && <Facts content={file.content} />}
        <span className="flex-1" />
        <IconButton
          label="Read the file again"
          size="s"
          icon={file.phase === "reading" ? <Spinner /> : <RotateCw size={13} />}
          onClick={() => void openFile(environmentId, file)}
        />
        {isHere && (
          <IconButton
            label="Open in my editor"
            size="s"
            icon={<SquareArrowOutUpRight size={13} />}
            onClick={() => void openInEditor({ workspaceId: null, path: file.path })}
          />
        )}
        <IconButton
          label="Copy the path of the file"
          size="s"
          icon={<Copy size={13} />}
          onClick={() => void copyText(file.path, "Path")}
        />
        <IconButton
          label="Close the file"
          size="s"
          icon={<X size={14} />}
          onClick={() => closeFile(environmentId)}
        />
      </div>
      <Content environmentId={environmentId} file={file} />
    </section>
  );
}

function Facts({ content: { bytes, modifiedAtMs } }: { content: FileContent }) {
  const changed = useTicking((nowMs) => whenWords(modifiedAtMs, nowMs));
  return (
    <span className="shrink-[10] truncate text-s text-ink-3 tabular">
      {byteWords(bytes)}
      {modifiedAtMs > 0 && ` · changed ${changed}`}
    </span>
  );
}

function Content({ environmentId, file }: { environmentId: string; file: OpenFile }) {
  switch (file.phase) {
    case "reading":
      if (file.before !== null) return <Text path={file.path} content={file.before} />;
      return (
        <p role="status" className="flex animate-late items-center gap-2 p-4 text-ink-2">
          <Spinner /> Reading the file…
        </p>
      );
    case "failed":
      return (
        <div className="p-3">
          <Notice
            live
            tone="error"
            title={file.fault.message}
            hint={file.fault.hint}
            detail={file.fault.detail}
            actions={<Button onClick={() => void openFile(environmentId, file)}>Try again</Button>}
          />
        </div>
      );
    case "read":
      return <Text path={file.path} content={file.content} />;
    default:
      return file satisfies never;
  }
}

const leftWords = {
  "too long": "It is too long to be shown here.",
  "no text": "It is not shown: it is no text, or not in UTF-8.",
  "no file": "It is not read: it is a device, a pipe or a socket.",
} as const;

function Text({ path, content: { text, left, bytes } }: { path: string; content: FileContent }) {
  const lines = useMemo(() => linesOf(text ?? ""), [text]);
  if (text === null) return <p className="p-4 text-ink-2">{leftWords[left ?? "no text"]}</p>;
  if (text === "") return <p className="p-4 text-ink-3">The file is empty.</p>;
  return (
    <>
      {left === "too long" && (
        <p className="shrink-0 border-b border-line bg-raised px-4 py-1.5 text-s text-ink-2">
          It is too long to be shown whole: this is its beginning, 256 KiB of {byteWords(bytes)}.
        </p>
      )}
      <FileLines label="Text of the file" path={path} lines={lines} line={null} goes={0} />
    </>
  );
}
