// Ways to a model: an account, a key, a model on this machine. Used by the first screen and by the settings.

import { Copy, RotateCw } from "lucide-react";
import { type FormEvent, useState } from "react";
import { useApp } from "../state/appStore";
import { faultOf } from "../state/callFault";
import { call } from "../state/connection";
import { copyText } from "../state/threadActions";
import { attempt } from "../state/toasts";
import { Button } from "../ui/Button";
import { Notice } from "../ui/Notice";
import { Select } from "../ui/Select";
import { Spinner } from "../ui/Spinner";
import { TextField } from "../ui/TextField";
import { useLocalModels } from "./useLocalModels";

export function ChatGptSignIn() {
  const login = useApp((app) => app.login);
  const [starting, setStarting] = useState(false);
  const start = async () => {
    setStarting(true);
    await attempt(call("account.signInWithChatGpt", {}));
    setStarting(false);
  };
  if (login.state === "waiting for browser") return <WaitingForBrowser url={login.url} />;
  return (
    <div className="grid grid-cols-1 gap-2">
      <Button tone="primary" size="l" busy={starting} onClick={start} className="w-full">
        Sign in with ChatGPT
      </Button>
      {login.state === "failed" && (
        <Notice
          live
          tone="error"
          title={login.fault.message}
          hint={login.fault.hint}
          detail={login.fault.detail}
        />
      )}
    </div>
  );
}

function WaitingForBrowser({ url }: { url: string }) {
  return (
    <div role="status" className="grid grid-cols-1 gap-2 rounded-m border border-line bg-raised p-3">
      <div className="flex items-center gap-2.5">
        <Spinner />
        <p className="flex-1 font-medium">Finish signing in in your browser</p>
        <Button size="s" tone="quiet" onClick={() => void attempt(call("account.cancelSignIn", {}))}>
          Cancel
        </Button>
      </div>
      <div className="flex items-center gap-2">
        <code
          title={url}
          className="min-w-0 flex-1 truncate rounded-s border border-line bg-canvas px-2 py-1 text-xs text-ink-2 selectable"
        >
          {url}
        </code>
        <Button size="s" icon={<Copy aria-hidden size={13} />} onClick={() => void copyText(url, "Link")}>
          Copy link
        </Button>
        <Button size="s" onClick={() => void attempt(call("shell.openLink", { url }))}>
          Open again
        </Button>
      </div>
    </div>
  );
}

export function ApiKeySignIn() {
  const [key, setKey] = useState("");
  const [busy, setBusy] = useState(false);
  const [error, setError] = useState<string | null>(null);
  const submit = async (event: FormEvent) => {
    event.preventDefault();
    const apiKey = key.trim();
    if (apiKey === "" || busy) return;
    setBusy(true);
    setError(null);
    try {
      await call("account.signInWithApiKey", { apiKey });
      setKey("");
    } catch (fault) {
      setError(faultOf(fault).message);
    } finally {
      setBusy(false);
    }
  };
  return (
    <form onSubmit={submit} className="flex items-start gap-2">
      <TextField
        label="API key"
        hideLabel
        type="password"
        mono
        placeholder="sk-…"
        value={key}
        onChange={setKey}
        error={error}
        className="flex-1"
      />
      <Button type="submit" busy={busy} disabled={key.trim() === ""}>
        Use this key
      </Button>
    </form>
  );
}

const providerNames = { ollama: "Ollama", lmstudio: "LM Studio" };

export function LocalModel() {
  const { servers, looking, look } = useLocalModels();
  const chosen = useApp((app) => app.settings.localModel);
  const options = servers.flatMap(({ provider, models }) =>
    models.map((model) => ({
      value: `${provider}\n${model}`,
      label: model,
      description: providerNames[provider],
      choice: { provider, model },
    })),
  );
  const [picked, setPicked] = useState<string | null>(null);
  const value = picked ?? (chosen ? `${chosen.provider}\n${chosen.model}` : (options[0]?.value ?? ""));
  const choice = options.find((option) => option.value === value)?.choice ?? null;
  const inUse = chosen !== null && chosen.provider === choice?.provider && chosen.model === choice.model;
  if (options.length === 0) {
    return (
      <div className="flex min-h-(--h-control) items-center gap-2 text-ink-2">
        <p className="flex-1">
          {looking ? "Looking for Ollama and LM Studio…" : "Neither Ollama nor LM Studio is running here."}
        </p>
        <Button
          size="s"
          tone="quiet"
          busy={looking}
          icon={<RotateCw aria-hidden size={13} />}
          onClick={() => void look()}
        >
          Look again
        </Button>
      </div>
    );
  }
  return (
    <div className="flex items-center gap-2">
      <Select
        label="Local model"
        value={value}
        options={options}
        onChange={setPicked}
        className="min-w-0 flex-1"
      />
      <Button
        disabled={choice === null || inUse}
        onClick={() => choice && void attempt(call("settings.set", { localModel: choice }))}
      >
        {inUse ? "In use" : "Use this model"}
      </Button>
    </div>
  );
}
