// The first screen. What codex says about the account decides what it offers; the demo is always there.

import { Cpu, FlaskConical, FolderPlus, KeyRound, UserRound } from "lucide-react";
import type { ReactNode } from "react";
import { useState } from "react";
import { useApp } from "../state/appStore";
import { call } from "../state/connection";
import { openDemo, openWorkspace } from "../state/navigation";
import { attempt } from "../state/toasts";
import { Brand } from "../ui/Brand";
import { Button } from "../ui/Button";
import { Notice } from "../ui/Notice";
import { Spinner } from "../ui/Spinner";
import { Page, PageHead } from "./Page";
import { ApiKeySignIn, ChatGptSignIn, LocalModel } from "./SignIn";

export function Welcome() {
  const account = useApp((app) => app.account);
  const codex = useApp((app) => app.codex.state);
  const localModel = useApp((app) => app.settings.localModel);
  const waiting = codex === "searching" || (account.state === "unknown" && account.fault === null);
  const ready = account.state === "signed in" || account.state === "not needed" || localModel !== null;
  return (
    <Page>
      <PageHead beside={<Brand size={26} />} title={ready ? "Open a folder to begin" : "Welcome to Holdfast"}>
        {ready
          ? "A folder that you open is a workspace: agents work in it, and go on when this window closes. Each workspace has a codex of its own, its session."
          : "Coding agents on your machine. Whatever crashes, no work is lost."}
      </PageHead>
      {waiting && (
        <p role="status" className="flex animate-late items-center gap-2 text-ink-2">
          <Spinner />
          {codex === "searching" ? "Looking for codex…" : "Asking codex about your account…"}
        </p>
      )}
      {account.state === "unknown" && account.fault && (
        <Notice
          tone="warning"
          title={account.fault.message}
          hint={account.fault.hint}
          detail={account.fault.detail}
          actions={<Button onClick={() => void attempt(call("account.refresh", {}))}>Try again</Button>}
        />
      )}
      {ready ? <Ready /> : account.state === "signed out" && <Ways />}
      <DemoWay first={!ready && account.state !== "signed out"} />
    </Page>
  );
}

function Ready() {
  const account = useApp((app) => app.account);
  const localModel = useApp((app) => app.settings.localModel);
  const words = localModel
    ? `Using ${localModel.model} on this machine`
    : account.state === "signed in"
      ? `Signed in as ${[account.label, account.plan].filter(Boolean).join(" · ")}`
      : account.state === "not needed"
        ? account.provider
          ? `Using the model provider “${account.provider}” of your codex configuration`
          : "Your codex configuration needs no account"
        : null;
  return (
    <div className="grid gap-3">
      <div>
        <Button
          tone="primary"
          size="l"
          icon={<FolderPlus aria-hidden size={16} />}
          shortcut="mod+o"
          onClick={() => void openWorkspace()}
        >
          Open a folder
        </Button>
      </div>
      <p className="text-s text-ink-3">{words}. You can also drop a folder onto this window.</p>
    </div>
  );
}

function Ways() {
  return (
    <div className="grid grid-cols-1 rounded-l border border-line bg-raised shadow-low *:p-4 *:not-first:border-t *:not-first:border-line">
      <Way icon={<UserRound size={16} />} title="ChatGPT account" text="Uses the plan that you have.">
        <ChatGptSignIn />
      </Way>
      <Way
        icon={<KeyRound size={16} />}
        title="API key"
        text="Billed by use. codex keeps the key, Holdfast does not."
      >
        <ApiKeySignIn />
      </Way>
      <Way icon={<Cpu size={16} />} title="Model on this machine" text="Nothing leaves it.">
        <LocalModel />
      </Way>
    </div>
  );
}

interface WayProps {
  icon: ReactNode;
  title: string;
  text: string;
  children: ReactNode;
}

function Way({ icon, title, text, children }: WayProps) {
  return (
    <section className="grid grid-cols-1 gap-3">
      <h2 className="flex items-center gap-2.5">
        <span aria-hidden className="text-ink-3">
          {icon}
        </span>
        <span className="font-semibold">{title}</span>
        <span className="text-ink-3">{text}</span>
      </h2>
      {children}
    </section>
  );
}

export function DemoWay({ first = false }: { first?: boolean }) {
  const [busy, setBusy] = useState(false);
  const open = async () => {
    setBusy(true);
    await openDemo();
    setBusy(false);
  };
  return (
    <div className="flex items-center gap-3 rounded-l border border-dashed border-line-strong p-4">
      <FlaskConical aria-hidden size={18} className="shrink-0 text-accent" />
      <div className="min-w-0 flex-1">
        <p className="font-semibold">Try it with the demo model</p>
        <p className="text-s text-pretty text-ink-2">
          Works without account or network: the real codex, in a scratch folder, with scripted answers.
        </p>
      </div>
      <Button tone={first ? "primary" : "default"} busy={busy} onClick={open}>
        Open the demo
      </Button>
    </div>
  );
}
