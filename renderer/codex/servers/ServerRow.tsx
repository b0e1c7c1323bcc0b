// One MCP server. Nothing jumps while it is asked: its head has one height, and what it said last stays.

import { useId, useState } from "react";
import type { ConfiguredServer, ServerAnswer } from "../../../preload/contract/codexPage";
import type { FaultView } from "../../../preload/contract/fault";
import { Fact, Facts } from "../../environments/overview/Facts";
import { faultOf } from "../../state/callFault";
import { call } from "../../state/connection";
import { reveal } from "../../state/threadActions";
import { threadStore } from "../../state/threadStore";
import { attempt } from "../../state/toasts";
import { Button } from "../../ui/Button";
import { Notice } from "../../ui/Notice";
import { Status } from "../../ui/StatusDot";
import { useLoaded } from "../loaded";
import { Scrolled } from "../Scrolled";
import { loginWords, offerWords, serverLook } from "../serverLook";
import { type Shown, useNews } from "../shown";
import { ServerOffers } from "./ServerOffers";

interface ServerRowProps {
  server: ConfiguredServer;
  shown: Shown;
  /** Counts how often they were started anew. */
  reloads: number;
  busy: boolean;
  onReconnect: () => void;
}

export function ServerRow({ server, shown, reloads, busy, onReconnect }: ServerRowProps) {
  const { workspace, threadId, codex } = shown;
  const { name, target, source } = server;
  const nameId = useId();
  const login = useNews(workspace.id)?.logins[name];
  const told = threadStore((store) =>
    threadId !== null && store.shown.phase === "shown"
      ? store.shown.copy.head.mcpServers.find((each) => each.name === name)
      : undefined,
  );
  const loaded = useLoaded<ServerAnswer | null>(
    `server ${workspace.id} ${threadId ?? ""} ${name}`,
    // One that is switched off has nothing to say.
    async () => (server.enabled ? call("codex.server", { workspaceId: workspace.id, threadId, name }) : null),
    [codex, reloads, login?.count, told?.state, server.enabled].join(" "),
  );
  const { value: answer, fault, loading } = loaded;
  const look = serverLook(server, answer, told, loading);
  const signIn = useSignIn(shown, name, login?.count ?? 0);
  const canSignIn = look.state === "needs login" || answer?.auth === "signed out";
  return (
    <li
      aria-labelledby={nameId}
      className="grid grid-cols-1 gap-2 rounded-m border border-line bg-raised px-3 py-2"
    >
      <div className="flex min-h-6 min-w-0 flex-wrap items-center gap-x-2">
        <span id={nameId} className="min-w-0 truncate font-mono font-medium" title={name}>
          {name}
        </span>
        <span className="mr-auto min-w-0 truncate text-s text-ink-3">
          {[answer?.version ? `version ${answer.version}` : null, offerWords(answer)]
            .filter(Boolean)
            .join(" · ")}
        </span>
        {canSignIn && (
          <Button
            size="s"
            aria-describedby={nameId}
            busy={signIn.opening}
            onClick={() => void signIn.begin()}
          >
            Sign in
          </Button>
        )}
        {(look.state === "failed" || look.state === "needs login" || look.state === "cancelled") && (
          <Button size="s" tone="quiet" aria-describedby={nameId} busy={busy} onClick={onReconnect}>
            Reconnect
          </Button>
        )}
        <Status tone={look.tone} word={look.words} className="shrink-0 text-s text-ink-2" />
      </div>
      {look.error !== null && (
        <Scrolled label={`What is wrong with ${name}`} className="max-h-40">
          <p className="text-s break-words whitespace-pre-wrap text-bad selectable">{look.error.trim()}</p>
        </Scrolled>
      )}
      {fault !== null && (
        <Notice
          live
          tone="error"
          title={fault.message}
          hint={fault.hint}
          detail={fault.detail}
          actions={
            <Button size="s" busy={loading} aria-describedby={nameId} onClick={loaded.reload}>
              Retry
            </Button>
          }
        />
      )}
      <SignInState signIn={signIn} error={login?.error ?? null} />
      <Facts>
        {target !== null && (
          <Fact name={target.kind === "command" ? "Command" : "Address"} mono>
            {target.text}
          </Fact>
        )}
        {server.folder !== null && (
          <Fact name="Folder" mono>
            {server.folder}
          </Fact>
        )}
        {server.variables.length > 0 && (
          <Fact name="Variables" mono>
            {server.variables.join(", ")}
          </Fact>
        )}
        {answer && loginWords(answer.auth) !== null && <Fact name="Sign-in">{loginWords(answer.auth)}</Fact>}
        <Fact name="Configured in">
          {source.words}
          {source.file !== null && (
            <>
              {" "}
              <Button
                size="s"
                tone="quiet"
                title={source.file}
                aria-describedby={nameId}
                className="h-5"
                onClick={() => void reveal(source.file ?? "")}
              >
                Show file
              </Button>
            </>
          )}
        </Fact>
      </Facts>
      {answer && <ServerOffers answer={answer} />}
    </li>
  );
}

interface SignIn {
  opening: boolean;
  /** The page that waits for the person; null: none does. */
  url: string | null;
  fault: FaultView | null;
  begin(): Promise<void>;
}

/** The page is open until codex tells how the sign-in ended: then its count is another. */
function useSignIn({ workspace, threadId }: Shown, name: string, count: number): SignIn {
  const [opening, setOpening] = useState(false);
  const [opened, setOpened] = useState<{ url: string; count: number } | null>(null);
  const [fault, setFault] = useState<FaultView | null>(null);
  return {
    opening,
    url: opened?.count === count ? opened.url : null,
    fault,
    async begin() {
      setOpening(true);
      setFault(null);
      try {
        const { url } = await call("codex.signInToServer", { workspaceId: workspace.id, threadId, name });
        setOpened({ url, count });
      } catch (failure) {
        setFault(faultOf(failure));
      }
      setOpening(false);
    },
  };
}

function SignInState({ signIn, error }: { signIn: SignIn; error: string | null }) {
  const { url, fault } = signIn;
  if (fault)
    return <Notice live tone="error" title={fault.message} hint={fault.hint} detail={fault.detail} />;
  if (url !== null) {
    return (
      <Notice
        live
        tone="info"
        title="Sign in on the page that was opened in your browser."
        hint="This is noticed by itself when you have."
        actions={
          <Button size="s" onClick={() => void attempt(call("shell.openLink", { url }))}>
            Open the page again
          </Button>
        }
      />
    );
  }
  if (error === null) return null;
  return <Notice live tone="warning" title="The sign-in did not work." hint={error} />;
}
