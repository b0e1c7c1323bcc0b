import type { EnvironmentView } from "../../../preload/contract/environments";
import { Section } from "../../inspector/Section";
import { systemWords } from "../environmentLook";
import { Fact, Facts } from "./Facts";

/** What the executor says of itself. */
export function Executor({ environment: { info, connection } }: { environment: EnvironmentView }) {
  const isOld = connection.state !== "connected";
  return (
    <Section
      title="Executor"
      aside={
        info !== null && isOld && <span className="text-ink-3">as it said when it was connected last</span>
      }
    >
      {info === null ? (
        <p className="text-ink-3">Nothing is known of it until it has been connected to.</p>
      ) : (
        <Facts>
          <Fact name="Version">{info.version === null ? "It does not say" : `codex ${info.version}`}</Fact>
          <Fact name="System">
            {info.platform === null ? "It does not say" : (systemWords[info.platform] ?? info.platform)}
          </Fact>
          <Fact name="Shell" mono>
            {info.shell}
          </Fact>
          {info.folder !== null && (
            <Fact name="Starts in" mono>
              {info.folder}
            </Fact>
          )}
          {info.home !== null && (
            <Fact name="Home" mono>
              {info.home}
            </Fact>
          )}
        </Facts>
      )}
    </Section>
  );
}
