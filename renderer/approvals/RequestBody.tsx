// What is asked for, exactly as codex put it: the command, the files, the permissions, the address.

import { Globe, Server } from "lucide-react";
import type { ReactNode } from "react";
import type { Request } from "../../preload/contract/requests";
import { count } from "../conversation/time/durations";
import { useApp } from "../state/appStore";
import { shortPath } from "../state/words";
import { useOnPlaceOf } from "../threadPlace/usePlace";
import { revealHidden } from "./reveal";

/** Text that is about to be allowed: nothing in it is cut, nothing in it is hidden. */
export function Verbatim({ text }: { text: string }) {
  let at = 0;
  return revealHidden(text).map((part) => {
    const key = at;
    at += part.text.length;
    return part.hidden ? (
      <mark key={key} title="A character that is not seen" className="rounded-xs bg-bad-soft px-0.5 text-bad">
        {part.text}
      </mark>
    ) : (
      <span key={key}>{part.text}</span>
    );
  });
}

export function titleOf(request: Request): string {
  switch (request.kind) {
    case "command":
      return request.network === null ? "wants to run a command" : "wants to use the network";
    case "fileChange":
      return request.files.length > 0
        ? `wants to change ${count(request.files.length, "file")}`
        : "wants to change files";
    case "permissions":
      return "wants more permissions";
    case "questions":
      return request.title;
    case "link":
      return `${request.server} wants you to open a page`;
    default: {
      const unknown: never = request;
      return unknown;
    }
  }
}

function Box({ label, children }: { label: string; children: ReactNode }) {
  return (
    <section
      // biome-ignore lint/a11y/noNoninteractiveTabindex: a long command is scrolled with the keyboard
      tabIndex={0}
      aria-label={label}
      className="max-h-50 min-h-9 shrink-0 overflow-auto rounded-s border border-line bg-raised px-2.5 py-1.5"
    >
      <pre className="text-[12.5px] leading-[19px] break-words whitespace-pre-wrap text-ink selectable">
        {children}
      </pre>
    </section>
  );
}

function Reason({ text }: { text: string | null }) {
  if (text === null || text.trim() === "") return null;
  return <p className="text-pretty break-words text-ink-2 selectable">{text}</p>;
}

/** The folder, and the environment if it is not this machine: of that one, no path is this machine's home. */
function Where({ threadId, path }: { threadId: string; path: string | null }) {
  const home = useApp((app) => app.home);
  const place = useOnPlaceOf(threadId);
  if (path === null && place === null) return null;
  return (
    <p className="flex min-w-0 items-center gap-1 text-s text-ink-2">
      {path !== null && (
        <span className="min-w-0 truncate">
          in <span className="font-mono selectable">{place === null ? shortPath(path, home) : path}</span>
        </span>
      )}
      {place !== null && (
        <span className="inline-flex shrink-0 items-center gap-1 font-medium text-ink">
          <Server aria-hidden size={12} />
          {place}
        </span>
      )}
    </p>
  );
}

export function RequestBody({ request }: { request: Exclude<Request, { kind: "questions" }> }) {
  switch (request.kind) {
    case "command":
      return (
        <>
          <Reason text={request.reason} />
          {request.network !== null && (
            <p className="flex items-center gap-1.5">
              <Globe aria-hidden size={14} className="shrink-0 text-warn" />
              <span>
                It wants to reach <b className="font-mono text-[12.5px] font-semibold">{request.network}</b>
              </span>
            </p>
          )}
          {request.command !== "" && (
            <Box label="The command">
              <Verbatim text={request.command} />
            </Box>
          )}
          <Where threadId={request.threadId} path={request.cwd} />
        </>
      );
    case "fileChange":
      return (
        <>
          <Reason text={request.reason} />
          {request.files.length > 0 && (
            <Box label="The files">
              {request.files.map((file) => (
                <span key={file} className="block">
                  <Verbatim text={file} />
                </span>
              ))}
            </Box>
          )}
          {request.grantRoot !== null && (
            <p>
              It asks to write anywhere below{" "}
              <span className="font-mono text-[12.5px]">
                <Verbatim text={request.grantRoot} />
              </span>
              .
            </p>
          )}
          <Where threadId={request.threadId} path={null} />
        </>
      );
    case "permissions":
      return (
        <>
          <Reason text={request.reason} />
          <ul className="list-disc rounded-s border border-line bg-raised py-1.5 pr-2.5 pl-6">
            {request.permissions.map((permission) => (
              <li key={permission} className="break-words selectable">
                <Verbatim text={permission} />
              </li>
            ))}
          </ul>
          <Where threadId={request.threadId} path={request.cwd} />
        </>
      );
    case "link":
      return (
        <>
          <Reason text={request.message} />
          <Box label="The address">
            <Verbatim text={request.url} />
          </Box>
        </>
      );
    default: {
      const unknown: never = request;
      return unknown;
    }
  }
}
