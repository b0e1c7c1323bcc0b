// The files of one environment: a folder, and beside it, or below in a narrow pane, the file that was opened.

import { ArrowUp, FolderTree, Play, RotateCw } from "lucide-react";
import { useEffect } from "react";
import { type EnvironmentView, isReplaced } from "../../../preload/contract/environments";
import { copyText } from "../../state/threadActions";
import { Button } from "../../ui/Button";
import { cx } from "../../ui/cx";
import { EmptyState } from "../../ui/EmptyState";
import { IconButton } from "../../ui/IconButton";
import { Notice } from "../../ui/Notice";
import { Spinner } from "../../ui/Spinner";
import { useWidth } from "../../ui/useWidth";
import { startServer } from "../actions";
import { useIsBusy } from "../environmentsStore";
import { type Browser, folderElsewhere, needsReread } from "./browser";
import { FilePreview } from "./FilePreview";
import { FolderList } from "./FolderList";
import { answers, browserOf, openFolder, openParent, reload, useBrowser } from "./filesStore";
import { PathBar } from "./PathBar";

const besideFromPx = 620;

export function FilesTab({ environment }: { environment: EnvironmentView }) {
  const { environmentId, connection, server } = environment;
  const browser = useBrowser(environmentId);
  const { box, widthPx } = useWidth(800);
  // One that was stopped is not started by looking at this tab.
  const isStopped = server?.state === "stopped";
  useEffect(() => {
    const { listing, folder } = browserOf(environmentId);
    if (!isStopped && listing === null && folder.phase === "settled") void openFolder(environmentId, null);
  }, [environmentId, isStopped]);
  useRereadOfAnother(environment);
  const { listing, file, folder } = browser;
  const isBeside = widthPx >= besideFromPx;
  if (isStopped && listing === null && folder.phase === "settled")
    return <Stopped environment={environment} />;
  return (
    <div className="flex h-full min-h-0 flex-col">
      <div className="flex shrink-0 items-center gap-1 border-b border-line px-2 py-1.5">
        <IconButton
          label="Up to the folder above"
          icon={<ArrowUp size={15} />}
          disabled={listing === null || listing.parent === null}
          onClick={() => openParent(environmentId)}
        />
        <PathBar environment={environment} listing={listing} />
        <IconButton
          label="Read again"
          icon={folder.phase === "reading" ? <Spinner /> : <RotateCw size={14} />}
          onClick={() => reload(environmentId)}
        />
      </div>
      <State browser={browser} connection={connection} environmentId={environmentId} />
      <div ref={box} className={cx("flex min-h-0 flex-1", !isBeside && "flex-col")}>
        {listing !== null && (
          <div
            className={cx(
              "flex min-h-0 min-w-0 flex-col",
              file === null ? "flex-1" : isBeside ? "w-2/5" : "h-2/5",
            )}
          >
            <FolderList
              environmentId={environmentId}
              listing={listing}
              active={browser.active}
              openedPath={file?.path ?? null}
            />
          </div>
        )}
        {file !== null && (
          <div
            className={cx(
              "flex min-h-0 min-w-0 flex-1 flex-col border-line",
              isBeside ? "border-l" : "border-t",
            )}
          >
            <FilePreview
              environmentId={environmentId}
              file={file}
              elsewhere={folderElsewhere(file, listing?.path ?? null)}
            />
          </div>
        )}
      </div>
    </div>
  );
}

function Stopped({ environment: { environmentId } }: { environment: EnvironmentView }) {
  const starting = useIsBusy(environmentId, "start");
  return (
    <EmptyState
      icon={<FolderTree aria-hidden size={24} strokeWidth={1.5} />}
      title="It is stopped"
      actions={
        <Button
          data-keyboard-stop
          icon={<Play aria-hidden size={13} />}
          busy={starting}
          onClick={() => void startServer(environmentId)}
        >
          Start and show its files
        </Button>
      }
    >
      Its files can be looked at while its exec-server runs.
    </EmptyState>
  );
}

interface StateProps {
  environmentId: string;
  browser: Browser;
  connection: EnvironmentView["connection"];
}

/** What is being waited for, and why; or why there is nothing to see. */
function State({ environmentId, browser: { folder, listing }, connection }: StateProps) {
  if (folder.phase === "failed") {
    return (
      <div className="shrink-0 p-3">
        <Notice
          live
          tone="error"
          title={folder.fault.message}
          hint={folder.fault.hint}
          detail={folder.fault.detail}
          actions={
            <>
              <Button onClick={() => void openFolder(environmentId, folder.path)}>Try again</Button>
              {folder.path !== null && (
                <Button tone="quiet" onClick={() => void openFolder(environmentId, null)}>
                  Where it starts
                </Button>
              )}
              {folder.path !== null && (
                <Button tone="quiet" onClick={() => void copyText(folder.path ?? "", "Path")}>
                  Copy path
                </Button>
              )}
            </>
          }
        />
      </div>
    );
  }
  if (folder.phase !== "reading") return null;
  const waits =
    connection.state === "reconnecting"
      ? `Waiting: it is reconnecting, attempt ${connection.attempt}. This goes on by itself once it is connected.`
      : connection.state === "connected"
        ? null
        : "Connecting…";
  // What is usually there at once is not announced as being waited for.
  if (waits === null && listing !== null) return null;
  return (
    <p role="status" className="flex shrink-0 animate-late items-center gap-2 px-4 py-2.5 text-ink-2">
      <Spinner />
      {waits ?? "Reading the folder…"}
    </p>
  );
}

/** What is shown is of the executor before it, or could not be read without one: it is read again of the one that is there now. */
function useRereadOfAnother({ environmentId, connection }: EnvironmentView): void {
  const session = connection.state === "connected" ? connection.session : null;
  const replaced = isReplaced(connection);
  useEffect(() => {
    if (needsReread(browserOf(environmentId), { session, replaced })) reload(environmentId);
    else if (session !== null) answers(environmentId, session);
  }, [environmentId, session, replaced]);
}
