// The head of one environment: its name, how it stands, where it is, and what can be asked of it.

import { MoreHorizontal, Play, Plug, RefreshCw, Square } from "lucide-react";
import type { EnvironmentView } from "../../preload/contract/environments";
import { Button } from "../ui/Button";
import { Chip } from "../ui/Chip";
import { IconButton } from "../ui/IconButton";
import { MenuButton } from "../ui/Menu";
import { Status } from "../ui/StatusDot";
import { checkEnvironment, refreshEnvironment, startServer, stopServer } from "./actions";
import { EnvironmentMenu } from "./EnvironmentMenu";
import { checkWords, environmentLook, refreshWords, whereWords } from "./environmentLook";
import { useIsBusy } from "./environmentsStore";

/** In a small head the buttons are icons. */
const word = "@max-[720px]:sr-only";
const button = "@max-[720px]:gap-0 @max-[720px]:px-[6px]";

export function EnvironmentHead({ environment }: { environment: EnvironmentView }) {
  const { environmentId, name, registry, refreshing, server } = environment;
  const checking = useIsBusy(environmentId, "check");
  const { tone, words } = environmentLook(environment);
  const where = whereWords(registry);
  return (
    <>
      <h1 className="min-w-0 truncate text-l font-semibold tracking-[-0.01em]" title={name}>
        {name}
      </h1>
      {/* The window says what changes in short; this is for whoever looks. */}
      <div
        role="status"
        aria-label="Environment"
        aria-live="off"
        className="min-w-0 truncate text-s text-ink-2"
      >
        <Status tone={tone} word={words} />
      </div>
      <Chip mono={registry.kind !== "local"} title={where} className="shrink-[2000] @max-[880px]:hidden">
        {where}
      </Chip>
      <span className="flex-1" />
      {server !== null && <ServerButton environment={environment} />}
      <Button
        icon={<Plug aria-hidden size={14} />}
        title={checkWords(environment)}
        className={button}
        busy={checking}
        onClick={() => void checkEnvironment(environmentId)}
      >
        <span className={word}>Check</span>
      </Button>
      <Button
        icon={<RefreshCw aria-hidden size={14} />}
        title={refreshWords}
        className={button}
        busy={refreshing}
        onClick={() => void refreshEnvironment(environmentId)}
      >
        <span className={word}>Refresh</span>
      </Button>
      <MenuButton
        align="end"
        button={<IconButton label="More about this environment" icon={<MoreHorizontal size={16} />} />}
      >
        <EnvironmentMenu environment={environment} />
      </MenuButton>
    </>
  );
}

/** Starts or stops the exec-server of a local one. */
function ServerButton({ environment: { environmentId, server } }: { environment: EnvironmentView }) {
  const starting = useIsBusy(environmentId, "start");
  const stopping = useIsBusy(environmentId, "stop");
  const state = server?.state ?? "stopped";
  if (state === "running" || state === "ending") {
    return (
      <Button
        icon={<Square aria-hidden size={12} />}
        className={button}
        once
        busy={state === "ending" || stopping}
        onClick={() => void stopServer(environmentId)}
      >
        <span className={word}>Stop</span>
      </Button>
    );
  }
  return (
    <Button
      tone="primary"
      icon={<Play aria-hidden size={13} />}
      className={button}
      once
      busy={state === "starting" || starting}
      onClick={() => void startServer(environmentId)}
    >
      <span className={word}>Start</span>
    </Button>
  );
}
