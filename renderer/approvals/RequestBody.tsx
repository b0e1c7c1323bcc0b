import { ExternalLink, File, FolderOpen, Globe } from "lucide-react";
import type { ReactNode } from "react";
import type { Request } from "../../preload/contract/requests";
import { useApp } from "../state/appStore";
import { call } from "../state/connection";
import { attempt } from "../state/toasts";
import { shortPath } from "../state/words";
import { Button } from "../ui/Button";
import { hostOf } from "./words";

/** What is asked for, exactly as it would be done. */
export function RequestBody({ request }: { request: Request }) {
  const home = useApp((app) => app.home);
  switch (request.kind) {
    case "command":
      return (
        <>
          <Reason text={request.reason} />
          {request.network !== null && (
            <Line icon={<Globe aria-hidden size={14} />} label="Host">
              {request.network}
            </Line>
          )}
          {request.command !== "" && (
            <Mono label="Command">
              <span aria-hidden className="text-ink-3 select-none">
                ${" "}
              </span>
              {request.command}
            </Mono>
          )}
          {request.cwd !== null && (
            <Line icon={<FolderOpen aria-hidden size={14} />} label="in">
              {shortPath(request.cwd, home)}
            </Line>
          )}
        </>
      );
    case "fileChange":
      return (
        <>
          <Reason text={request.reason} />
          {request.grantRoot !== null && (
            <Line icon={<FolderOpen aria-hidden size={14} />} label="Folder">
              {shortPath(request.grantRoot, home)}
            </Line>
          )}
          <List label="Files" entries={request.files} icon={<File aria-hidden size={13} />} />
        </>
      );
    case "permissions":
      return (
        <>
          <Reason text={request.reason} />
          <List label="Permissions" entries={request.permissions} icon={null} />
          <Line icon={<FolderOpen aria-hidden size={14} />} label="in">
            {shortPath(request.cwd, home)}
          </Line>
        </>
      );
    case "questions":
      return <p className="font-medium break-words whitespace-pre-wrap selectable">{request.title}</p>;
    case "link":
      return <LinkBody request={request} />;
    default: {
      const unknown: never = request;
      return unknown;
    }
  }
}

function LinkBody({ request }: { request: Extract<Request, { kind: "link" }> }) {
  return (
    <>
      <Reason text={request.message} />
      <Line icon={<Globe aria-hidden size={14} />} label="Host">
        {hostOf(request.url)}
      </Line>
      <Mono label="Link">{request.url}</Mono>
      <div>
        <Button
          size="s"
          icon={<ExternalLink aria-hidden size={13} />}
          onClick={() => void attempt(call("shell.openLink", { url: request.url }))}
        >
          Open link
        </Button>
      </div>
    </>
  );
}

function Reason({ text }: { text: string | null }) {
  if (text === null || text === "") return null;
  return <p className="text-pretty break-words whitespace-pre-wrap text-ink-2 selectable">{text}</p>;
}

export function Mono({ label, children }: { label: string; children: ReactNode }) {
  return (
    <pre
      aria-label={label}
      // biome-ignore lint/a11y/noNoninteractiveTabindex: a long command is scrolled with the keyboard too
      tabIndex={0}
      className="ring-inset max-h-52 overflow-auto rounded-s border border-line bg-raised px-2.5 py-1.5 font-mono text-s leading-5 break-words whitespace-pre-wrap text-ink selectable"
    >
      {children}
    </pre>
  );
}

function Line({ icon, label, children }: { icon: ReactNode; label: string; children: ReactNode }) {
  return (
    <p className="flex min-w-0 items-start gap-1.5 text-s text-ink-2">
      <span className="mt-0.5 shrink-0 text-ink-3">{icon}</span>
      <span className="shrink-0">{label}</span>
      <span className="min-w-0 font-mono break-all text-ink selectable">{children}</span>
    </p>
  );
}

function List({ label, entries, icon }: { label: string; entries: readonly string[]; icon: ReactNode }) {
  if (entries.length === 0) return null;
  return (
    <ul
      aria-label={label}
      className="grid max-h-40 gap-0.5 overflow-y-auto rounded-s border border-line bg-raised px-2.5 py-1.5"
    >
      {entries.map((entry) => (
        <li key={entry} className="flex items-start gap-1.5 font-mono text-s text-ink">
          {icon !== null && <span className="mt-[3px] shrink-0 text-ink-3">{icon}</span>}
          <span className="min-w-0 break-all selectable">{entry}</span>
        </li>
      ))}
    </ul>
  );
}
