import { useHead } from "../state/threadStore";
import { Status } from "../ui/StatusDot";
import { serverLooks } from "./progressWords";
import { Section } from "./Section";

export function McpServers() {
  const servers = useHead((head) => head.mcpServers);
  if (servers.length === 0) return null;
  return (
    <Section title="MCP servers">
      <ul className="grid gap-1 text-s">
        {servers.map(({ name, state, error }) => {
          const look = serverLooks[state];
          return (
            <li key={name} className="grid gap-0.5">
              <div className="flex min-h-5 min-w-0 items-baseline justify-between gap-4">
                <span className="min-w-0 truncate font-mono text-ink" title={name}>
                  {name}
                </span>
                <Status tone={look.tone} word={look.word} className="shrink-0 text-ink-2" />
              </div>
              {error !== null && <p className="line-clamp-4 break-words text-ink-3 selectable">{error}</p>}
            </li>
          );
        })}
      </ul>
    </Section>
  );
}
