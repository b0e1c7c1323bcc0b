import { type EnvironmentView, isReplaced } from "../../../preload/contract/environments";
import { useTicking } from "../../conversation/time/useNow";
import { Section } from "../../inspector/Section";
import { Status } from "../../ui/StatusDot";
import { environmentLook, latencyWords, whenWords } from "../environmentLook";
import { Fact, Facts } from "./Facts";

export function Connection({ environment }: { environment: EnvironmentView }) {
  const { connection, check, registry } = environment;
  // Without an identity of its own it is known by its address, which is said below.
  const isAddress = registry.kind === "fixed" && registry.identity === null;
  const { tone, words } = environmentLook(environment);
  return (
    <Section title="Connection">
      <Facts>
        <Fact name="State">
          <Status tone={tone} word={words} wraps />
          <p className="text-s text-pretty text-ink-3">{explained(environment)}</p>
        </Fact>
        {connection.state === "connected" && (
          <>
            <Fact name="Since">
              <When ms={connection.sinceMs} />
            </Fact>
            {!isAddress && (
              <Fact name="Identity" mono>
                {connection.identity}
              </Fact>
            )}
            {connection.registration !== connection.identity && (
              <Fact name="Registered as" mono>
                {connection.registration}
              </Fact>
            )}
          </>
        )}
        <Fact name="Last check">{check === null ? "Not checked yet" : <LastCheck check={check} />}</Fact>
      </Facts>
    </Section>
  );
}

function LastCheck({ check }: { check: NonNullable<EnvironmentView["check"]> }) {
  return (
    <>
      <When ms={check.atMs} />
      {check.fault !== null
        ? `: ${check.fault.message}`
        : check.latencyMs !== null && `: answered in ${latencyWords(check.latencyMs)}`}
    </>
  );
}

function When({ ms }: { ms: number }) {
  return useTicking((nowMs) => whenWords(ms, nowMs));
}

function explained({ connection, server, refreshing }: EnvironmentView): string {
  if (refreshing) return "Where it is now is being asked anew. What is connected stays until that is known.";
  if (server !== null && server.state === "stopped") return "It is started when something needs it.";
  switch (connection.state) {
    case "not connected":
      if (isReplaced(connection)) return "The next use connects to the executor that is there now.";
      return connection.fault === null
        ? "It is connected to when something needs it, or when you check it."
        : "It is tried again when something needs it, or when you check it. If it was replaced, Refresh goes over to the new one.";
    case "connecting":
      return "Where it is was asked; the executor is to answer.";
    case "connected":
      return "What runs there is heard as it happens.";
    case "reconnecting":
      return "The same executor is being connected to anew. What runs there goes on, and what is asked of it waits. If it was replaced, Refresh goes over to the new one.";
    default:
      return connection satisfies never;
  }
}
