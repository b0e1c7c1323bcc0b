// The fields that say where an environment is found, for each way to find it.

import { FileJson, Plus, X } from "lucide-react";
import { useId } from "react";
import { CopyButton } from "../../conversation/CopyButton";
import { call } from "../../state/connection";
import { attempt } from "../../state/toasts";
import { Button } from "../../ui/Button";
import { Fold } from "../../ui/Fold";
import { IconButton } from "../../ui/IconButton";
import { Notice } from "../../ui/Notice";
import { TextField } from "../../ui/TextField";
import { addressWarning, type EnvironmentDraft, exampleAnswer, type Problems } from "./draft";
import { PasswordField } from "./PasswordField";

export interface RegistryFieldsProps {
  draft: EnvironmentDraft;
  problems: Problems;
  /** Tokens can be given along; later on each is set by itself. */
  withTokens: boolean;
  onChange: (part: Partial<EnvironmentDraft>) => void;
}

export function RegistryFields({ draft, problems, withTokens, onChange }: RegistryFieldsProps) {
  switch (draft.kind) {
    case "local":
      return (
        <p className="text-pretty text-ink-2">
          It is started when something needs it, or when you start it. It listens on this machine only.
        </p>
      );
    case "fixed":
      return <FixedFields draft={draft} problems={problems} withTokens={withTokens} onChange={onChange} />;
    case "file":
      return (
        <>
          <FileField draft={draft} problems={problems} onChange={onChange} />
          <Example draft={draft} />
          {withTokens && <TokenRows draft={draft} problems={problems} onChange={onChange} />}
        </>
      );
    case "command":
      return (
        <>
          <CommandFields draft={draft} problems={problems} onChange={onChange} />
          <Example draft={draft} />
          {withTokens && <TokenRows draft={draft} problems={problems} onChange={onChange} />}
        </>
      );
    default:
      return draft.kind satisfies never;
  }
}

type FieldsProps = Omit<RegistryFieldsProps, "withTokens">;

function FixedFields({ draft, problems, withTokens, onChange }: RegistryFieldsProps) {
  const warning = addressWarning(draft.url.trim());
  return (
    <>
      <TextField
        label="Address"
        description="Of a codex exec-server. To another machine with a token it has to be wss://, or a tunnel that begins on this machine."
        placeholder="ws://127.0.0.1:4711"
        mono
        maxLength={4096}
        value={draft.url}
        onChange={(url) => onChange({ url })}
        error={problems.url}
      />
      {warning !== null && problems.url === undefined && <Notice live tone="warning" title={warning} />}
      {withTokens && (
        <PasswordField
          label="Token"
          description="If it wants one. It is kept in this machine's key store, if it has one, and never shown again."
          value={draft.token}
          onChange={(token) => onChange({ token })}
          error={problems.token}
        />
      )}
      <Fold summary="More" defaultOpen={draft.identity !== ""}>
        <TextField
          label="Identity"
          description="Without one, whatever listens at that address counts as the same executor. Give it another one when the executor behind the address is replaced."
          className="mt-2"
          mono
          maxLength={256}
          value={draft.identity}
          onChange={(identity) => onChange({ identity })}
          error={problems.identity}
        />
      </Fold>
    </>
  );
}

function FileField({ draft, problems, onChange }: FieldsProps) {
  const pick = async () => {
    const picked = await attempt(call("environments.pickFile", {}));
    // Whoever changed their mind keeps what was typed.
    if (picked && picked.path !== null) onChange({ path: picked.path });
  };
  return (
    <div className="flex items-start gap-2">
      <TextField
        label="File"
        description="It is read whenever somebody needs to know where the environment is."
        placeholder="/path/to/environment.json"
        mono
        maxLength={4096}
        className="min-w-0 flex-1"
        value={draft.path}
        onChange={(path) => onChange({ path })}
        error={problems.path}
      />
      <Button className="mt-[22px]" onClick={() => void pick()}>
        Choose file…
      </Button>
    </div>
  );
}

function CommandFields({ draft, problems, onChange }: FieldsProps) {
  const id = useId();
  return (
    <>
      <TextField
        label="Program"
        description="By its name, as in a terminal, or with its whole path."
        placeholder="where-is-build-box"
        mono
        maxLength={4096}
        value={draft.command}
        onChange={(command) => onChange({ command })}
        error={problems.command}
      />
      <div className="grid gap-1">
        <label htmlFor={id} className="text-s font-medium text-ink">
          Arguments
        </label>
        <textarea
          id={id}
          rows={3}
          spellCheck={false}
          autoComplete="off"
          aria-describedby={`${id}-d`}
          placeholder={"--format\njson"}
          value={draft.args}
          onChange={(event) => onChange({ args: event.target.value })}
          className="min-w-0 resize-y rounded-s border border-field-line bg-raised px-2 py-1 font-mono text-s text-ink outline-none focus-visible:outline-2 focus-visible:-outline-offset-1 focus-visible:outline-focus"
        />
        <p id={`${id}-d`} className="text-s text-pretty text-ink-3">
          One on each line, as it is: no shell reads them, so blanks and quotes mean nothing special.
        </p>
      </div>
    </>
  );
}

function Example({ draft }: { draft: EnvironmentDraft }) {
  const says = draft.kind === "file" ? "What the file has to say" : "What it has to print";
  return (
    <Fold
      summary={
        <span className="inline-flex items-center gap-1">
          <FileJson aria-hidden size={13} />
          {says}
        </span>
      }
    >
      <div className="mt-1.5 grid gap-1.5">
        <div className="flex items-start gap-1 rounded-s border border-line bg-canvas py-1.5 pr-1.5 pl-2.5">
          <pre className="min-w-0 flex-1 overflow-x-auto font-mono text-s text-ink-2 selectable">
            {exampleAnswer}
          </pre>
          <CopyButton label="Copy the example" text={() => exampleAnswer} />
        </div>
        <p className="text-s text-pretty text-ink-3">
          Another identity means another executor, whose processes and sessions are its own. The credential
          may be left out; a stored one is a token that is saved here under that name.
        </p>
      </div>
    </Fold>
  );
}

function TokenRows({ draft, problems, onChange }: FieldsProps) {
  const { tokens } = draft;
  const put = (index: number, part: { name?: string; token?: string }) =>
    onChange({ tokens: tokens.map((each, at) => (at === index ? { ...each, ...part } : each)) });
  return (
    <Fold summary="Tokens that it names" defaultOpen={tokens.length > 0}>
      <div className="mt-2 grid gap-2">
        {tokens.map((each, index) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: a token that is being typed is its place
          <div key={index} className="flex items-end gap-2">
            <TextField
              label={`Name of token ${index + 1}`}
              className="min-w-0 flex-1"
              mono
              maxLength={256}
              value={each.name}
              onChange={(name) => put(index, { name })}
            />
            <PasswordField
              label={`Token ${index + 1}`}
              className="min-w-0 flex-1"
              value={each.token}
              onChange={(token) => put(index, { token })}
            />
            <IconButton
              label={`Leave out token ${index + 1}`}
              icon={<X size={14} />}
              onClick={() => onChange({ tokens: tokens.filter((_, at) => at !== index) })}
            />
          </div>
        ))}
        {problems.tokens !== undefined && (
          <p role="alert" className="text-s text-bad">
            {problems.tokens}
          </p>
        )}
        <div>
          <Button
            size="s"
            icon={<Plus aria-hidden size={12} />}
            onClick={() => onChange({ tokens: [...tokens, { name: "", token: "" }] })}
          >
            Add a token
          </Button>
        </div>
      </div>
    </Fold>
  );
}
