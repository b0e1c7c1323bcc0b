import { LogOut } from "lucide-react";
import { useApp } from "../state/appStore";
import { askFirst } from "../state/confirm";
import { call } from "../state/connection";
import { attempt } from "../state/toasts";
import { Button } from "../ui/Button";
import { Notice } from "../ui/Notice";
import { ApiKeySignIn, ChatGptSignIn, LocalModel } from "../welcome/SignIn";
import { changeSettings } from "./change";
import { SettingGroup, SettingRow } from "./SettingRow";

async function signOut(): Promise<void> {
  const yes = await askFirst({
    title: "Sign out of codex?",
    text: "This signs out the codex of this machine, also in the terminal. Threads are kept.",
    confirmLabel: "Sign out",
    tone: "danger",
  });
  if (yes) await attempt(call("account.signOut", {}));
}

export function AccountSettings() {
  const account = useApp((app) => app.account);
  return (
    <>
      <SettingGroup id="account" title="Account">
        {account.state === "signed in" && (
          <SettingRow title={account.label} description={account.plan ? `Plan: ${account.plan}` : undefined}>
            <Button icon={<LogOut aria-hidden size={14} />} onClick={() => void signOut()}>
              Sign out
            </Button>
          </SettingRow>
        )}
        {account.state === "not needed" && (
          <p className="text-ink-2">
            {account.provider
              ? `codex is set up to use the model provider “${account.provider}”, which needs no account here.`
              : "codex is set up so that it needs no account."}
          </p>
        )}
        {account.state === "unknown" && (
          <Notice
            tone={account.fault ? "warning" : "info"}
            title={account.fault?.message ?? "codex has not said yet whether there is an account."}
            hint={account.fault?.hint}
            detail={account.fault?.detail}
            actions={<Button onClick={() => void attempt(call("account.refresh", {}))}>Ask again</Button>}
          />
        )}
        {account.state === "signed out" && (
          <div className="grid gap-3">
            <ChatGptSignIn />
            <ApiKeySignIn />
          </div>
        )}
      </SettingGroup>
      <LocalModelGroup />
    </>
  );
}

function LocalModelGroup() {
  const localModel = useApp((app) => app.settings.localModel);
  return (
    <SettingGroup id="localModel" title="Model on this machine">
      <LocalModel />
      {localModel && (
        <SettingRow
          title={`codex is started with ${localModel.model}`}
          description="Instead of the account's models, in sessions that start from now on."
        >
          <Button onClick={() => changeSettings({ localModel: null })}>Use the account again</Button>
        </SettingRow>
      )}
    </SettingGroup>
  );
}
