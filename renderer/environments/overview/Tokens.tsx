import { KeyRound } from "lucide-react";
import type { EnvironmentView } from "../../../preload/contract/environments";
import { Section } from "../../inspector/Section";
import { showDialog } from "../../state/uiStore";
import { Button } from "../../ui/Button";
import { forgetToken } from "../actions";
import { keptWords, tokenWords } from "../environmentLook";
import { fixedTokenName } from "../form/draft";

/** The tokens that it is connected to with, by name. What they are is never shown. */
export function Tokens({
  environment: { environmentId, tokens, registry },
}: {
  environment: EnvironmentView;
}) {
  const set = (name: string | null) =>
    showDialog({ kind: "environment", about: { what: "token", environmentId, name } });
  const takesMore = registry.kind !== "fixed" || tokens.length === 0;
  return (
    <Section title="Tokens">
      {tokens.length === 0 ? (
        <p className="text-ink-3">None is saved. An exec-server that wants none needs none.</p>
      ) : (
        <ul className="grid gap-1">
          {tokens.map(({ name, kept }) => (
            <li key={name} className="flex flex-wrap items-center gap-x-3 gap-y-1">
              <KeyRound aria-hidden size={13} className="text-ink-3" />
              {name === fixedTokenName ? (
                <span>Token</span>
              ) : (
                <span className="font-mono text-s break-all">{name}</span>
              )}
              <span className={kept === "key store" ? "flex-1 text-ink-3" : "flex-1 text-warn"}>
                {keptWords[kept]}
              </span>
              <span className="flex gap-1.5">
                <Button size="s" aria-label={`Set ${tokenWords(name)}`} onClick={() => set(name)}>
                  Set…
                </Button>
                <Button
                  size="s"
                  tone="quiet"
                  aria-label={`Forget ${tokenWords(name)}`}
                  onClick={() => void forgetToken(environmentId, name)}
                >
                  Forget
                </Button>
              </span>
            </li>
          ))}
        </ul>
      )}
      {takesMore && (
        <div className="mt-1">
          <Button size="s" icon={<KeyRound aria-hidden size={12} />} onClick={() => set(null)}>
            Set a token…
          </Button>
        </div>
      )}
    </Section>
  );
}
