import { Fact, Facts, Section } from "../inspector/Section";
import { Status } from "../ui/StatusDot";
import { useShownPlace } from "./usePlace";
import { placeName } from "./words";

/** Where the thread's commands run, when that is not this machine. */
export function PlaceFacts() {
  const shown = useShownPlace();
  if (shown === null) return null;
  const { place, look } = shown;
  return (
    <Section title="Runs on">
      <Facts>
        <Fact name="Environment">{placeName(place)}</Fact>
        <Fact name="Folder">
          <span className="font-mono text-xs break-all selectable">{place.cwd}</span>
        </Fact>
        <Fact name="State">
          <Status tone={look.tone} word={look.word} />
        </Fact>
      </Facts>
    </Section>
  );
}
