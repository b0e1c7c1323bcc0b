import { ScrollText } from "lucide-react";
import type { EnvironmentView } from "../../../preload/contract/environments";
import { useTicking } from "../../conversation/time/useNow";
import { Section } from "../../inspector/Section";
import { Button } from "../../ui/Button";
import { showServerLog } from "../actions";
import { whenWords } from "../environmentLook";
import { Fact, Facts } from "./Facts";

interface LocalServerProps {
  environment: EnvironmentView;
  server: NonNullable<EnvironmentView["server"]>;
}

const stateWords = {
  stopped: "Stopped",
  starting: "Starting",
  running: "Running",
  ending: "Being ended, with what runs in it",
} as const;

/** The exec-server of a local one, which Holdfast runs. */
export function LocalServer({ environment, server }: LocalServerProps) {
  return (
    <Section title="Exec-server on this machine">
      <Facts>
        <Fact name="State">{stateWords[server.state]}</Fact>
        {server.pid !== null && <Fact name="Process">{server.pid}</Fact>}
        {server.startedAtMs !== null && (
          <Fact name="Since">
            <Started ms={server.startedAtMs} />
          </Fact>
        )}
      </Facts>
      {server.hasLog && (
        <div className="mt-1">
          <Button
            size="s"
            icon={<ScrollText aria-hidden size={13} />}
            onClick={() => showServerLog(environment)}
          >
            Show log
          </Button>
        </div>
      )}
    </Section>
  );
}

function Started({ ms }: { ms: number }) {
  return useTicking((nowMs) => whenWords(ms, nowMs));
}
