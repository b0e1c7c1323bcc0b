import { Pencil } from "lucide-react";
import type { EnvironmentView, RegistryView } from "../../../preload/contract/environments";
import { Section } from "../../inspector/Section";
import { showDialog } from "../../state/uiStore";
import { Button } from "../../ui/Button";
import { Fact, Facts } from "./Facts";

/** Who says where it is. */
export function Where({ environment: { environmentId, registry } }: { environment: EnvironmentView }) {
  return (
    <Section title="Where it is found">
      <Facts>
        <Registry registry={registry} />
      </Facts>
      <div className="mt-1">
        <Button
          size="s"
          icon={<Pencil aria-hidden size={12} />}
          onClick={() => showDialog({ kind: "environment", about: { what: "edit", environmentId } })}
        >
          Edit…
        </Button>
      </div>
    </Section>
  );
}

function Registry({ registry }: { registry: RegistryView }) {
  switch (registry.kind) {
    case "local":
      // The exec-server has a section of its own.
      return null;
    case "fixed":
      return (
        <>
          <Fact name="Address" mono>
            {registry.url}
          </Fact>
          <Fact name="Counts as">{registry.identity ?? "the same executor, whatever listens there"}</Fact>
        </>
      );
    case "file":
      return (
        <Fact name="Named by the file" mono>
          {registry.path}
        </Fact>
      );
    case "command":
      return (
        <>
          <Fact name="Named by" mono>
            {registry.command}
          </Fact>
          {registry.args.length > 0 && (
            <Fact name="Arguments">
              <ol className="grid font-mono text-s leading-5">
                {registry.args.map((argument, index) => (
                  // biome-ignore lint/suspicious/noArrayIndexKey: an argument is its place
                  <li key={index} className="break-words whitespace-pre-wrap">
                    {argument}
                  </li>
                ))}
              </ol>
            </Fact>
          )}
        </>
      );
    default:
      return registry satisfies never;
  }
}
